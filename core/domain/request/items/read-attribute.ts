import type { GatewayError } from '../../../base/errors';
import type { JsonObject } from '../../../model/json';
import { requestErrors } from '../request-errors';
import {
	objectMember,
	textMember,
	type CheckContext,
	type ItemHandler,
	type ResponseContext,
} from './item-handler';

/** 'Please give me an attribute that fits this query' (docs/protocol/consumption.md 6.6). */
export const readAttributeHandler: ItemHandler = {
	async checkOutgoing(item, context) {
		const query = objectMember(item, 'query');
		switch (query['@type']) {
			case 'IdentityAttributeQuery':
				return undefined;
			case 'ThirdPartyRelationshipAttributeQuery':
				return checkThirdParties(query, context);
			case 'RelationshipAttributeQuery':
				return await checkRelationshipQuery(query, context);
			default:
				return requestErrors.create('notSupportedYet', {
					message: `Queries of type '${textMember(query, '@type')}' are not supported yet.`,
				});
		}
	},

	checkResponse(item, response, context) {
		switch (response['@type']) {
			case 'ReadAttributeAcceptResponseItem':
				return checkAnswer(
					objectMember(item, 'query'),
					objectMember(response, 'attribute'),
					context,
				);
			case 'AttributeAlreadySharedAcceptResponseItem':
			case 'AttributeSuccessionAcceptResponseItem':
				return undefined;
			default:
				return requestErrors.create('responseMismatch', {
					message: `A ReadAttributeRequestItem was answered with '${textMember(response, '@type')}'.`,
				});
		}
	},

	async applyResponse(_item, response, context) {
		if (response['@type'] !== 'ReadAttributeAcceptResponseItem') return;
		await context.attributes.storePeerShared(context.tx, {
			id: textMember(response, 'attributeId'),
			content: objectMember(response, 'attribute'),
			peer: context.peer,
			requestReference: context.requestId,
		});
	},
};

function checkThirdParties(query: JsonObject, context: CheckContext): GatewayError | undefined {
	const thirdParties = Array.isArray(query['thirdParty']) ? query['thirdParty'] : [];
	const refused = thirdParties.find(
		(address) =>
			address === context.ownAddress || (context.peer !== undefined && address === context.peer),
	);
	if (refused === undefined) return undefined;
	return requestErrors.create('invalidItem', {
		message: 'The sender or the recipient of the request cannot be the third party of its query.',
	});
}

async function checkRelationshipQuery(
	query: JsonObject,
	{ tx, ownAddress, peer }: CheckContext,
): Promise<GatewayError | undefined> {
	const owner = textMember(query, 'owner');
	if (owner !== '' && owner !== ownAddress) {
		return requestErrors.create('invalidItem', {
			message:
				"The owner of the queried relationship attribute must be the sender or '' (the recipient).",
		});
	}
	if (peer === undefined) return undefined;
	const key = textMember(query, 'key');
	const existing = await tx.attributes.first({
		where: [
			{ field: 'key', op: 'eq', value: key },
			{ field: 'owner', op: 'eq', value: owner === '' ? peer : owner },
			{ field: 'peer', op: 'eq', value: peer },
			{
				field: 'valueType',
				op: 'eq',
				value: textMember(objectMember(query, 'attributeCreationHints'), 'valueType'),
			},
		],
	});
	if (existing === undefined) return undefined;
	return requestErrors.create('invalidItem', {
		message: `A relationship attribute with the key '${key}', this owner and value type exists already.`,
	});
}

/** A peer may not pass off as its own what was not asked for, or what is not its own. */
function checkAnswer(
	query: JsonObject,
	attribute: JsonObject,
	{ peer }: ResponseContext,
): GatewayError | undefined {
	if (query['@type'] !== 'IdentityAttributeQuery') return undefined;
	const valueType = textMember(objectMember(attribute, 'value'), '@type');
	const fits =
		attribute['@type'] === 'IdentityAttribute' &&
		valueType === query['valueType'] &&
		attribute['owner'] === peer;
	if (fits) return undefined;
	return requestErrors.create('attributeQueryMismatch', {
		message: `The query asked for '${textMember(query, 'valueType')}' of the peer; '${valueType}' came.`,
	});
}
