import type { Cancellable } from '../../base/abort';
import type { Attribute } from '../../model/content/attributes';
import type { AttributeQuery } from '../../model/content/requests/queries';
import type { RequestItem } from '../../model/content/requests/request-items';
import type { ResponseItem } from '../../model/content/requests/response-items';
import type { Json, JsonObject } from '../../model/json';
import type { AttributeRecord } from '../../model/record/attribute';
import type { RequestRecord } from '../../model/record/request';
import type { ReadTransaction, Store } from '../../store/store';
import { findAtPeer } from '../attribute/attribute-ids';
import { isForwardedByPeer, isPeerShared } from '../attribute/attribute-kinds';
import { flatItemsOf } from './request-items';

/**
 * Answers to a request by what it asked for: the value type of an attribute, the title of a form
 * field, `FreeText`, `Authentication`, `Consent`, `ShareAuthorizationRequest` or
 * `ShareCredentialOffer`. Each name has the value or, if several items asked for the same, a list of
 * values in the order of the items; a refused item is null.
 */
export type RequestAnswers = Readonly<Record<string, Json>>;

/**
 * Ids of attributes to which an answer refers without their values, because this account has them
 * already.
 */
export function attributesInAnswer({ response }: RequestRecord): string[] {
	if (response === undefined) return [];
	return flatItemsOf(response.content).flatMap((answer) =>
		answer['@type'] === 'AttributeAlreadySharedAcceptResponseItem' ? [answer.attributeId] : [],
	);
}

/** Answers to each of several requests, by its id. */
export async function readAnswers(
	store: Store,
	records: readonly RequestRecord[],
	options: Cancellable,
): Promise<Record<string, RequestAnswers>> {
	const referring = records.filter((record) => attributesInAnswer(record).length > 0);
	const known =
		referring.length === 0
			? new Map<string, KnownAttributes>()
			: await store.read(async (tx) => await readKnown(tx, referring), options);
	return Object.fromEntries(
		records.map((record) => [record.id, answersOf(record, known.get(record.id) ?? new Map())]),
	);
}

/** contents of the attributes to which an answer refers, by the ids that the peer gives */
type KnownAttributes = ReadonlyMap<string, Attribute>;

/** A peer can refer to what it has shared itself, and to nothing else that is stored here. */
async function readKnown(
	tx: ReadTransaction,
	records: readonly RequestRecord[],
): Promise<Map<string, KnownAttributes>> {
	const entries = await tx.attributes.getMany(records.flatMap(attributesInAnswer));
	const byId = new Map(entries.map(({ record }) => [record.id, record]));
	const known = new Map<string, KnownAttributes>();
	for (const record of records) {
		const { id: requestId, peer = '' } = record;
		const contents = new Map<string, Attribute>();
		for (const id of attributesInAnswer(record)) {
			const same = byId.get(id);
			const isShared = same !== undefined && isReceivedFrom(peer, same);
			const found = isShared ? same : await findAtPeer(tx, peer, id);
			if (found !== undefined && isReceivedFrom(peer, found)) contents.set(id, found.content);
		}
		known.set(requestId, contents);
	}
	return known;
}

const isReceivedFrom = (peer: string, record: AttributeRecord): boolean =>
	record.shareInfo?.peer === peer && (isPeerShared(record) || isForwardedByPeer(record));

/**
 * Derives the answers of a request.
 *
 * @param attributes contents of the attributes of {@link attributesInAnswer}, by id
 */
export function answersOf(
	{ content, response }: RequestRecord,
	attributes: KnownAttributes,
): RequestAnswers {
	if (response === undefined) return {};
	const found = new Map<string, Json[]>();
	const answers = flatItemsOf(response.content);
	for (const [index, item] of flatItemsOf(content).entries()) {
		const answer = answers[index];
		const given = answerTo(item, answer, attributes);
		if (given === undefined) continue;
		const value = answer?.result === 'Accepted' ? given.value : null;
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
	item: RequestItem,
	answer: ResponseItem | undefined,
	attributes: KnownAttributes,
): GivenAnswer | undefined {
	switch (item['@type']) {
		case 'AuthenticationRequestItem':
			return { name: 'Authentication', value: true };
		case 'ConsentRequestItem':
			return { name: 'Consent', value: true };
		case 'ShareAuthorizationRequestRequestItem':
			return { name: 'ShareAuthorizationRequest', value: true };
		case 'ShareCredentialOfferRequestItem':
			return { name: 'ShareCredentialOffer', value: true };
		case 'FreeTextRequestItem':
			return { name: 'FreeText', value: freeTextIn(answer) };
		case 'FormFieldRequestItem':
			return { name: item.title, value: answerIn(answer) };
		case 'ReadAttributeRequestItem':
		case 'ProposeAttributeRequestItem': {
			const value = answer && attributeIn(answer, attributes)?.value;
			return { name: askedFor(item.query, value), value: plainValue(value) };
		}
		case 'CreateAttributeRequestItem':
		case 'DeleteAttributeRequestItem':
		case 'RegisterAttributeListenerRequestItem':
		case 'ShareAttributeRequestItem':
		case 'TransferFileOwnershipRequestItem':
			return undefined;
	}
}

const freeTextIn = (answer: ResponseItem | undefined): Json =>
	answer?.['@type'] === 'FreeTextAcceptResponseItem' ? answer.freeText : null;

const answerIn = (answer: ResponseItem | undefined): Json =>
	answer?.['@type'] === 'FormFieldAcceptResponseItem' ? answer.response : null;

function attributeIn(
	answer: ResponseItem,
	attributes: KnownAttributes,
): Pick<Attribute, 'value'> | undefined {
	switch (answer['@type']) {
		case 'AttributeAlreadySharedAcceptResponseItem':
			return attributes.get(answer.attributeId);
		case 'AttributeSuccessionAcceptResponseItem':
			return answer.successorContent;
		case 'ReadAttributeAcceptResponseItem':
		case 'ProposeAttributeAcceptResponseItem':
		case 'TransferFileOwnershipAcceptResponseItem':
			return answer.attribute;
		case 'AcceptResponseItem':
		case 'RejectResponseItem':
		case 'ErrorResponseItem':
		case 'CreateAttributeAcceptResponseItem':
		case 'ShareAttributeAcceptResponseItem':
		case 'DeleteAttributeAcceptResponseItem':
		case 'FreeTextAcceptResponseItem':
		case 'FormFieldAcceptResponseItem':
		case 'RegisterAttributeListenerAcceptResponseItem':
			return undefined;
	}
}

/**
 * Name of an answer: the value type of the query, otherwise the type of the received value,
 * otherwise the key of the query.
 */
function askedFor(query: AttributeQuery, value: Attribute['value'] | undefined): string {
	switch (query['@type']) {
		case 'IdentityAttributeQuery':
			return query.valueType;
		case 'RelationshipAttributeQuery':
			return query.attributeCreationHints.valueType;
		case 'ThirdPartyRelationshipAttributeQuery':
			return value?.['@type'] ?? query.key;
		case 'IQLQuery':
			return query.attributeCreationHints?.valueType ?? value?.['@type'] ?? 'IQLQuery';
	}
}

/** Value without its type; an object for values with several members. */
function plainValue(value: Attribute['value'] | undefined): Json {
	const { '@type': _type, ...members }: JsonObject = value ?? {};
	if (Object.hasOwn(members, 'value')) return members['value'] ?? null;
	return Object.keys(members).length === 0 ? null : members;
}
