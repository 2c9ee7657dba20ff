import type { GatewayError } from '../../../base/errors';
import { objectMember, textMember } from '../../../model/content/members';
import type { JsonObject } from '../../../model/json';
import { answerWithNewIdentityAttribute } from '../../attribute/shared-answers';
import { storeShared } from '../../attribute/shared-attributes';
import { requestErrors } from '../request-errors';
import { accepted, answeredBy } from './answers';
import { checkKeyIsFree, itemFor, keepSuccession, ownedBy, takenId } from './attribute-answers';
import type {
	Acceptance,
	AcceptDependencies,
	CheckDependencies,
	CreatedKey,
	Effect,
	ItemHandler,
	ResponseDependencies,
} from './item-handler';
import { sameKeyExists } from './same-key';

const acceptType = 'CreateAttributeAcceptResponseItem';

/** Handles 'Please keep this attribute' (docs/protocol/consumption.md 6.5). */
export const createAttributeHandler: ItemHandler = {
	checkOutgoing: async (item, context) =>
		await checkOwner(objectMember(item, 'attribute'), context),

	createdKey: (item) => keyOf(objectMember(item, 'attribute')),

	async checkAccept(item, _parameters, context) {
		const attribute = objectMember(item, 'attribute');
		const owner = textMember(attribute, 'owner');
		const key = keyOf(attribute);
		const owners = ['', context.ownAddress, ...(key === undefined ? [] : [context.peer])];
		if (!owners.includes(owner)) {
			return requestErrors.create('invalidAcceptParameters', {
				message:
					'The owner of the attribute is neither its recipient nor, for a relationship attribute, the peer.',
			});
		}
		return key === undefined ? undefined : await checkKeyIsFree(item, key, context);
	},

	async accept(item, _parameters, context) {
		const attribute = ownedBy(context.ownAddress, objectMember(item, 'attribute'));
		const { response } = await keep(attribute, context);
		return { response, item: { ...item, attribute } };
	},

	checkResponse: (item, response) =>
		answeredBy(
			isRelationshipAttribute(objectMember(item, 'attribute'))
				? [acceptType]
				: [
						acceptType,
						'AttributeAlreadySharedAcceptResponseItem',
						'AttributeSuccessionAcceptResponseItem',
					],
			item,
			response,
		),

	async applyResponse(item, response, context) {
		const attribute = ownedBy(context.peer, objectMember(item, 'attribute'));
		const effect = await applyAnswer(attribute, response, context);
		return { ...effect, item: { ...item, attribute } };
	},
};

function isRelationshipAttribute(attribute: JsonObject): boolean {
	return attribute['@type'] === 'RelationshipAttribute';
}

function keyOf(attribute: JsonObject): CreatedKey | undefined {
	if (!isRelationshipAttribute(attribute)) return undefined;
	return {
		owner: textMember(attribute, 'owner'),
		key: textMember(attribute, 'key'),
		valueType: textMember(objectMember(attribute, 'value'), '@type'),
	};
}

async function checkOwner(
	attribute: JsonObject,
	{ tx, ownAddress, peer }: CheckDependencies,
): Promise<GatewayError | undefined> {
	const owner = textMember(attribute, 'owner');
	const key = keyOf(attribute);
	if (key === undefined) {
		if (owner === '' || owner === peer) return undefined;
		return invalid(
			owner === ownAddress
				? 'An own identity attribute is shared, not created.'
				: "The owner of the identity attribute must be the recipient or ''.",
		);
	}
	if (owner !== '' && owner !== peer && owner !== ownAddress) {
		return invalid(
			"The owner of the relationship attribute must be the sender, the recipient or ''.",
		);
	}
	if (peer === undefined) return undefined;
	const existing = { ...key, owner: owner === '' ? peer : owner, peer };
	if (!(await sameKeyExists(tx, existing))) return undefined;
	return invalid(
		`A relationship attribute with the key '${key.key}', this owner and value type exists already.`,
	);
}

async function keep(attribute: JsonObject, context: AcceptDependencies): Promise<Acceptance> {
	const { tx, peer, requestId, writer } = context;
	const sharing = { peer, requestReference: requestId };
	if (!isRelationshipAttribute(attribute)) {
		const given = await answerWithNewIdentityAttribute(tx, attribute, sharing, writer);
		return { response: itemFor(given, acceptType) };
	}
	const stored = await storeShared(tx, { content: attribute }, sharing, writer);
	if (stored === undefined) throw new TypeError('A fresh attribute ID is taken');
	return { response: accepted(acceptType, { attributeId: stored.id }) };
}

async function applyAnswer(
	attribute: JsonObject,
	response: JsonObject,
	context: ResponseDependencies,
): Promise<Effect> {
	const { tx, peer, requestId, writer } = context;
	if (response['@type'] === acceptType) {
		const id = textMember(response, 'attributeId');
		const sharing = { peer, requestReference: requestId };
		const stored = await storeShared(tx, { id, content: attribute }, sharing, writer);
		return stored === undefined ? { problem: takenId } : {};
	}
	if (response['@type'] !== 'AttributeSuccessionAcceptResponseItem') return {};
	return await keepSuccession(response, context);
}

function invalid(message: string): GatewayError {
	return requestErrors.create('invalidItem', { message });
}
