import { isGatewayError, type GatewayError } from '../../../base/errors';
import { objectMember, textMember } from '../../../model/content/members';
import type { JsonObject } from '../../../model/json';
import type { AttributeRecord } from '../../../model/record/attribute';
import { hasEstablishedRelationship } from '../../current-relationship';
import { requestErrors } from '../request-errors';
import { answeredBy } from './answers';
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
	type AttributeAnswer,
} from './attribute-answers';
import type { CreatedKey, DecisionDependencies, ItemHandler } from './item-handler';
import { checkTags, withMoreTags } from './tags';

/** Differences between the item types that are answered with an attribute which fits their query. */
interface AskingItem {
	/** names of its parameters in an acceptance */
	readonly names: AnswerNames;
	/** type of an answer with an attribute that the peer does not have yet */
	readonly acceptType: string;
	readonly checkOutgoing: Required<ItemHandler>['checkOutgoing'];
	/** set when the recipient will own the attribute, whatever owner the query names */
	readonly isOwnedByRecipient?: true;
}

/** Handler for reading and proposing, which are answered alike (docs/protocol/consumption.md 6.6, 6.7). */
export function askingHandler(kind: AskingItem): ItemHandler {
	const { names, acceptType, checkOutgoing } = kind;
	const answerTypes = [
		acceptType,
		'AttributeAlreadySharedAcceptResponseItem',
		'AttributeSuccessionAcceptResponseItem',
	];
	return {
		checkOutgoing,

		createdKey: (item) => keyOfQuery(objectMember(item, 'query')),

		async checkAccept(item, parameters, context) {
			const query = objectMember(item, 'query');
			const answer = readAttributeAnswer(parameters, names, context.ownAddress);
			if (isGatewayError(answer)) return answer;
			return answer.kind === 'existing'
				? await checkExisting(query, answer, kind, context)
				: await checkNew(item, answer.content, kind, context);
		},

		async accept(_item, parameters, context) {
			const answer = readAttributeAnswer(parameters, names, context.ownAddress);
			if (isGatewayError(answer)) throw answer;
			return await answerWithAttribute(answer, acceptType, context);
		},

		checkResponse(item, response, parties) {
			const otherType = answeredBy(answerTypes, item, response);
			if (otherType !== undefined) return otherType;
			if (response['@type'] === 'AttributeAlreadySharedAcceptResponseItem') return undefined;
			return checkAnsweredAttribute(item, response, parties);
		},

		async applyResponse(_item, response, context) {
			switch (response['@type']) {
				case acceptType:
					return await keepAnsweredAttribute(response, context);
				case 'AttributeSuccessionAcceptResponseItem':
					return await keepSuccession(response, context);
				default:
					return {};
			}
		},
	};
}

/** Key of the relationship attribute that answers a query; undefined for other kinds of queries. */
export function keyOfQuery(query: JsonObject): CreatedKey | undefined {
	if (query['@type'] !== 'RelationshipAttributeQuery') return undefined;
	return {
		owner: textMember(query, 'owner'),
		key: textMember(query, 'key'),
		valueType: textMember(objectMember(query, 'attributeCreationHints'), 'valueType'),
	};
}

async function checkExisting(
	query: JsonObject,
	{ id, tags }: Extract<AttributeAnswer, { kind: 'existing' }>,
	{ names }: AskingItem,
	context: DecisionDependencies,
): Promise<GatewayError | undefined> {
	if (query['@type'] === 'RelationshipAttributeQuery') {
		return requestErrors.create('invalidAcceptParameters', {
			message: 'A RelationshipAttributeQuery can only be answered with a new attribute.',
			facts: { field: names.existing },
		});
	}
	const record = (await context.tx.attributes.get(id))?.record;
	if (record === undefined) {
		return requestErrors.create('unknownAttribute', {
			message: `There is no attribute with the ID '${id}' in this account.`,
			facts: { attributeId: id },
		});
	}
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

async function checkNew(
	item: JsonObject,
	content: JsonObject,
	{ names, isOwnedByRecipient }: AskingItem,
	context: DecisionDependencies,
): Promise<GatewayError | undefined> {
	const query = objectMember(item, 'query');
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
	query: JsonObject,
	{ content, shareInfo }: AttributeRecord,
	tags: readonly string[],
	{ tx, ownAddress }: DecisionDependencies,
): Promise<GatewayError | undefined> {
	if (content['@type'] !== 'RelationshipAttribute') return undefined;
	if (shareInfo?.sourceAttribute !== undefined) return otherAttribute('it is itself a copy');
	const thirdParties = Array.isArray(query['thirdParty']) ? query['thirdParty'] : [];
	const peerOfAttribute = shareInfo?.peer ?? '';
	const isOfParties = [ownAddress, ...thirdParties].includes(content['owner'] ?? '');
	const isAskedFor = thirdParties.includes('') || thirdParties.includes(peerOfAttribute);
	if (isOfParties && !isAskedFor) return otherAttribute('it comes from another relationship');
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

function checkIsShareable(query: JsonObject, content: JsonObject): GatewayError | undefined {
	if (query['@type'] !== 'ThirdPartyRelationshipAttributeQuery') return undefined;
	return content['confidentiality'] === 'private' ? otherAttribute('it is private') : undefined;
}

function otherAttribute(reason: string): GatewayError {
	return requestErrors.create('attributeQueryMismatch', {
		message: `The attribute does not fit the query: ${reason}.`,
	});
}
