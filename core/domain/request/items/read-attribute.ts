import type { GatewayError } from '../../../base/errors';
import { objectMember, textMember } from '../../../model/content/members';
import type { JsonObject } from '../../../model/json';
import { mismatchOf } from '../../attribute/query-match';
import { storePeerShared, storePeerSuccessor } from '../../attribute/shared-attributes';
import { requestErrors } from '../request-errors';
import type { CheckContext, ItemHandler, ResponseContext } from './item-handler';
import { sameKeyExists } from './same-key';

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
				return checkFit(item, objectMember(response, 'attribute'), context);
			case 'AttributeSuccessionAcceptResponseItem':
				return checkFit(item, objectMember(response, 'successorContent'), context);
			case 'AttributeAlreadySharedAcceptResponseItem':
				return undefined;
			default:
				return requestErrors.create('responseMismatch', {
					message: `A ReadAttributeRequestItem was answered with '${textMember(response, '@type')}'.`,
				});
		}
	},

	async applyResponse(_item, response, context) {
		switch (response['@type']) {
			case 'ReadAttributeAcceptResponseItem':
				return await applyAttribute(response, context);
			case 'AttributeSuccessionAcceptResponseItem':
				return await applySuccession(response, context);
			default:
				return undefined;
		}
	},
};

async function applyAttribute(
	response: JsonObject,
	context: ResponseContext,
): Promise<string | undefined> {
	const id = textMember(response, 'attributeId');
	const thirdPartyAddress = textMember(response, 'thirdPartyAddress');
	const isStored = await storePeerShared(
		context.tx,
		{ id, content: objectMember(response, 'attribute') },
		{
			...sharingOf(context),
			...(thirdPartyAddress === '' ? {} : { thirdPartyAddress }),
		},
	);
	return isStored ? undefined : 'the attribute ID that the peer chose is taken or malformed';
}

async function applySuccession(
	response: JsonObject,
	context: ResponseContext,
): Promise<string | undefined> {
	const isStored = await storePeerSuccessor(
		context.tx,
		{
			id: textMember(response, 'successorId'),
			predecessorId: textMember(response, 'predecessorId'),
			content: objectMember(response, 'successorContent'),
		},
		sharingOf(context),
	);
	return isStored ? undefined : 'the attribute succeeds none that the peer has shared before';
}

function sharingOf({ peer, requestId, now }: ResponseContext) {
	return { peer, requestReference: requestId, now };
}

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
	const valueType = textMember(objectMember(query, 'attributeCreationHints'), 'valueType');
	const wanted = { owner: owner === '' ? peer : owner, key, valueType, peer };
	if (!(await sameKeyExists(tx, wanted))) return undefined;
	return requestErrors.create('invalidItem', {
		message: `A relationship attribute with the key '${key}', this owner and value type exists already.`,
	});
}

/** A peer may not pass off as its own what was not asked for, or what is not its own. */
function checkFit(
	item: JsonObject,
	attribute: JsonObject,
	{ ownAddress, peer }: Omit<ResponseContext, 'tx'>,
): GatewayError | undefined {
	const parties = { sender: ownAddress, recipient: peer };
	const mismatch = mismatchOf(objectMember(item, 'query'), attribute, parties);
	if (mismatch === undefined) return undefined;
	return requestErrors.create('attributeQueryMismatch', {
		message: `The attribute of the answer does not fit the query: ${mismatch}.`,
	});
}
