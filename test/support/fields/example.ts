import type { CollectionTypes } from '../../../core/store/collections/collection-types';
import type { ColumnValue } from '../../../core/store/store';

type Values = ColumnValue | readonly ColumnValue[];

/** Two records of a collection, with the values by which lists find them. */
interface Example<Name extends keyof CollectionTypes> {
	readonly secrets: CollectionTypes[Name][1];
	/** record with all members, and the values of all its fields */
	readonly full: {
		readonly record: CollectionTypes[Name][0];
		readonly fields: { readonly [Field in CollectionTypes[Name][2]]: Values };
	};
	/** record with as few members as possible, and the values of the fields that it has */
	readonly bare: {
		readonly record: CollectionTypes[Name][0];
		readonly fields: { readonly [Field in CollectionTypes[Name][2]]?: Values };
	};
}

export type Examples<Names extends keyof CollectionTypes> = {
	readonly [Name in Names]: Example<Name>;
};

export const notBefore = '2030-03-01T00:00:00.000Z';

export const time = (day: number): string => `2030-02-0${day}T00:00:00.000Z`;
