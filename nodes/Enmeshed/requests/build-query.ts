import type {
	AttributeQueryInput,
	IdentityAttributeQueryInput,
	RelationshipAttributeQueryInput,
	ThirdPartyRelationshipAttributeQueryInput,
} from '../../../core';
import { defined, judgedByCore } from '../helpers/members';
import { expectedEntries, type FieldSchemas, type Zod } from '../fields/parse-parameters';
import type { EnteredRelationshipAttribute } from '../fields/relationship-value';

interface ValueHints {
	readonly allowedValues: readonly string[];
	readonly helpText?: string | undefined;
	readonly highest?: number | undefined;
	readonly lowest?: number | undefined;
	readonly pattern?: string | undefined;
}

/** Values that a person entered into the options of an entry for its query. */
export interface EnteredQueryOptions {
	readonly expression?: string | undefined;
	readonly tags: readonly string[];
	readonly thirdParties: readonly string[];
	readonly validFrom?: unknown;
	readonly validTo?: unknown;
	readonly valueHints?: ValueHints | undefined;
}

/** Reads a date in the time zone of the workflow. */
export type ReadInstant = (entered: unknown, field: string) => Promise<string | undefined>;

export function queryOptionsShape(
	z: Zod,
	{ lines, locator, number, optionalText, textList }: FieldSchemas,
) {
	return {
		expression: optionalText,
		tags: textList.default([]),
		thirdParties: z
			.object(
				{ people: z.array(z.object({ peer: locator })).default([]) },
				expectedEntries('people'),
			)
			.strict()
			.default({ people: [] })
			.transform(({ people }) => people.map(({ peer }) => peer)),
		validFrom: z.unknown().optional(),
		validTo: z.unknown().optional(),
		valueHints: z
			.object({
				allowedValues: lines.default([]),
				helpText: optionalText,
				highest: number.optional(),
				lowest: number.optional(),
				pattern: optionalText,
			})
			.optional(),
	};
}

export const tagsOf = (tags: readonly string[]): { readonly tags?: readonly string[] } =>
	tags.length === 0 ? {} : { tags };

async function validityOf(
	{ validFrom, validTo }: EnteredQueryOptions,
	read: ReadInstant,
): Promise<{ readonly validFrom?: string; readonly validTo?: string }> {
	return defined({
		validFrom: await read(validFrom, 'Valid From'),
		validTo: await read(validTo, 'Valid To'),
	});
}

/** Type as a person chose or wrote it; the core refuses what is none. */
export function typeOfForm(valueType: string): IdentityAttributeQueryInput['valueType'] {
	return judgedByCore(valueType);
}

/**
 * Query by type, or by an expression together with the type for peers without a matching attribute
 * (docs/protocol/content.md 8).
 */
export async function identityQueryOf(
	valueType: string,
	options: EnteredQueryOptions,
	read: ReadInstant,
): Promise<Extract<AttributeQueryInput, { '@type': 'IdentityAttributeQuery' | 'IQLQuery' }>> {
	const { expression: queryString, tags } = options;
	if (queryString === undefined) return await queryByType(valueType, options, read);
	const wanted = { valueType: typeOfForm(valueType), ...tagsOf(tags) };
	return { '@type': 'IQLQuery', queryString, attributeCreationHints: wanted };
}

export async function queryByType(
	valueType: string,
	options: EnteredQueryOptions,
	read: ReadInstant,
): Promise<IdentityAttributeQueryInput> {
	const wanted = { valueType: typeOfForm(valueType), ...tagsOf(options.tags) };
	return { '@type': 'IdentityAttributeQuery', ...wanted, ...(await validityOf(options, read)) };
}

export async function relationshipQueryOf(
	entered: EnteredRelationshipAttribute,
	owner: string,
	options: EnteredQueryOptions,
	read: ReadInstant,
): Promise<RelationshipAttributeQueryInput> {
	const validity = await validityOf(options, read);
	return {
		'@type': 'RelationshipAttributeQuery',
		key: entered.key,
		owner,
		attributeCreationHints: {
			title: entered.attributeTitle ?? entered.key,
			valueType: judgedByCore(entered.relationshipValueType),
			confidentiality: judgedByCore(entered.confidentiality),
			...defined({
				description: entered.attributeDescription,
				valueHints: valueHintsOf(entered.relationshipValueType, options.valueHints),
			}),
		},
		...validity,
	};
}

/**
 * Query for attributes of the peer's relationships with third parties, whichever side owns them.
 */
export async function thirdPartyQueryOf(
	key: string,
	options: EnteredQueryOptions,
	read: ReadInstant,
): Promise<ThirdPartyRelationshipAttributeQueryInput> {
	return {
		'@type': 'ThirdPartyRelationshipAttributeQuery',
		key,
		owner: '',
		thirdParty: options.thirdParties,
		...(await validityOf(options, read)),
	};
}

function valueHintsOf(
	valueType: string,
	hints: ValueHints | undefined,
): RelationshipAttributeQueryInput['attributeCreationHints']['valueHints'] | undefined {
	if (hints === undefined) return undefined;
	const { allowedValues, helpText, highest, lowest, pattern } = hints;
	const isNumber = valueType === 'ProprietaryInteger' || valueType === 'ProprietaryFloat';
	const values = allowedValues.map((text) => ({
		key: isNumber ? Number(text) : text,
		displayName: text,
	}));
	return {
		'@type': 'ValueHints',
		...defined({ editHelp: helpText, min: lowest, max: highest, pattern }),
		...(values.length === 0 ? {} : { values }),
	};
}
