import type { GatewayFacade } from '../../../core';
import {
	identityValueOf,
	identityValueShape,
	requireIdentityValue,
} from '../helpers/identity-value';
import {
	parameterSchema,
	type FieldSchemas,
	type ParameterSchema,
	type Zod,
} from '../helpers/parse-parameters';
import {
	defined,
	relationshipAttributeShape,
	relationshipValueOf,
	relationshipValueShape,
	requireRelationshipValue,
	type EnteredRelationshipAttribute,
	type EnteredRelationshipValue,
} from '../helpers/relationship-value';
import { buildFormFieldSettings, formFieldShape } from './form-field-settings';
import type { ItemKind } from './item-kinds';

/** What building asks the gateway for. */
export interface BuildTools {
	readonly gateway: GatewayFacade;
	readonly signal: AbortSignal | undefined;
}

/** How an entry of a kind is read and what becomes of it, without what all kinds have. */
interface ItemBuilder<Entry> {
	readonly entry: ParameterSchema<Entry>;
	build(entry: Entry, tools: BuildTools): object | Promise<object>;
}

/** Options that concern attributes only. */
const attributeOptionsOf = (z: Zod, { optionalText, textList }: FieldSchemas) => ({
	itemOptions: z
		.object({
			attributeDescription: optionalText,
			isTechnical: z.boolean().default(false),
			tags: textList.default([]),
		})
		.default({ attributeDescription: undefined, isTechnical: false, tags: [] }),
});

const identityQuery = parameterSchema((z, fields) =>
	z.object({ valueType: fields.text, ...attributeOptionsOf(z, fields) }),
);

const identityAttribute = parameterSchema((z, fields) =>
	z
		.object({ ...identityValueShape(fields), ...attributeOptionsOf(z, fields) })
		.superRefine(requireIdentityValue),
);

const relationshipQuery = parameterSchema((z, fields) =>
	z.object({ ...relationshipAttributeShape(z, fields), ...attributeOptionsOf(z, fields) }),
);

const relationshipAttribute = parameterSchema((z, fields) =>
	z
		.object({ ...relationshipValueShape(z, fields), ...attributeOptionsOf(z, fields) })
		.superRefine(requireRelationshipValue),
);

type EntryOf<Schema> = Schema extends ParameterSchema<infer Entry> ? Entry : never;
type IdentityEntry = EntryOf<typeof identityAttribute>;
type RelationshipEntry = EntryOf<typeof relationshipAttribute>;

/** The peer, whoever that will be (docs/protocol/content.md 5.4). */
const recipient = '';

const tagsOf = (tags: readonly string[]): object => (tags.length === 0 ? {} : { tags });

function identityQueryOf(valueType: string, tags: readonly string[]): object {
	return { '@type': 'IdentityAttributeQuery', valueType, ...tagsOf(tags) };
}

function identityAttributeOf({ itemOptions, ...entered }: IdentityEntry): object {
	return {
		'@type': 'IdentityAttribute',
		owner: recipient,
		value: identityValueOf(entered),
		...tagsOf(itemOptions.tags),
	};
}

async function ownerOf(
	{ owner }: Pick<EnteredRelationshipAttribute, 'owner'>,
	{ gateway, signal }: BuildTools,
): Promise<string> {
	return owner === 'peer' ? recipient : (await gateway.account.getIdentity({ signal })).address;
}

function relationshipQueryOf(entered: EnteredRelationshipAttribute, owner: string): object {
	return {
		'@type': 'RelationshipAttributeQuery',
		key: entered.key,
		owner,
		attributeCreationHints: {
			title: entered.attributeTitle ?? entered.key,
			valueType: entered.relationshipValueType,
			confidentiality: entered.confidentiality,
			...defined({ description: entered.attributeDescription }),
		},
	};
}

function relationshipAttributeOf(entered: EnteredRelationshipValue, owner: string): object {
	return {
		'@type': 'RelationshipAttribute',
		owner,
		key: entered.key,
		confidentiality: entered.confidentiality,
		isTechnical: entered.isTechnical ?? false,
		value: relationshipValueOf(entered),
	};
}

/** A title is what both sides compare, so there is always one. */
function enteredOf({ itemOptions, ...entered }: RelationshipEntry): EnteredRelationshipValue {
	return {
		...entered,
		attributeTitle: entered.attributeTitle ?? entered.key,
		attributeDescription: itemOptions.attributeDescription,
		isTechnical: itemOptions.isTechnical,
	};
}

const builder = <Entry>(
	entry: ParameterSchema<Entry>,
	build: ItemBuilder<Entry>['build'],
): ItemBuilder<Entry> => ({ entry, build });

/** One entry per kind (docs/protocol/content.md 5.3). */
export const itemBuilders = {
	askFor: builder(identityQuery, ({ valueType, itemOptions }) => ({
		'@type': 'ReadAttributeRequestItem',
		query: identityQueryOf(valueType, itemOptions.tags),
	})),
	askForConsent: builder(
		parameterSchema((z, { text, optionalText }) =>
			z.object({ consent: text, link: optionalText, linkDisplayText: optionalText }),
		),
		(entered) => ({ '@type': 'ConsentRequestItem', ...defined(entered) }),
	),
	askForRelationshipAttribute: builder(relationshipQuery, async (entered, tools) => ({
		'@type': 'ReadAttributeRequestItem',
		query: relationshipQueryOf(
			{ ...entered, attributeDescription: entered.itemOptions.attributeDescription },
			await ownerOf(entered, tools),
		),
	})),
	askToDelete: builder(
		parameterSchema((z, { locator }) => z.object({ sharedAttribute: locator })),
		({ sharedAttribute }) => ({
			'@type': 'DeleteAttributeRequestItem',
			attributeId: sharedAttribute,
		}),
	),
	askToOfferLater: builder(identityQuery, ({ valueType, itemOptions }) => ({
		'@type': 'RegisterAttributeListenerRequestItem',
		query: identityQueryOf(valueType, itemOptions.tags),
	})),
	create: builder(identityAttribute, (entered) => ({
		'@type': 'CreateAttributeRequestItem',
		attribute: identityAttributeOf(entered),
	})),
	createRelationshipAttribute: builder(relationshipAttribute, async (entered, tools) => ({
		'@type': 'CreateAttributeRequestItem',
		attribute: relationshipAttributeOf(enteredOf(entered), await ownerOf(entered, tools)),
	})),
	formField: builder(
		parameterSchema((z, fields) => z.object({ title: fields.text, ...formFieldShape(z, fields) })),
		({ title, ...entered }) => ({
			'@type': 'FormFieldRequestItem',
			title,
			settings: buildFormFieldSettings(entered),
		}),
	),
	freeText: builder(
		parameterSchema((z, { text }) => z.object({ freeText: text })),
		({ freeText }) => ({ '@type': 'FreeTextRequestItem', freeText }),
	),
	handOverFile: builder(
		parameterSchema((z, { locator }) => z.object({ file: locator })),
		async ({ file: id }, { gateway, signal }) => {
			const file = await gateway.files.get(id, { signal });
			return {
				'@type': 'TransferFileOwnershipRequestItem',
				fileReference: file.truncatedReference,
				...defined({ ownershipToken: file.ownershipToken }),
			};
		},
	),
	logIn: builder(
		parameterSchema((z, { text }) => z.object({ title: text })),
		// Version 7 does not read one without a title (docs/protocol/content.md 13.3).
		({ title }) => ({ '@type': 'AuthenticationRequestItem', title }),
	),
	propose: builder(identityAttribute, (entered) => ({
		'@type': 'ProposeAttributeRequestItem',
		query: identityQueryOf(entered.valueType, []),
		attribute: identityAttributeOf(entered),
	})),
	proposeRelationshipAttribute: builder(relationshipAttribute, (entry) => {
		const entered = enteredOf(entry);
		return {
			'@type': 'ProposeAttributeRequestItem',
			query: relationshipQueryOf(entered, recipient),
			attribute: relationshipAttributeOf(entered, recipient),
		};
	}),
	share: builder(
		parameterSchema((z, { locator }) => z.object({ attribute: locator })),
		async ({ attribute: id }, { gateway, signal }) => {
			const { content, shareInfo } = await gateway.attributes.get(id, { signal });
			return {
				'@type': 'ShareAttributeRequestItem',
				attribute: content,
				sourceAttributeId: id,
				...defined({ thirdPartyAddress: shareInfo?.peer }),
			};
		},
	),
} as const satisfies Record<ItemKind, unknown>;
