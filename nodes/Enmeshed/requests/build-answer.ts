import type {
	DecideRequestInput,
	FormFieldSettings,
	ItemDecisionInput,
	RejectItemInput,
	RequestDto,
	RequestItem,
} from '../../../core';
import { loadCore } from '../gateway/core';
import { identityValueOf } from '../fields/identity-value';
import { compositeTypes, specialTypes } from '../descriptions/identity-value';
import { invalidDate, readCalendarDate, readInstant } from '../fields/instants';
import { defined } from '../helpers/members';
import type { OperationCall } from '../operation/operation';
import { parameterError } from '../errors/parameter-error';
import { parameterSchema, parseJson, parseParameters } from '../fields/parse-parameters';
import { choiceValue } from '../helpers/shown-text';
import { answerFields } from './answer-fields';
import { nameItems, valueTypeOf, type NamedEntry, type NamedItem } from './request-items';

const modeSchema = parameterSchema((z) => z.object({ answerMode: z.enum(['fields', 'json']) }));

const jsonSchema = parameterSchema((z, { jsonObject }) => z.object({ answer: jsonObject }));

const formSchema = parameterSchema((z, { textList }) =>
	z.object({
		answers: z.object({
			mappingMode: z.enum(['defineBelow', 'autoMapInputData']).default('defineBelow'),
			value: z.record(z.string(), z.unknown()).nullable().default(null),
		}),
		emptyItems: z.enum(['accept', 'reject']),
		rejectedItems: textList,
	}),
);

const formFields = ['answers', 'emptyItems', 'rejectedItems'];

/** Values that a person entered into the form of an answer. */
interface EnteredAnswers {
	readonly values: Readonly<Record<string, unknown>>;
	readonly rejected: readonly string[];
	readonly acceptEmpty: boolean;
}

/** Types of items whose acceptance has no further members. */
const plainTypes = [
	'AuthenticationRequestItem',
	'ConsentRequestItem',
	'CreateAttributeRequestItem',
	'RegisterAttributeListenerRequestItem',
	'ShareAttributeRequestItem',
	'TransferFileOwnershipRequestItem',
] as const satisfies ReadonlyArray<RequestItem['@type']>;
type PlainItem = Extract<RequestItem, { '@type': (typeof plainTypes)[number] }>;

/** Items that an entered value answers. */
type AnsweredItem = Exclude<RequestItem, PlainItem>;
type AttributeItem = Extract<
	RequestItem,
	{ '@type': 'ReadAttributeRequestItem' | 'ProposeAttributeRequestItem' }
>;

export function isPlain(item: RequestItem): item is PlainItem {
	const types: ReadonlyArray<RequestItem['@type']> = plainTypes;
	return types.includes(item['@type']);
}

/**
 * Reads the decisions about a request from the form or the JSON (docs/protocol/consumption.md 5.4).
 */
export async function readAnswer(
	call: OperationCall,
	request: RequestDto,
): Promise<DecideRequestInput> {
	const only = (...names: string[]) => answerFields.filter(({ name }) => names.includes(name));
	const { answerMode } = await parseParameters(call, only('answerMode'), modeSchema);
	if (answerMode === 'json') {
		const { judged } = await loadCore();
		return judged((await parseParameters(call, only('answer'), jsonSchema)).answer);
	}
	const form = await parseParameters(call, only(...formFields), formSchema);
	const { functions, itemIndex } = call;
	const values =
		form.answers.mappingMode === 'autoMapInputData'
			? (functions.getInputData()[itemIndex]?.json ?? {})
			: (form.answers.value ?? {});
	const entered = {
		values,
		rejected: form.rejectedItems,
		acceptEmpty: form.emptyItems === 'accept',
	};
	return await buildAnswer(call, nameItems(request.content), entered);
}

/** Rejects every item, with the reason if there is one. */
export function buildRejection(
	request: RequestDto,
	reason: Pick<RejectItemInput, 'code' | 'message'>,
): DecideRequestInput {
	const rejected: RejectItemInput = { accept: false, ...reason };
	const items = nameItems(request.content).map((entry) =>
		'name' in entry ? rejected : { items: entry.items.map(() => rejected) },
	);
	return { items };
}

async function buildAnswer(
	call: OperationCall,
	entries: readonly NamedEntry[],
	entered: EnteredAnswers,
): Promise<DecideRequestInput> {
	const items: Array<DecideRequestInput['items'][number]> = [];
	for (const entry of entries) {
		if ('name' in entry) {
			items.push(await decide(call, entry, entered));
			continue;
		}
		const members: ItemDecisionInput[] = [];
		for (const item of entry.items) members.push(await decide(call, item, entered));
		items.push({ items: members });
	}
	return { items };
}

async function decide(
	call: OperationCall,
	named: NamedItem,
	{ values, rejected, acceptEmpty }: EnteredAnswers,
): Promise<ItemDecisionInput> {
	const { name, item, mustBeAccepted } = named;
	const value = Object.hasOwn(values, name) ? values[name] : undefined;
	const isEmpty = value === undefined || value === null || value === '';
	if (rejected.includes(name)) return { accept: false };
	if (isEmpty && !mustBeAccepted && !acceptEmpty) return { accept: false };
	if (isPlain(item)) return isEmpty || value !== false ? { accept: true } : { accept: false };
	const accepted = isEmpty ? await withoutValue(call, item) : await withValue(call, item, value);
	if (accepted !== undefined) return { accept: true, ...accepted };
	if (!mustBeAccepted) return { accept: false };
	throw parameterError(call.functions.getNode(), `The entry '${name}' has no answer`, {
		description: `Enter a value for it under 'Answers', or store an attribute of this type before`,
		itemIndex: call.itemIndex,
	});
}

/**
 * Finds an answer without a value of the person: the proposal of the item, or a stored attribute.
 */
async function withoutValue(
	{ gateway, signal }: OperationCall,
	item: AnsweredItem,
): Promise<object | undefined> {
	if (item['@type'] === 'ProposeAttributeRequestItem') {
		const { address } = await gateway.account.getIdentity({ signal });
		const { attribute } = item;
		return { attribute: { ...attribute, owner: attribute.owner || address } };
	}
	if (item['@type'] !== 'ReadAttributeRequestItem') return undefined;
	const { query } = item;
	if (query['@type'] !== 'IdentityAttributeQuery') return undefined;
	const { address } = await gateway.account.getIdentity({ signal });
	const { tags = [], valueType } = query;
	const [found] = await gateway.attributes.list(
		{
			where: [
				{ field: 'valueType', op: 'eq', value: valueType },
				{ field: 'owner', op: 'eq', value: address },
				{ field: 'peer', op: 'missing' },
				{ field: 'succeededBy', op: 'missing' },
				...(tags.length === 0 ? [] : [{ field: 'tag', op: 'in', value: tags } as const]),
			],
			orderBy: { field: 'inserted', direction: 'desc' },
			limit: 1,
		},
		{ signal },
	);
	return found === undefined ? undefined : { existingAttributeId: found.id };
}

async function withValue(
	call: OperationCall,
	item: AnsweredItem,
	value: unknown,
): Promise<object | undefined> {
	const { gateway, signal } = call;
	switch (item['@type']) {
		case 'FreeTextRequestItem':
			return { freeText: String(value) };
		case 'FormFieldRequestItem':
			return { response: chosenFrom(item.settings, value) };
		case 'DeleteAttributeRequestItem':
			return { deletionDate: await dateOf(call, value) };
		case 'ReadAttributeRequestItem':
		case 'ProposeAttributeRequestItem': {
			const isRead = item['@type'] === 'ReadAttributeRequestItem';
			if (typeof value === 'string' && /^ATT[A-Za-z0-9]{17}$/.test(value)) {
				return { [isRead ? 'existingAttributeId' : 'attributeId']: value };
			}
			const { address } = await gateway.account.getIdentity({ signal });
			return { [isRead ? 'newAttribute' : 'attribute']: attributeOf(item, value, address) };
		}
		case 'ShareAuthorizationRequestRequestItem':
		case 'ShareCredentialOfferRequestItem':
			return undefined;
	}
}

async function dateOf({ functions, itemIndex }: OperationCall, value: unknown): Promise<string> {
	const instant = await readInstant(value, functions.getTimezone());
	if (instant === undefined) throw invalidDate(functions.getNode(), 'Answers', itemIndex);
	return instant;
}

/** Restores the peer's text of a choice from the form's stored one. */
function chosenFrom(settings: FormFieldSettings, value: unknown): unknown {
	if (settings['@type'] !== 'SelectionFormFieldSettings') return value;
	return settings.options.find((option) => choiceValue(option) === value) ?? value;
}

/** Builds a new attribute that matches the query of the item. */
function attributeOf(item: AttributeItem, value: unknown, ownAddress: string): object {
	const { query } = item;
	const valueType = valueTypeOf(item) ?? '';
	const isDate = (specialTypes.date as readonly string[]).includes(valueType);
	const parts = (isDate ? readCalendarDate(value) : undefined) ?? value;
	if (query['@type'] !== 'RelationshipAttributeQuery') {
		return {
			'@type': 'IdentityAttribute',
			owner: ownAddress,
			value: Object.hasOwn(compositeTypes, valueType)
				? { '@type': valueType, ...partsOf(parts) }
				: identityValueOf({
						valueType,
						value,
						country: value,
						fileReference: value,
						jsonValue: parseJson(value),
						language: value,
						maritalStatus: value,
						sex: value,
					}),
		};
	}
	const { title, description, confidentiality } = query.attributeCreationHints;
	return {
		'@type': 'RelationshipAttribute',
		owner: query.owner || ownAddress,
		key: query.key,
		confidentiality,
		isTechnical: false,
		value: {
			'@type': valueType,
			...(valueType === 'Consent'
				? { consent: value }
				: { ...defined({ title, description }), value }),
		},
	};
}

/** Reads a composite value from an object or its JSON text. */
function partsOf(value: unknown): object {
	if (typeof value === 'object' && value !== null) {
		// Outputs of other operations have it beside the parts.
		const { text: _text, ...parts }: { text?: unknown } = value;
		return parts;
	}
	if (typeof value !== 'string') return {};
	try {
		return partsOf(JSON.parse(value));
	} catch {
		return {};
	}
}
