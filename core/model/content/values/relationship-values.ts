import { consent } from '../consent';
import { contentType, fixedAndWritten, type ContentType } from '../content-type';
import { textField } from '../fields';
import { valueHintsOverride } from './hints';
import { schemaUrlField } from './identity-values';
import { kindField, valueKinds, type ValueKind } from './value-kinds';
import {
	proprietaryValues,
	type ProprietaryValueType,
	type RelationshipValueType,
} from './value-types';

/** Kind of a relationship value; undefined for `Consent`, which has none, and for other types. */
export function proprietaryKindOf(type: string): ValueKind | undefined {
	if (!Object.hasOwn(proprietaryValues, type)) return undefined;
	return valueKinds[proprietaryValues[type as ProprietaryValueType]];
}

let made: Readonly<Record<RelationshipValueType, ContentType>> | undefined;

/** Relationship attribute values, by type. */
export function relationshipValues(): Readonly<Record<RelationshipValueType, ContentType>> {
	const types = Object.keys(proprietaryValues) as ProprietaryValueType[];
	made ??= Object.fromEntries([
		...types.map((type) => [type, proprietaryValue(type)] as const),
		['Consent', consent] as const,
	]) as Record<RelationshipValueType, ContentType>;
	return made;
}

function proprietaryValue(type: ProprietaryValueType): ContentType {
	return contentType(type, () => ({
		title: textField({ max: 100 }),
		description: textField({ max: 1000 }).optional(),
		...(type === 'ProprietaryXML' ? { schemaURL: schemaUrlField() } : {}),
		...(type === 'ProprietaryJSON'
			? {}
			: { valueHintsOverride: fixedAndWritten(() => valueHintsOverride).nullish() }),
		value: kindField(valueKinds[proprietaryValues[type]]),
	}));
}
