import { consent } from '../consent';
import { contentType, fixedAndWritten, type ContentType } from '../content-type';
import { textField } from '../fields';
import { valueHintsOverride } from './hints';
import { schemaUrlField } from './identity-values';
import { kindField, valueKinds, type ValueKind, type ValueKindName } from './value-kinds';

/** Values of relationship attributes with a member `value` (docs/protocol/content.md 7.6). */
const proprietary = {
	ProprietaryBoolean: 'boolean',
	ProprietaryCountry: 'country',
	ProprietaryEMailAddress: 'email',
	ProprietaryFileReference: 'fileReference',
	ProprietaryFloat: 'float',
	ProprietaryHEXColor: 'hexColor',
	ProprietaryInteger: 'integer',
	ProprietaryJSON: 'json',
	ProprietaryLanguage: 'language',
	ProprietaryPhoneNumber: 'phone',
	ProprietaryString: 'text',
	ProprietaryURL: 'url',
	ProprietaryXML: 'xml',
} as const satisfies Record<string, ValueKindName>;

type ProprietaryValueType = keyof typeof proprietary;
export type RelationshipValueType = ProprietaryValueType | 'Consent';

/** Kind of a relationship value; undefined for `Consent`, which has none, and for other types. */
export function proprietaryKindOf(type: string): ValueKind | undefined {
	if (!Object.hasOwn(proprietary, type)) return undefined;
	return valueKinds[proprietary[type as ProprietaryValueType]];
}

let made: Readonly<Record<RelationshipValueType, ContentType>> | undefined;

/** Relationship attribute values, by type. */
export function relationshipValues(): Readonly<Record<RelationshipValueType, ContentType>> {
	const types = Object.keys(proprietary) as ProprietaryValueType[];
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
		value: kindField(valueKinds[proprietary[type]]),
	}));
}
