import { safeParse } from '../../../base/schema-parse';
import { isGatewayError, type GatewayError } from '../../../base/errors';
import { refusedText } from '../../../model/content/attribute-texts';
import { anyAttribute, type Attribute } from '../../../model/content/attributes';
import { obstacleFor } from '../../../model/content/generations';
import type { AttributeQuery } from '../../../model/content/requests/queries';
import type { RequestItem } from '../../../model/content/requests/request-items';
import type { ResponseItem, ResponseItemOf } from '../../../model/content/requests/response-items';
import { tagsProblem } from '../../../model/content/tags';
import type { Json, JsonObject } from '../../../model/json';
import type { AttributeRecord } from '../../../model/record/attribute';
import { idAtPeer } from '../../attribute/attribute-ids';
import { isRepositoryAttribute } from '../../attribute/attribute-kinds';
import { sharedVersionsOf, versionsOf } from '../../attribute/succession/attribute-versions';
import { mismatchOf } from '../../attribute/queries/query-match';
import {
	answerWithExistingAttribute,
	answerWithNewIdentityAttribute,
	applySuccessionAnswer,
	type SharedAnswer,
} from '../../attribute/shared-answers';
import { storeShared } from '../../attribute/shared-attributes';
import { requestErrors } from '../request-errors';
import { isMandatory } from '../request-items';
import { accepted } from './answers';
import type {
	Acceptance,
	AcceptDependencies,
	DecisionDependencies,
	Effect,
	ResponseDependencies,
	ResponseParties,
} from './item-handler';
import { malformed } from './malformed-parameters';
import { refusedBy7 } from './refused-texts';
import { sameKeyExists } from './same-key';
import { checkTagsOfAnswer, isTextList } from './tags';

/* Shared parts of items that ask for an attribute: reading, proposing and, in part, creating. */

/** Answer to an item that asks for an attribute. */
export type AttributeAnswer =
	| { readonly kind: 'existing'; readonly id: string; readonly tags: readonly string[] }
	/** parsed content, with this account's address in place of an omitted owner */
	| { readonly kind: 'new'; readonly content: Attribute };

/** Answer with an attribute that the peer does not have yet. */
export type AskingAnswer = ResponseItemOf<
	'ReadAttributeAcceptResponseItem' | 'ProposeAttributeAcceptResponseItem'
>;

/** Names of the parameters in an item of that type. */
export interface AnswerNames {
	readonly existing: string;
	readonly fresh: string;
}

/**
 * Reads the parameters of an acceptance (docs/protocol/consumption.md 5.4): either an existing
 * attribute, with additional tags, or a new one.
 */
export function readAttributeAnswer(
	parameters: JsonObject,
	names: AnswerNames,
	ownAddress: string,
): AttributeAnswer | GatewayError {
	const existing = parameters[names.existing];
	const fresh = parameters[names.fresh];
	const { tags } = parameters;
	if ((existing === undefined) === (fresh === undefined)) {
		return malformed(names.existing, `give either '${names.existing}' or '${names.fresh}'`);
	}
	if (fresh !== undefined) {
		if (tags !== undefined) return malformed('tags', 'they are part of a new attribute');
		return readFresh(fresh, names.fresh, ownAddress);
	}
	if (typeof existing !== 'string')
		return malformed(names.existing, 'expected the ID of an attribute');
	const given = tags ?? [];
	if (!isTextList(given)) return malformed('tags', 'expected a list of texts');
	const problem = tagsProblem(given);
	if (problem !== undefined) return malformed('tags', problem);
	return { kind: 'existing', id: existing, tags: given };
}

function readFresh(fresh: Json, field: string, ownAddress: string): AttributeAnswer | GatewayError {
	const parsed = safeParse(anyAttribute, fresh);
	if (!parsed.success) {
		const [issue] = parsed.error.issues;
		const path = [field, ...(issue?.path ?? [])].map(String).join('.');
		return malformed(path, issue?.message ?? 'unexpected value');
	}
	return { kind: 'new', content: ownedBy(ownAddress, parsed.data) };
}

/** Fills an omitted owner with the recipient's address. */
export function ownedBy<Given extends Attribute>(address: string, attribute: Given): Given {
	return attribute.owner === '' ? { ...attribute, owner: address } : attribute;
}

/**
 * Returns the reason why an attribute of this account cannot answer a query for identity
 * attributes, or undefined.
 */
export async function checkIdentityAttribute(
	record: AttributeRecord,
	{ tx, peer, ownAddress }: DecisionDependencies,
): Promise<GatewayError | undefined> {
	if (record.content['@type'] !== 'IdentityAttribute') return undefined;
	if (record.content.owner !== ownAddress) return undefined;
	if (!isRepositoryAttribute(record, ownAddress)) {
		return misfit('it is a shared copy; choose the original attribute');
	}
	const later = await laterVersions(record, { tx });
	const copies = await sharedVersionsOf(tx, record, { peers: [peer], onlyLatest: false });
	const isOutdated = copies.some(({ shareInfo }) =>
		later.some(({ id }) => id === shareInfo?.sourceAttribute),
	);
	return isOutdated ? misfit('the peer has a newer version of it already') : undefined;
}

async function laterVersions(
	record: AttributeRecord,
	{ tx }: Pick<DecisionDependencies, 'tx'>,
): Promise<AttributeRecord[]> {
	const versions = await versionsOf(tx, record);
	return versions.slice(
		0,
		versions.findIndex(({ id }) => id === record.id),
	);
}

/** Checks that the attribute answers the query, and that the peer can read it. */
export function checkMatch(
	query: AttributeQuery,
	attribute: Attribute,
	{ ownAddress, peer, generation }: DecisionDependencies,
): GatewayError | undefined {
	const parties = { sender: peer, recipient: ownAddress };
	const reason = mismatchOf(query, attribute, parties);
	if (reason !== undefined) return misfit(reason);
	const obstacle = generation === undefined ? undefined : obstacleFor(generation, attribute);
	if (obstacle === undefined) {
		const text = generation === 7 ? refusedText(attribute) : undefined;
		if (text !== undefined) return refusedBy7(text);
		return checkTagsOfAnswer(query, attribute, generation);
	}
	return requestErrors.create('notUnderstoodByPeer', {
		message: `The peer has a wallet of version ${generation}, which does not read the attribute: ${obstacle.reason}.`,
		facts: { field: obstacle.field },
	});
}

/**
 * Checks that the relationship attribute to be created does not exist yet
 * (docs/protocol/consumption.md 6.5, 6.6 row 12).
 */
export async function checkKeyIsFree(
	item: RequestItem,
	wanted: { readonly owner: string; readonly key: string; readonly valueType: string },
	{ tx, peer, ownAddress }: DecisionDependencies,
): Promise<GatewayError | undefined> {
	const owner = wanted.owner === '' ? ownAddress : wanted.owner;
	if (!(await sameKeyExists(tx, { ...wanted, owner, peer }))) return undefined;
	return requestErrors.create(
		isMandatory(item) ? 'unexpectedDuringItem' : 'invalidAcceptParameters',
		{
			message: `A relationship attribute with the key '${wanted.key}', this owner and value type exists already.`,
		},
	);
}

/**
 * Stores the attribute of an answer and builds the response item: the item's own type of answer, or
 * the statement that the peer has the attribute already, or a succession of the peer's version.
 */
export async function answerWithAttribute(
	answer: AttributeAnswer,
	acceptType: AskingAnswer['@type'],
	context: AcceptDependencies,
): Promise<Acceptance> {
	const { tx, peer, requestId, writer } = context;
	const sharing = { peer, requestReference: requestId };
	if (answer.kind === 'new') {
		const { content } = answer;
		if (content['@type'] === 'IdentityAttribute') {
			const given = await answerWithNewIdentityAttribute(tx, content, sharing, writer);
			return { response: itemFor(given, acceptType) };
		}
		const stored = await storeShared(tx, { content }, sharing, writer);
		if (stored === undefined) throw new TypeError('A fresh attribute ID is taken');
		return { response: sharedItem(stored, acceptType) };
	}
	const stored = (await tx.attributes.get(answer.id))?.record;
	if (stored === undefined) throw new TypeError('Expected an attribute that was checked');
	const given = await answerWithExistingAttribute(tx, stored, answer.tags, sharing, writer);
	return { response: itemFor(given, acceptType) };
}

/** Builds the response item for a shared attribute (docs/protocol/consumption.md 6.12, 6.13). */
export function itemFor(given: SharedAnswer, acceptType: ResponseItem['@type']): JsonObject {
	switch (given.kind) {
		case 'shared':
			return sharedItem(given.attribute, acceptType);
		case 'alreadyShared':
			return accepted('AttributeAlreadySharedAcceptResponseItem', {
				attributeId: idAtPeer(given.attribute),
			});
		case 'succeeded':
			return accepted('AttributeSuccessionAcceptResponseItem', {
				predecessorId: idAtPeer(given.predecessor),
				successorId: idAtPeer(given.successor),
				successorContent: given.successor.content,
			});
	}
}

function sharedItem(record: AttributeRecord, acceptType: ResponseItem['@type']): JsonObject {
	const thirdPartyAddress = record.shareInfo?.thirdPartyAddress;
	return accepted(acceptType, {
		attributeId: idAtPeer(record),
		attribute: record.content,
		...(thirdPartyAddress === undefined ? {} : { thirdPartyAddress }),
	});
}

/**
 * Checks an answer at the requester: a peer must not share an attribute that was not asked for, or
 * that it does not own.
 */
export function checkAnsweredAttribute(
	query: AttributeQuery,
	attribute: Attribute,
	{ ownAddress, peer }: ResponseParties,
): GatewayError | undefined {
	const parties = { sender: ownAddress, recipient: peer };
	const reason = mismatchOf(query, attribute, parties);
	if (reason === undefined) return undefined;
	return requestErrors.create('attributeQueryMismatch', {
		message: `The attribute of the answer does not fit the query: ${reason}.`,
	});
}

/** Stores, at the requester, the attribute of the answer. */
export async function keepAnsweredAttribute(
	response: AskingAnswer,
	{ tx, peer, requestId, writer }: ResponseDependencies,
): Promise<Effect> {
	const { attributeId: id, attribute: content } = response;
	const thirdPartyAddress =
		response['@type'] === 'ReadAttributeAcceptResponseItem'
			? response.thirdPartyAddress
			: undefined;
	const sharing = {
		peer,
		requestReference: requestId,
		...(thirdPartyAddress ? { thirdPartyAddress } : {}),
	};
	const stored = await storeShared(tx, { id, content }, sharing, writer);
	return stored === undefined ? { problem: takenId } : {};
}

/**
 * Stores, at the requester, the next version of an attribute that the peer has shared before
 * (docs/protocol/consumption.md 6.14).
 */
export async function keepSuccession(
	answer: ResponseItemOf<'AttributeSuccessionAcceptResponseItem'>,
	{ tx, peer, requestId, writer }: ResponseDependencies,
): Promise<Effect> {
	const sharing = { peer, requestReference: requestId };
	// The rules are checked before anything is written, so a failure is the peer's fault.
	return await orProblem(() => applySuccessionAnswer(tx, answer, sharing, writer));
}

/** Carries out the effect of an answer; a refused one is a problem, and the rest goes on. */
export async function orProblem(effect: () => Promise<unknown>): Promise<Effect> {
	try {
		await effect();
		return {};
	} catch (error) {
		if (!isGatewayError(error) || error.kind === 'unavailable') throw error;
		return { problem: error.message };
	}
}

export const takenId = 'the attribute ID that the peer chose is taken or malformed';

export function misfit(reason: string): GatewayError {
	return requestErrors.create('attributeQueryMismatch', {
		message: `The attribute does not fit the query: ${reason}.`,
	});
}
