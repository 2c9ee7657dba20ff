import type { Cancellable } from '../../base/abort';
import { objectMember, textMember } from '../../model/content/members';
import type { Json, JsonObject } from '../../model/json';
import type { RequestRecord } from '../../model/record/request';
import type { Store } from '../../store/store';
import { flatItemsOf } from './request-items';

/**
 * Answers to a request by what it asked for: the value type of an attribute, the title of a form field,
 * `FreeText`, `Authentication` or `Consent`. Each name has the value or, if several items asked for the same,
 * a list of values in the order of the items; a refused item is null.
 */
export type RequestAnswers = Readonly<Record<string, Json>>;

/**
 * Ids of attributes to which an answer refers without their values, because this account has them already.
 */
export function attributesInAnswer({ response }: RequestRecord): string[] {
	return flatItemsOf(response?.content ?? {})
		.filter((answer) => answer['@type'] === 'AttributeAlreadySharedAcceptResponseItem')
		.map((answer) => textMember(answer, 'attributeId'));
}

/** Answers to each of several requests, by its id. */
export async function readAnswers(
	store: Store,
	records: readonly RequestRecord[],
	options: Cancellable,
): Promise<Record<string, RequestAnswers>> {
	const ids = [...new Set(records.flatMap(attributesInAnswer))];
	const entries =
		ids.length === 0 ? [] : await store.read((tx) => tx.attributes.getMany(ids), options);
	const contents = new Map(entries.map(({ record: { id, content } }) => [id, content]));
	return Object.fromEntries(records.map((record) => [record.id, answersOf(record, contents)]));
}

/**
 * Derives the answers of a request.
 *
 * @param attributes contents of the attributes of {@link attributesInAnswer}, by id
 */
export function answersOf(
	{ content, response }: RequestRecord,
	attributes: ReadonlyMap<string, JsonObject>,
): RequestAnswers {
	if (response === undefined) return {};
	const found = new Map<string, Json[]>();
	const answers = flatItemsOf(response.content);
	for (const [index, item] of flatItemsOf(content).entries()) {
		const answer = answers[index] ?? {};
		const given = answerTo(item, answer, attributes);
		if (given === undefined) continue;
		const value = answer['result'] === 'Accepted' ? given.value : null;
		found.set(given.name, [...(found.get(given.name) ?? []), value]);
	}
	return Object.fromEntries(
		[...found].map(([name, values]) => [name, values.length === 1 ? (values[0] ?? null) : values]),
	);
}

interface GivenAnswer {
	readonly name: string;
	readonly value: Json;
}

/** Name and value of an answer; undefined for items that ask for nothing. */
function answerTo(
	item: JsonObject,
	answer: JsonObject,
	attributes: ReadonlyMap<string, JsonObject>,
): GivenAnswer | undefined {
	switch (item['@type']) {
		case 'AuthenticationRequestItem':
			return { name: 'Authentication', value: true };
		case 'ConsentRequestItem':
			return { name: 'Consent', value: true };
		case 'FreeTextRequestItem':
			return { name: 'FreeText', value: answer['freeText'] ?? null };
		case 'FormFieldRequestItem':
			return { name: textMember(item, 'title'), value: answer['response'] ?? null };
		case 'ReadAttributeRequestItem':
		case 'ProposeAttributeRequestItem': {
			const value = objectMember(attributeOf(answer, attributes), 'value');
			return { name: askedFor(item, value), value: plainValue(value) };
		}
		default:
			return undefined;
	}
}

function attributeOf(answer: JsonObject, attributes: ReadonlyMap<string, JsonObject>): JsonObject {
	switch (answer['@type']) {
		case 'AttributeAlreadySharedAcceptResponseItem':
			return attributes.get(textMember(answer, 'attributeId')) ?? {};
		case 'AttributeSuccessionAcceptResponseItem':
			return objectMember(answer, 'successorContent');
		default:
			return objectMember(answer, 'attribute');
	}
}

/**
 * Name of an answer: the value type of the query, otherwise the type of the received value,
 * otherwise the key of the query.
 */
function askedFor(item: JsonObject, value: JsonObject): string {
	const query = objectMember(item, 'query');
	const hints = objectMember(query, 'attributeCreationHints');
	const names = [query['valueType'], hints['valueType'], value['@type'], query['key']];
	const name = names.find((candidate) => typeof candidate === 'string');
	return typeof name === 'string' ? name : 'IQLQuery';
}

/** Value without its type; an object for values with several members. */
function plainValue({ '@type': _type, ...members }: JsonObject): Json {
	if (Object.hasOwn(members, 'value')) return members['value'] ?? null;
	return Object.keys(members).length === 0 ? null : members;
}
