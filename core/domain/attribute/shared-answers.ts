import { objectMember } from '../../model/content/members';
import type { JsonObject } from '../../model/json';
import type { AttributeRecord } from '../../model/record/attribute';
import type { WriteTransaction } from '../../store/store';
import { isIdentityAttribute } from './attribute-kinds';
import { findRepositoryAttribute } from './attribute-lookup';
import { newestSharedVersion } from './attribute-versions';
import type { AttributeWriter } from './attribute-writer';
import { createRepositoryAttribute, succeedRepositoryAttribute } from './repository-attributes';
import { copyInfoOf, shareInfoOf, storeSharedCopy } from './shared-attributes';
import { succeed, successionProblem, type Succession } from './succession';

/*
 * How a request for an attribute is answered by the one who has it, so that a peer never gets the
 * same thing twice (docs/protocol/consumption.md 6.12 to 6.14).
 */

/** What the answer has to say; `attribute` is the copy that both sides hold from now on. */
export type SharedAnswer =
	/** a Create-, Read- or ProposeAttributeAcceptResponseItem */
	| { readonly kind: 'shared'; readonly attribute: AttributeRecord }
	/** an AttributeAlreadySharedAcceptResponseItem */
	| { readonly kind: 'alreadyShared'; readonly attribute: AttributeRecord }
	/** an AttributeSuccessionAcceptResponseItem */
	| ({ readonly kind: 'succeeded' } & Succession);

/** The request that is answered. */
export interface AnswerSharing {
	readonly peer: string;
	/** REQ id */
	readonly requestReference: string;
}

/**
 * Answers with an identity attribute that was given with the decision (6.12): with an own attribute of
 * the same value where there is one, which gets the tags that it lacks, else with a new one.
 *
 * @param content a parsed IdentityAttribute of our own
 * @throws `error.consumption.attributes.wrongOwnerOfRepositoryAttribute`,
 * `error.consumption.attributes.*` of consumption 8.6, `error.runtime.requestDeserialization`
 */
export async function answerWithNewIdentityAttribute(
	tx: WriteTransaction,
	content: JsonObject,
	sharing: AnswerSharing,
	writer: AttributeWriter,
): Promise<SharedAnswer> {
	const value = objectMember(content, 'value');
	const found = await findRepositoryAttribute(tx, value, writer.ownAddress);
	if (found === undefined) {
		const created = await createRepositoryAttribute(tx, content, writer);
		return await answerWith(tx, created, sharing, writer);
	}
	const had = tagsOf(found.content);
	const more = tagsOf(content).filter((tag) => !had.includes(tag));
	return await answerWith(tx, await withTags(tx, found, more, writer), sharing, writer);
}

/**
 * Answers with a stored attribute (6.13): a repository attribute, or a relationship attribute of
 * another relationship. Whether it may be used was checked by the caller (6.6, 6.7).
 *
 * @param tags appended to the tags of a repository attribute, which gets a new version by that
 * @throws `error.consumption.attributes.*` of consumption 8.6, `error.runtime.requestDeserialization`
 * for tags that it has already
 */
export async function answerWithExistingAttribute(
	tx: WriteTransaction,
	attribute: AttributeRecord,
	tags: readonly string[],
	sharing: AnswerSharing,
	writer: AttributeWriter,
): Promise<SharedAnswer> {
	const newest = isIdentityAttribute(attribute)
		? await withTags(tx, attribute, tags, writer)
		: attribute;
	return await answerWith(tx, newest, sharing, writer);
}

/**
 * The requester's side of an AttributeSuccessionAcceptResponseItem (6.14): the next version of what the
 * peer has shared before. Unlike official software, events tell of both kinds.
 *
 * @param answer.successorContent a parsed attribute that was checked against the request
 * @throws `error.consumption.attributes.*` of consumption 8.6
 */
export async function applySuccessionAnswer(
	tx: WriteTransaction,
	answer: {
		readonly predecessorId: string;
		readonly successorId: string;
		readonly successorContent: JsonObject;
	},
	sharing: AnswerSharing,
	writer: AttributeWriter,
): Promise<Succession> {
	const { predecessorId, successorId: id, successorContent: content } = answer;
	if (content['@type'] === 'IdentityAttribute') {
		const shareInfo = shareInfoOf(sharing);
		return await succeed(
			tx,
			'peerSharedIdentity',
			predecessorId,
			{ id, content, shareInfo },
			writer,
		);
	}
	const { thirdPartyAddress, sourceAttribute } =
		(await tx.attributes.get(predecessorId))?.record.shareInfo ?? {};
	// A copy that we have made is ours to change.
	if (sourceAttribute !== undefined) {
		throw successionProblem('predecessorIsNotThirdPartyRelationshipAttribute', { predecessorId });
	}
	const shareInfo = shareInfoOf({ ...sharing, thirdPartyAddress });
	return await succeed(tx, 'thirdParty', predecessorId, { id, content, shareInfo }, writer);
}

/** What the peer gets of this version of the attribute, given what it has of earlier ones. */
async function answerWith(
	tx: WriteTransaction,
	source: AttributeRecord,
	sharing: AnswerSharing,
	writer: AttributeWriter,
): Promise<SharedAnswer> {
	const shared = await newestSharedVersion(tx, source, sharing.peer);
	if (shared === undefined) {
		const attribute = await storeSharedCopy(tx, { source }, sharing, writer);
		if (attribute === undefined) throw new TypeError('A fresh attribute ID is taken');
		return { kind: 'shared', attribute };
	}
	if (shared.shareInfo?.sourceAttribute === source.id) {
		return { kind: 'alreadyShared', attribute: shared };
	}
	const kind = isIdentityAttribute(source) ? 'ownSharedIdentity' : 'thirdParty';
	const successor = { content: source.content, shareInfo: copyInfoOf(source, sharing) };
	const succession = await succeed(tx, kind, shared.id, successor, writer);
	return { kind: 'succeeded', ...succession };
}

/** The same attribute with these tags besides its own, which is a version of its own. */
async function withTags(
	tx: WriteTransaction,
	attribute: AttributeRecord,
	tags: readonly string[],
	writer: AttributeWriter,
): Promise<AttributeRecord> {
	if (tags.length === 0) return attribute;
	const content = { ...attribute.content, tags: [...tagsOf(attribute.content), ...tags] };
	return (await succeedRepositoryAttribute(tx, attribute.id, content, writer)).successor;
}

function tagsOf(content: JsonObject): string[] {
	const tags = content['tags'];
	return Array.isArray(tags) ? tags.filter((tag) => typeof tag === 'string') : [];
}
