import type { AttributeInput, RequestItemInput } from '../../../core';
import {
	chosenFiles,
	chosenFileShape,
	requireChosenFile,
	shownFileFields,
} from '../fields/chosen-file';
import { loadCore } from '../gateway/core';
import {
	identityValueOf,
	identityValueShape,
	requireIdentityValue,
} from '../fields/identity-value';
import { defined, judgedByCore } from '../helpers/members';
import type { OperationCall } from '../operation/operation';
import {
	parameterSchema,
	type FieldSchemas,
	type ParameterSchema,
	type Zod,
} from '../fields/parse-parameters';
import {
	relationshipAttributeShape,
	relationshipValueOf,
	relationshipValueShape,
	requireRelationshipValue,
	type EnteredRelationshipAttribute,
	type EnteredRelationshipValue,
} from '../fields/relationship-value';
import { attributeTypesOf } from './attribute-type-names';
import {
	identityQueryOf,
	queryByType,
	queryOptionsShape,
	relationshipQueryOf,
	tagsOf,
	thirdPartyQueryOf,
	type ReadInstant,
} from './build-query';
import { buildFormFieldSettings, formFieldShape } from './form-field-settings';
import type { ItemKind } from './item-kinds';

/** Tools for building items. */
export interface BuildTools {
	readonly call: OperationCall;
	readonly readInstant: ReadInstant;
	/** position of the entry in the form */
	readonly where: string;
}

/** Item without the members that all kinds have. */
type BuiltItem = WithoutShared<RequestItemInput>;
type WithoutShared<Item> = Item extends unknown
	? string extends keyof Item
		? never
		: Omit<Item, 'mustBeAccepted'>
	: never;

/**
 * Reads an entry of a kind and builds its item or items, without the members that all kinds have.
 */
export interface ItemBuilder<Entry> {
	readonly entry: ParameterSchema<Entry>;
	build(entry: Entry, tools: BuildTools): BuiltItem | Promise<BuiltItem | BuiltItem[]>;
}

/** Options for attributes only. */
const attributeOptionsOf = (z: Zod, fields: FieldSchemas) => ({
	itemOptions: z
		.object({
			attributeDescription: fields.optionalText,
			isTechnical: z.boolean().default(false),
			...queryOptionsShape(z, fields),
		})
		.default({
			attributeDescription: undefined,
			expression: undefined,
			isTechnical: false,
			tags: [],
			thirdParties: [],
		}),
});

const identityQuery = parameterSchema((z, fields) =>
	z.object({ valueType: fields.text, ...attributeOptionsOf(z, fields) }),
);

const identityQueries = parameterSchema((z, fields) =>
	z.object({
		valueTypes: fields.textList.refine(({ length }) => length > 0, 'Enter at least one type'),
		...attributeOptionsOf(z, fields),
	}),
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

/** Stands for the recipient of the request, who may be unknown (docs/protocol/content.md 5.4). */
const recipient = '';

function identityAttributeOf({ itemOptions, ...entered }: IdentityEntry): AttributeInput {
	return {
		'@type': 'IdentityAttribute',
		owner: recipient,
		value: identityValueOf(entered),
		...tagsOf(itemOptions.tags),
	};
}

async function ownerOf(
	owner: EnteredRelationshipAttribute['owner'],
	{ call: { gateway, signal } }: BuildTools,
): Promise<string> {
	return owner === 'peer' ? recipient : (await gateway.account.getIdentity({ signal })).address;
}

function relationshipAttributeOf(entered: EnteredRelationshipValue, owner: string): AttributeInput {
	return {
		'@type': 'RelationshipAttribute',
		owner,
		key: entered.key,
		confidentiality: judgedByCore(entered.confidentiality),
		isTechnical: entered.isTechnical ?? false,
		value: relationshipValueOf(entered),
	};
}

/** Uses the key as the default title, because both sides compare titles. */
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

/** Builders by the kind of entry (docs/protocol/content.md 5.3). */
export const itemBuilders = {
	askFor: builder(identityQuery, async ({ valueType, itemOptions }, { readInstant }) => ({
		'@type': 'ReadAttributeRequestItem',
		query: await identityQueryOf(valueType, itemOptions, readInstant),
	})),
	askForSeveral: builder(identityQueries, async ({ valueTypes, itemOptions }, { readInstant }) => {
		const queries = (await attributeTypesOf(valueTypes)).map((valueType) =>
			identityQueryOf(valueType, itemOptions, readInstant),
		);
		return (await Promise.all(queries)).map((query) => ({
			'@type': 'ReadAttributeRequestItem' as const,
			query,
		}));
	}),
	askForConsent: builder(
		parameterSchema((z, { text, optionalText }) =>
			z.object({
				consent: text,
				link: optionalText,
				linkDisplayText: optionalText,
				itemOptions: z.object({ requiresInteraction: z.boolean().optional() }).default({}),
			}),
		),
		({ consent, itemOptions, ...link }) => ({
			'@type': 'ConsentRequestItem',
			consent,
			...defined({ ...link, ...itemOptions }),
		}),
	),
	askForCredential: builder(
		parameterSchema((z, { text }) => z.object({ authorizationRequestUrl: text })),
		(link) => ({ '@type': 'ShareAuthorizationRequestRequestItem', ...link }),
	),
	askForRelationshipAttribute: builder(relationshipQuery, async (entered, tools) => {
		const { key, itemOptions } = entered;
		const { readInstant } = tools;
		const { attributeDescription, thirdParties } = itemOptions;
		const query =
			thirdParties.length > 0
				? await thirdPartyQueryOf(key, itemOptions, readInstant)
				: await relationshipQueryOf(
						{ ...entered, attributeDescription },
						await ownerOf(entered.owner ?? 'peer', tools),
						itemOptions,
						readInstant,
					);
		return { '@type': 'ReadAttributeRequestItem', query };
	}),
	askToDelete: builder(
		parameterSchema((z, { locator }) => z.object({ sharedAttribute: locator })),
		({ sharedAttribute }) => ({
			'@type': 'DeleteAttributeRequestItem',
			attributeId: sharedAttribute,
		}),
	),
	askToOfferLater: builder(identityQuery, async ({ valueType, itemOptions }, { readInstant }) => ({
		'@type': 'RegisterAttributeListenerRequestItem',
		// Listeners take no expressions (docs/protocol/content.md 5.3).
		query: await queryByType(valueType, itemOptions, readInstant),
	})),
	create: builder(identityAttribute, (entered) => ({
		'@type': 'CreateAttributeRequestItem',
		attribute: identityAttributeOf(entered),
	})),
	createRelationshipAttribute: builder(relationshipAttribute, async (entered, tools) => ({
		'@type': 'CreateAttributeRequestItem',
		attribute: relationshipAttributeOf(
			enteredOf(entered),
			await ownerOf(entered.owner ?? 'me', tools),
		),
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
		parameterSchema((z, fields) =>
			z.preprocess(
				shownFileFields('list'),
				z.object(chosenFileShape(z, fields, 'list')).superRefine(requireChosenFile),
			),
		),
		async (chosen, { call, where }) => {
			const files = await chosenFiles(call, chosen, where);
			const { tokenForTransfer } = await loadCore();
			return files.map((file) => ({
				'@type': 'TransferFileOwnershipRequestItem',
				fileReference: file.truncatedReference,
				// Without the ownership token, the peer would get a copy instead of the file.
				...defined({ ownershipToken: tokenForTransfer(file) }),
			}));
		},
	),
	logIn: builder(
		parameterSchema((z, { text }) => z.object({ title: text })),
		// Version 7 cannot read an item without a title (docs/protocol/content.md 13.3).
		({ title }) => ({ '@type': 'AuthenticationRequestItem', title }),
	),
	offerCredential: builder(
		parameterSchema((z, { text }) => z.object({ credentialOfferUrl: text })),
		(link) => ({ '@type': 'ShareCredentialOfferRequestItem', ...link }),
	),
	propose: builder(identityAttribute, async (entered, { readInstant }) => {
		const options = { ...entered.itemOptions, expression: undefined, tags: [] };
		return {
			'@type': 'ProposeAttributeRequestItem',
			query: await identityQueryOf(entered.valueType, options, readInstant),
			attribute: identityAttributeOf(entered),
		};
	}),
	proposeRelationshipAttribute: builder(relationshipAttribute, async (entry, { readInstant }) => {
		const entered = enteredOf(entry);
		return {
			'@type': 'ProposeAttributeRequestItem',
			query: await relationshipQueryOf(entered, recipient, entry.itemOptions, readInstant),
			attribute: relationshipAttributeOf(entered, recipient),
		};
	}),
	share: builder(
		parameterSchema((z, { locator }) => z.object({ attribute: locator })),
		async ({ attribute: id }, { call: { gateway, signal } }) => {
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
