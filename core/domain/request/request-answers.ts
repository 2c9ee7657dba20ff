import type { Cancellable } from '../../base/abort';
import { objectMember, textMember } from '../../model/content/members';
import type { Json, JsonObject } from '../../model/json';
import type { RequestRecord } from '../../model/record/request';
import type { Store } from '../../store/store';
import { flatItemsOf } from './request-items';

/**
 * The answers to a request by what it asked for: the type of value of an attribute, the title of a form
 * field, `FreeText`, `Authentication` or `Consent`. What was asked for once gives the value, what was
 * asked for several times a list in the order of the items; what was refused is null.
 */
export type RequestAnswers = Readonly<Record<string, Json>>;

/** Attributes whose values an answer refers to by their ids, because we have them already. */
export function attributesInAnswer({ response }: RequestRecord): string[] {
	return flatItemsOf(response?.content ?? {})
		.filter((answer) => answer['@type'] === 'AttributeAlreadySharedAcceptResponseItem')
		.map((answer) => textMember(answer, 'attributeId'));
}

/** The answers to each of several requests, by its id. */
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

/** @param attributes contents by id, those of {@link attributesInAnswer} */
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

/** Undefined for items that ask for nothing. */
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

/** A query that names no type of value is known by what came, or else by its key. */
function askedFor(item: JsonObject, value: JsonObject): string {
	const query = objectMember(item, 'query');
	const hints = objectMember(query, 'attributeCreationHints');
	const names = [query['valueType'], hints['valueType'], value['@type'], query['key']];
	const name = names.find((candidate) => typeof candidate === 'string');
	return typeof name === 'string' ? name : 'IQLQuery';
}

/** The value itself, and of what consists of parts an object of these. */
function plainValue({ '@type': _type, ...members }: JsonObject): Json {
	if (Object.hasOwn(members, 'value')) return members['value'] ?? null;
	return Object.keys(members).length === 0 ? null : members;
}
