import { NodeOperationError } from 'n8n-workflow';
import type { RequestDto } from '../../../core';
import { identityValueOf } from '../helpers/identity-value';
import { compositeTypes, specialTypes } from '../descriptions/identity-value';
import { readCalendarDate } from '../helpers/instants';
import { defined, objectMember } from '../helpers/members';
import type { OperationCall } from '../helpers/operation';
import { parameterSchema, parseParameters } from '../helpers/parse-parameters';
import { choiceValue } from '../helpers/shown-text';
import { answerFields } from './answer-fields';
import {
	nameItems,
	valueTypeOf,
	type Content,
	type NamedEntry,
	type NamedItem,
} from './request-items';

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
const plainTypes: readonly unknown[] = [
	'AuthenticationRequestItem',
	'ConsentRequestItem',
	'CreateAttributeRequestItem',
	'RegisterAttributeListenerRequestItem',
	'ShareAttributeRequestItem',
	'TransferFileOwnershipRequestItem',
];

export function isPlain(item: Content): boolean {
	return plainTypes.includes(item['@type']);
}

/** Reads the decisions about a request from the form or the JSON (docs/protocol/consumption.md 5.4). */
export async function readAnswer(call: OperationCall, request: RequestDto): Promise<object> {
	const only = (...names: string[]) => answerFields.filter(({ name }) => names.includes(name));
	const { answerMode } = await parseParameters(call, only('answerMode'), modeSchema);
	if (answerMode === 'json') {
		return (await parseParameters(call, only('answer'), jsonSchema)).answer;
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
export function buildRejection(request: RequestDto, reason: Content): object {
	const rejected = { accept: false, ...reason };
	const items = nameItems(request.content).map((entry) =>
		'name' in entry ? rejected : { items: entry.items.map(() => rejected) },
	);
	return { items };
}

async function buildAnswer(
	call: OperationCall,
	entries: readonly NamedEntry[],
	entered: EnteredAnswers,
): Promise<object> {
	const items: object[] = [];
	for (const entry of entries) {
		if ('name' in entry) {
			items.push(await decide(call, entry, entered));
			continue;
		}
		const members: object[] = [];
		for (const item of entry.items) members.push(await decide(call, item, entered));
		items.push({ items: members });
	}
	return { items };
}

async function decide(
	call: OperationCall,
	named: NamedItem,
	{ values, rejected, acceptEmpty }: EnteredAnswers,
): Promise<object> {
	const { name, item, mustBeAccepted } = named;
	const value = Object.hasOwn(values, name) ? values[name] : undefined;
	const isEmpty = value === undefined || value === null || value === '';
	if (rejected.includes(name)) return { accept: false };
	if (isEmpty && !mustBeAccepted && !acceptEmpty) return { accept: false };
	if (isPlain(item)) return { accept: isEmpty || value !== false };
	const accepted = isEmpty ? await withoutValue(call, item) : await withValue(call, item, value);
	if (accepted !== undefined) return { accept: true, ...accepted };
	if (!mustBeAccepted) return { accept: false };
	throw new NodeOperationError(call.functions.getNode(), `The entry '${name}' has no answer`, {
		description: `Enter a value for it under 'Answers', or store an attribute of this type before`,
		itemIndex: call.itemIndex,
	});
}

/** Finds an answer without a value of the person: the proposal of the item, or a stored attribute. */
async function withoutValue(
	{ gateway, signal }: OperationCall,
	item: Content,
): Promise<object | undefined> {
	if (item['@type'] === 'ProposeAttributeRequestItem') {
		const { address } = await gateway.account.getIdentity({ signal });
		const proposed = objectMember(item, 'attribute');
		return { attribute: { ...proposed, owner: proposed['owner'] || address } };
	}
	const query = objectMember(item, 'query');
	if (query['@type'] !== 'IdentityAttributeQuery') return undefined;
	const { address } = await gateway.account.getIdentity({ signal });
	const tags = Array.isArray(query['tags']) ? (query['tags'] as string[]) : [];
	const [found] = await gateway.attributes.list(
		{
			where: [
				{ field: 'valueType', op: 'eq', value: String(query['valueType']) },
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
	{ gateway, signal }: OperationCall,
	item: Content,
	value: unknown,
): Promise<object | undefined> {
	switch (item['@type']) {
		case 'FreeTextRequestItem':
			return { freeText: String(value) };
		case 'FormFieldRequestItem':
			return { response: chosenFrom(objectMember(item, 'settings'), value) };
		case 'DeleteAttributeRequestItem':
			return { deletionDate: new Date(String(value)).toISOString() };
		case 'ReadAttributeRequestItem':
		case 'ProposeAttributeRequestItem': {
			const isRead = item['@type'] === 'ReadAttributeRequestItem';
			if (typeof value === 'string' && /^ATT[A-Za-z0-9]{17}$/.test(value)) {
				return { [isRead ? 'existingAttributeId' : 'attributeId']: value };
			}
			const { address } = await gateway.account.getIdentity({ signal });
			return { [isRead ? 'newAttribute' : 'attribute']: attributeOf(item, value, address) };
		}
		default:
			return undefined;
	}
}

/** Restores the peer's text of a choice from the form's stored one. */
function chosenFrom({ options }: Content, value: unknown): unknown {
	const offered: readonly unknown[] = Array.isArray(options) ? options : [];
	return offered.find((option) => choiceValue(String(option)) === value) ?? value;
}

/** Builds a new attribute that matches the query of the item. */
function attributeOf(item: Content, value: unknown, ownAddress: string): object {
	const query = objectMember(item, 'query');
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
						language: value,
						sex: value,
					}),
		};
	}
	const hints = objectMember(query, 'attributeCreationHints');
	return {
		'@type': 'RelationshipAttribute',
		owner: query['owner'] || ownAddress,
		key: query['key'],
		confidentiality: hints['confidentiality'],
		isTechnical: false,
		value: {
			'@type': valueType,
			...(valueType === 'Consent'
				? { consent: value }
				: { ...defined({ title: hints['title'], description: hints['description'] }), value }),
		},
	};
}

/** Reads a composite value from an object or its JSON text. */
function partsOf(value: unknown): object {
	if (typeof value !== 'string') return typeof value === 'object' && value !== null ? value : {};
	try {
		return partsOf(JSON.parse(value));
	} catch {
		return {};
	}
}
