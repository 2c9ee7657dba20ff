import type { Attribute, IdentityAttribute } from '../../model/content/attributes';
import type { AttributeRecord } from '../../model/record/attribute';
import type { WriteTransaction } from '../../store/store';
import { isIdentityAttribute, type RepositoryAttribute } from './attribute-kinds';
import { findRepositoryAttribute } from './attribute-lookup';
import { newestSharedVersion } from './succession/attribute-versions';
import type { AttributeWriter } from './attribute-writer';
import { createRepositoryAttribute, succeedRepositoryAttribute } from './repository-attributes';
import { findAtPeer } from './attribute-ids';
import { copyInfoOf, shareAgain, shareInfoOf, storeSharedCopy } from './shared-attributes';
import { succeed, type Succession } from './succession/succession';
import { successionProblem } from './succession/succession-errors';

/*
 * Answers to requests for an attribute, given by its holder, so that a peer never receives the same
 * attribute twice (docs/protocol/consumption.md 6.12 to 6.14).
 */

/** Kind of the answer; `attribute` is the copy that both sides hold from now on. */
export type SharedAnswer =
	/** Create-, Read- or ProposeAttributeAcceptResponseItem */
	| { readonly kind: 'shared'; readonly attribute: AttributeRecord }
	/** AttributeAlreadySharedAcceptResponseItem */
	| { readonly kind: 'alreadyShared'; readonly attribute: AttributeRecord }
	/** AttributeSuccessionAcceptResponseItem */
	| ({ readonly kind: 'succeeded' } & Succession);

/** Request that is being answered. */
export interface AnswerSharing {
	readonly peer: string;
	/** REQ id */
	readonly requestReference: string;
}

/**
 * Answers with an identity attribute that is part of the decision (6.12). An own attribute with the
 * same value is reused and receives the missing tags; otherwise a new attribute is created.
 *
 * @param content attribute of this account
 * @throws `error.consumption.attributes.wrongOwnerOfRepositoryAttribute`,
 * `error.consumption.attributes.*` of consumption 8.6, `error.runtime.requestDeserialization`
 */
export async function answerWithNewIdentityAttribute(
	tx: WriteTransaction,
	content: IdentityAttribute,
	sharing: AnswerSharing,
	writer: AttributeWriter,
): Promise<SharedAnswer> {
	const found = await findRepositoryAttribute(tx, content.value, writer.ownAddress);
	if (found === undefined) {
		const created = await createRepositoryAttribute(tx, content, writer);
		return await answerWith(tx, created, sharing, writer);
	}
	const had = found.content.tags ?? [];
	const more = (content.tags ?? []).filter((tag) => !had.includes(tag));
	return await answerWith(tx, await withTags(tx, found, more, writer), sharing, writer);
}

/**
 * Answers with a stored attribute (6.13): a repository attribute, or a relationship attribute from
 * another relationship. The caller has checked that it may be used (6.6, 6.7).
 *
 * @param tags appended to the tags of a repository attribute, which creates a new version
 * @throws `error.consumption.attributes.*` of consumption 8.6,
 * `error.runtime.requestDeserialization` for tags that the attribute has already
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
 * Applies an AttributeSuccessionAcceptResponseItem on the requester's side (6.14): the next version
 * of an attribute that the peer has shared before. Unlike official software, it publishes events
 * for both kinds of attributes.
 *
 * @param answer.successorContent attribute that was checked against the request
 * @throws `error.consumption.attributes.*` of consumption 8.6
 */
export async function applySuccessionAnswer(
	tx: WriteTransaction,
	answer: {
		readonly predecessorId: string;
		readonly successorId: string;
		readonly successorContent: Attribute;
	},
	sharing: AnswerSharing,
	writer: AttributeWriter,
): Promise<Succession> {
	const { successorId: id, successorContent: content } = answer;
	const former = await findAtPeer(tx, sharing.peer, answer.predecessorId);
	const predecessorId = former?.id ?? answer.predecessorId;
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
	const { thirdPartyAddress, sourceAttribute } = former?.shareInfo ?? {};
	// Only this account may change a copy that it has made.
	if (sourceAttribute !== undefined) {
		throw successionProblem('predecessorIsNotThirdPartyRelationshipAttribute', { predecessorId });
	}
	const shareInfo = shareInfoOf({ ...sharing, thirdPartyAddress });
	return await succeed(tx, 'thirdParty', predecessorId, { id, content, shareInfo }, writer);
}

/**
 * Chooses the answer for this version of the attribute from the earlier versions that the peer
 * holds.
 */
async function answerWith(
	tx: WriteTransaction,
	source: AttributeRecord,
	sharing: AnswerSharing,
	writer: AttributeWriter,
): Promise<SharedAnswer> {
	const shared = await newestSharedVersion(tx, source, sharing.peer, writer);
	if (shared === undefined) {
		const attribute = await storeSharedCopy(tx, { source }, sharing, writer);
		if (attribute === undefined) throw new TypeError('A fresh attribute ID is taken');
		return { kind: 'shared', attribute };
	}
	if (shared.shareInfo?.sourceAttribute === source.id) {
		return { kind: 'alreadyShared', attribute: await shareAgain(tx, shared, writer) };
	}
	const kind = isIdentityAttribute(source) ? 'ownSharedIdentity' : 'thirdParty';
	const successor = { content: source.content, shareInfo: copyInfoOf(source, sharing, writer) };
	const succession = await succeed(tx, kind, shared.id, successor, writer);
	return { kind: 'succeeded', ...succession };
}

/** Adds tags to the attribute, which creates a new version. */
async function withTags(
	tx: WriteTransaction,
	attribute: RepositoryAttribute,
	tags: readonly string[],
	writer: AttributeWriter,
): Promise<AttributeRecord> {
	if (tags.length === 0) return attribute;
	const { content: former } = attribute;
	const content = { ...former, tags: [...(former.tags ?? []), ...tags] };
	return (await succeedRepositoryAttribute(tx, attribute.id, content, writer)).successor;
}
