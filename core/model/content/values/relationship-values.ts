import type * as z from 'zod';
import type { Json } from '../../json';
import { consent } from '../consent';
import {
	contentType,
	contentTypesByName,
	fixedAndWritten,
	type ContentOf,
	type ContentType,
	type Flat,
} from '../content-type';
import { textField } from '../fields';
import { valueHintsOverride } from './hints';
import { schemaUrlField } from './identity-values';
import { kindField, valueKinds, type KindValue, type ValueKind } from './value-kinds';
import { proprietaryValues, type ProprietaryValueType } from './value-types';
import { isKeyOf, keysOf } from '../../../base/members';

/** Kind of a relationship value; undefined for `Consent`, which has none, and for other types. */
export function proprietaryKindOf(type: string): ValueKind | undefined {
	return isKeyOf(proprietaryValues, type) ? valueKinds[proprietaryValues[type]] : undefined;
}

type ProprietaryMembers<Type extends ProprietaryValueType> = {
	/** name that a person reads */
	title: string;
	/** explanation that a person reads */
	description?: string;
	/** the value itself */
	value: KindValue<(typeof valueKinds)[(typeof proprietaryValues)[Type]]>;
} & (Type extends 'ProprietaryXML'
	? {
			/** address of the schema of the XML */
			schemaURL?: string;
		}
	: unknown) &
	(Type extends 'ProprietaryJSON'
		? unknown
		: {
				/** hints that replace the hints of the type */
				valueHintsOverride?: ContentOf<typeof valueHintsOverride> | null;
			});

/** The content type of each relationship value: its members follow from the table of its kind. */
type RelationshipValues = Readonly<
	{ [Type in ProprietaryValueType]: ContentType<Type, ProprietaryMembers<Type>> } & {
		Consent: typeof consent;
	}
>;

/** Value of a relationship attribute. */
export type RelationshipAttributeValue = Flat<
	ContentOf<RelationshipValues[keyof RelationshipValues]>
>;

let made: RelationshipValues | undefined;

/** Relationship attribute values, by type. */
export function relationshipValues(): RelationshipValues {
	made ??= contentTypesByName<RelationshipValues>([
		...keysOf(proprietaryValues).map(proprietaryValue),
		consent,
	]);
	return made;
}

function proprietaryValue(type: ProprietaryValueType): ContentType {
	const shape = (): Record<string, z.ZodType<Json | undefined>> => ({
		title: textField({ max: 100 }),
		description: textField({ max: 1000 }).optional(),
		...(type === 'ProprietaryXML' ? { schemaURL: schemaUrlField() } : {}),
		...(type === 'ProprietaryJSON'
			? {}
			: { valueHintsOverride: fixedAndWritten(() => valueHintsOverride).nullish() }),
		value: kindField(valueKinds[proprietaryValues[type]]),
	});
	return contentType(type, shape);
}
