import { isGatewayError, type GatewayError } from '../../../base/errors';
import { objectMember } from '../../../model/content/members';
import type { JsonObject } from '../../../model/json';
import { mismatchOf } from '../../attribute/query-match';
import { requestErrors } from '../request-errors';
import { answeredBy } from './answers';
import {
	answerWithAttribute,
	checkAnsweredAttribute,
	checkIdentityAttribute,
	checkKeyIsFree,
	checkMatch,
	checkTags,
	keepAnsweredAttribute,
	keepSuccession,
	readAttributeAnswer,
	withMoreTags,
	type AttributeAnswer,
} from './attribute-answers';
import type { CheckContext, DecisionContext, ItemHandler } from './item-handler';
import { keyOfQuery } from './read-attribute';
import { sameKeyExists } from './same-key';

const names = { existing: 'attributeId', fresh: 'attribute' };
const acceptType = 'ProposeAttributeAcceptResponseItem';
const answerTypes = [
	acceptType,
	'AttributeAlreadySharedAcceptResponseItem',
	'AttributeSuccessionAcceptResponseItem',
];

/** 'May this be your attribute?' (docs/protocol/consumption.md 6.7). */
export const proposeAttributeHandler: ItemHandler = {
	checkOutgoing: (item, context) => checkProposal(item, context),

	createdKey: (item) => keyOfQuery(objectMember(item, 'query')),

	async checkAccept(item, parameters, context) {
		const answer = readAttributeAnswer(parameters, names, context.ownAddress);
		if (isGatewayError(answer)) return answer;
		return await checkAnswer(item, answer, context);
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

async function checkProposal(
	item: JsonObject,
	{ tx, ownAddress, peer }: CheckContext,
): Promise<GatewayError | undefined> {
	const query = objectMember(item, 'query');
	const attribute = objectMember(item, 'attribute');
	const key = keyOfQuery(query);
	if (key !== undefined && key.owner !== '') {
		return invalid("The owner of the query of a proposal must be '' (the recipient).");
	}
	if (attribute['owner'] !== '') {
		return invalid("The owner of a proposed attribute must be '' (the recipient).");
	}
	const reason = mismatchOf(query, attribute, { sender: ownAddress, recipient: '' });
	if (reason !== undefined) {
		return requestErrors.create('attributeQueryMismatch', {
			message: `The proposed attribute does not fit the query: ${reason}.`,
		});
	}
	if (key === undefined || peer === undefined) return undefined;
	if (!(await sameKeyExists(tx, { ...key, owner: peer, peer }))) return undefined;
	return invalid(
		`A relationship attribute with the key '${key.key}', this owner and value type exists already.`,
	);
}

async function checkAnswer(
	item: JsonObject,
	answer: AttributeAnswer,
	context: DecisionContext,
): Promise<GatewayError | undefined> {
	const query = objectMember(item, 'query');
	const key = keyOfQuery(query);
	if (answer.kind === 'new') {
		const mismatch = checkMatch(query, answer.content, context);
		if (mismatch !== undefined || key === undefined) return mismatch;
		return await checkKeyIsFree(item, { ...key, owner: '' }, context);
	}
	if (key !== undefined) {
		return requestErrors.create('invalidAcceptParameters', {
			message: 'A RelationshipAttributeQuery can only be answered with a new attribute.',
			facts: { field: names.existing },
		});
	}
	const record = (await context.tx.attributes.get(answer.id))?.record;
	if (record === undefined) {
		return requestErrors.create('unknownAttribute', {
			message: `There is no attribute with the ID '${answer.id}' in this account.`,
			facts: { attributeId: answer.id },
		});
	}
	const content = withMoreTags(record.content, answer.tags);
	return (
		(await checkIdentityAttribute(record, context)) ??
		checkTags(content) ??
		checkMatch(query, content, context)
	);
}

function invalid(message: string): GatewayError {
	return requestErrors.create('invalidItem', { message });
}
