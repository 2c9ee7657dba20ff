import { isGatewayError, type GatewayError } from '../../../base/errors';
import type { Attribute } from '../../../model/content/attributes';
import type {
	AttributeQuery,
	ThirdPartyRelationshipAttributeQuery,
} from '../../../model/content/requests/queries';
import type { RequestItemOf } from '../../../model/content/requests/request-items';
import type { AttributeRecord } from '../../../model/record/attribute';
import { findAtPeer } from '../../attribute/attribute-ids';
import {
	isForwardedByPeer,
	isPeerShared,
	isRepositoryAttribute,
	isShareable,
	isThirdParty,
} from '../../attribute/attribute-kinds';
import { shareAgain } from '../../attribute/shared-attributes';
import { hasEstablishedRelationship } from '../../current-relationship';
import { requestErrors } from '../request-errors';
import { otherAnswer } from './answers';
import {
	answerWithAttribute,
	checkAnsweredAttribute,
	checkIdentityAttribute,
	checkKeyIsFree,
	checkMatch,
	keepAnsweredAttribute,
	keepSuccession,
	readAttributeAnswer,
	type AnswerNames,
	type AskingAnswer,
	type AttributeAnswer,
	misfit,
} from './attribute-answers';
import type {
	CreatedKey,
	DecisionDependencies,
	Effect,
	ItemHandler,
	ResponseDependencies,
} from './item-handler';
import { checkTags, withMoreTags } from './tags';

type AskingItem = RequestItemOf<'ReadAttributeRequestItem' | 'ProposeAttributeRequestItem'>;

/**
 * Differences between the item types that are answered with an attribute which fits their query.
 */
interface AskingKind<Item extends AskingItem> {
	/** names of its parameters in an acceptance */
	readonly names: AnswerNames;
	/** type of an answer with an attribute that the peer does not have yet */
	readonly acceptType: AskingAnswer['@type'];
	readonly checkOutgoing: Required<ItemHandler<Item>>['checkOutgoing'];
	/** set when the recipient will own the attribute, whatever owner the query names */
	readonly isOwnedByRecipient?: true;
}

type AnswerRules = Pick<AskingKind<AskingItem>, 'names' | 'isOwnedByRecipient'>;

/**
 * Handler for reading and proposing, which are answered alike (docs/protocol/consumption.md 6.6,
 * 6.7).
 */
export function askingHandler<Item extends AskingItem>(kind: AskingKind<Item>): ItemHandler<Item> {
	const { names, acceptType, checkOutgoing } = kind;
	return {
		checkOutgoing,

		createdKey: (item) => keyOfQuery(item.query),

		async checkAccept(item, parameters, context) {
			const answer = readAttributeAnswer(parameters, names, context.ownAddress);
			if (isGatewayError(answer)) return answer;
			return answer.kind === 'existing'
				? await checkExisting(item.query, answer, kind, context)
				: await checkNew(item, answer.content, kind, context);
		},

		async accept(_item, parameters, context) {
			const answer = readAttributeAnswer(parameters, names, context.ownAddress);
			if (isGatewayError(answer)) throw answer;
			return await answerWithAttribute(answer, acceptType, context);
		},

		checkResponse(item, response, parties) {
			switch (response['@type']) {
				case acceptType:
					return checkAnsweredAttribute(item.query, response.attribute, parties);
				case 'AttributeSuccessionAcceptResponseItem':
					return checkAnsweredAttribute(item.query, response.successorContent, parties);
				case 'AttributeAlreadySharedAcceptResponseItem':
					return undefined;
				default:
					return otherAnswer(item, response);
			}
		},

		async applyResponse(_item, response, context) {
			switch (response['@type']) {
				case acceptType:
					return await keepAnsweredAttribute(response, context);
				case 'AttributeSuccessionAcceptResponseItem':
					return await keepSuccession(response, context);
				case 'AttributeAlreadySharedAcceptResponseItem':
					return await keepWhatIsThere(response.attributeId, context);
				default:
					return {};
			}
		},
	};
}

/** What this account asked for, and has already, it does not delete (docs/protocol/generation-7.md 8.4). */
async function keepWhatIsThere(
	id: string,
	{ tx, peer, writer }: ResponseDependencies,
): Promise<Effect> {
	const known = await findAtPeer(tx, peer, id);
	const isOfPeer = known !== undefined && (isPeerShared(known) || isForwardedByPeer(known));
	if (isOfPeer) await shareAgain(tx, known, writer);
	return {};
}

/** Key of the relationship attribute that answers a query; undefined for other kinds of queries. */
export function keyOfQuery(query: AttributeQuery): CreatedKey | undefined {
	if (query['@type'] !== 'RelationshipAttributeQuery') return undefined;
	const { owner, key, attributeCreationHints } = query;
	return { owner, key, valueType: attributeCreationHints.valueType };
}

async function checkExisting(
	query: AttributeQuery,
	{ id, tags }: Extract<AttributeAnswer, { kind: 'existing' }>,
	rules: AnswerRules,
	context: DecisionDependencies,
): Promise<GatewayError | undefined> {
	if (query['@type'] === 'RelationshipAttributeQuery') {
		return requestErrors.create('invalidAcceptParameters', {
			message: 'A RelationshipAttributeQuery can only be answered with a new attribute.',
			facts: { field: rules.names.existing },
		});
	}
	const record = (await context.tx.attributes.get(id))?.record;
	if (record === undefined) {
		return requestErrors.create('unknownAttribute', {
			message: `There is no attribute with the ID '${id}' in this account.`,
			facts: { attributeId: id },
		});
	}
	const otherKind = context.hasOneId ? checkKindOf7(record, rules, context) : undefined;
	if (otherKind !== undefined) return otherKind;
	const refused =
		query['@type'] === 'ThirdPartyRelationshipAttributeQuery'
			? await checkThirdPartyAnswer(query, record, tags, context)
			: await checkIdentityAttribute(record, context);
	if (refused !== undefined) return refused;
	const content = withMoreTags(record.content, tags);
	return (
		checkTags(content) ??
		checkMatch(query, content, context) ??
		checkIsShareable(query, record.content)
	);
}

/**
 * Checks in version 7 that an attribute of this kind may answer (docs/protocol/generation-7.md 8.4
 * row 4, 8.5).
 */
function checkKindOf7(
	record: AttributeRecord,
	{ names, isOwnedByRecipient }: AnswerRules,
	{ ownAddress }: DecisionDependencies,
): GatewayError | undefined {
	const isAllowed =
		isOwnedByRecipient === true
			? isRepositoryAttribute(record, ownAddress)
			: isShareable(record, ownAddress) && !isThirdParty(record);
	if (isAllowed) return undefined;
	const others =
		isOwnedByRecipient === true
			? ''
			: ', an OwnRelationshipAttribute or a PeerRelationshipAttribute';
	return requestErrors.create('invalidAcceptParameters', {
		message: `The selected Attribute is not an OwnIdentityAttribute${others}.`,
		facts: { field: names.existing },
	});
}

async function checkNew(
	item: AskingItem,
	content: Attribute,
	{ names, isOwnedByRecipient }: AnswerRules,
	context: DecisionDependencies,
): Promise<GatewayError | undefined> {
	const { query } = item;
	if (query['@type'] === 'ThirdPartyRelationshipAttributeQuery') {
		return requestErrors.create('invalidAcceptParameters', {
			message:
				'A ThirdPartyRelationshipAttributeQuery can only be answered with an existing attribute.',
			facts: { field: names.fresh },
		});
	}
	const mismatch = checkMatch(query, content, context);
	if (mismatch !== undefined) return mismatch;
	const key = keyOfQuery(query);
	if (key === undefined) return undefined;
	const wanted = isOwnedByRecipient === true ? { ...key, owner: '' } : key;
	return await checkKeyIsFree(item, wanted, context);
}

/** Applies rows 6 to 9 of docs/protocol/consumption.md 6.6. */
async function checkThirdPartyAnswer(
	{ thirdParty: thirdParties }: ThirdPartyRelationshipAttributeQuery,
	{ content, shareInfo }: AttributeRecord,
	tags: readonly string[],
	{ tx, ownAddress }: DecisionDependencies,
): Promise<GatewayError | undefined> {
	if (content['@type'] !== 'RelationshipAttribute') return undefined;
	if (shareInfo?.sourceAttribute !== undefined) return misfit('it is itself a copy');
	const peerOfAttribute = shareInfo?.peer ?? '';
	const isOfParties = [ownAddress, ...thirdParties].includes(content.owner);
	const isAskedFor = thirdParties.includes('') || thirdParties.includes(peerOfAttribute);
	if (isOfParties && !isAskedFor) return misfit('it comes from another relationship');
	if (!(await hasEstablishedRelationship(tx, peerOfAttribute))) {
		return requestErrors.create('pendingRelationshipAttribute', {
			message: 'The relationship that the attribute belongs to is not established.',
		});
	}
	if (tags.length === 0) return undefined;
	return requestErrors.create('invalidAcceptParameters', {
		message: 'A relationship attribute has no tags.',
		facts: { field: 'tags' },
	});
}

function checkIsShareable(query: AttributeQuery, content: Attribute): GatewayError | undefined {
	if (query['@type'] !== 'ThirdPartyRelationshipAttributeQuery') return undefined;
	if (content['@type'] !== 'RelationshipAttribute') return undefined;
	return content.confidentiality === 'private' ? misfit('it is private') : undefined;
}
