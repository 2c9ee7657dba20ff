import type { GatewayError } from '../../../base/errors';
import { refusedText } from '../../../model/content/attribute-texts';
import type { Attribute } from '../../../model/content/attributes';
import type { RequestItemOf } from '../../../model/content/requests/request-items';
import type { ResponseItem } from '../../../model/content/requests/response-items';
import { answerWithNewIdentityAttribute } from '../../attribute/shared-answers';
import { storeShared } from '../../attribute/shared-attributes';
import { requestErrors } from '../request-errors';
import { accepted, answeredBy, invalidItem } from './answers';
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
import { checkKeyIsNew } from './same-key';
import { checkReceivedTags } from './tags';

type CreateAttributeRequestItem = RequestItemOf<'CreateAttributeRequestItem'>;

const acceptType = 'CreateAttributeAcceptResponseItem';

/** Handles 'Please keep this attribute' (docs/protocol/consumption.md 6.5). */
export const createAttributeHandler: ItemHandler<CreateAttributeRequestItem> = {
	checkOutgoing: async ({ attribute }, context) => await checkOwner(attribute, context),

	createdKey: ({ attribute }) => keyOf(attribute),

	async checkAccept(item, _parameters, context) {
		const { attribute } = item;
		const { owner } = attribute;
		const key = keyOf(attribute);
		const owners = ['', context.ownAddress, ...(key === undefined ? [] : [context.peer])];
		if (!owners.includes(owner)) {
			return requestErrors.create('invalidAcceptParameters', {
				message:
					'The owner of the attribute is neither its recipient nor, for a relationship attribute, the peer.',
			});
		}
		const refused = context.hasOneId ? checkContentOf7(attribute) : undefined;
		if (refused !== undefined) return refused;
		return key === undefined ? undefined : await checkKeyIsFree(item, key, context);
	},

	async accept(item, _parameters, context) {
		const attribute = ownedBy(context.ownAddress, item.attribute);
		const { response } = await keep(attribute, context);
		return { response, item: { ...item, attribute } };
	},

	checkResponse: (item, response) =>
		answeredBy(
			item.attribute['@type'] === 'RelationshipAttribute'
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
		const attribute = ownedBy(context.peer, item.attribute);
		const effect = await applyAnswer(attribute, response, context);
		return { ...effect, item: { ...item, attribute } };
	},
};

function keyOf(attribute: Attribute): CreatedKey | undefined {
	if (attribute['@type'] !== 'RelationshipAttribute') return undefined;
	const { owner, key, value } = attribute;
	return { owner, key, valueType: value['@type'] };
}

/** Checks what version 7 refuses in a received attribute (docs/protocol/generation-7.md 8.3). */
function checkContentOf7(attribute: Attribute): GatewayError | undefined {
	const text = refusedText(attribute, 'asWritten');
	if (text === undefined) return checkReceivedTags(attribute);
	return requestErrors.create('unexpectedDuringItem', {
		message: 'The Attribute contains forbidden characters.',
		facts: { field: `attribute.${text.field}` },
	});
}

async function checkOwner(
	attribute: Attribute,
	{ tx, ownAddress, peer }: CheckDependencies,
): Promise<GatewayError | undefined> {
	const { owner } = attribute;
	const key = keyOf(attribute);
	if (key === undefined) {
		if (owner === '' || owner === peer) return undefined;
		return invalidItem(
			owner === ownAddress
				? 'An own identity attribute is shared, not created.'
				: "The owner of the identity attribute must be the recipient or ''.",
		);
	}
	if (owner !== '' && owner !== peer && owner !== ownAddress) {
		return invalidItem(
			"The owner of the relationship attribute must be the sender, the recipient or ''.",
		);
	}
	return await checkKeyIsNew(tx, key, peer);
}

async function keep(attribute: Attribute, context: AcceptDependencies): Promise<Acceptance> {
	const { tx, peer, requestId, writer } = context;
	const sharing = { peer, requestReference: requestId };
	if (attribute['@type'] === 'IdentityAttribute') {
		const given = await answerWithNewIdentityAttribute(tx, attribute, sharing, writer);
		return { response: itemFor(given, acceptType) };
	}
	const stored = await storeShared(tx, { content: attribute }, sharing, writer);
	if (stored === undefined) throw new TypeError('A fresh attribute ID is taken');
	return { response: accepted(acceptType, { attributeId: stored.id }) };
}

async function applyAnswer(
	attribute: Attribute,
	response: ResponseItem,
	context: ResponseDependencies,
): Promise<Effect> {
	const { tx, peer, requestId, writer } = context;
	if (response['@type'] === acceptType) {
		const { attributeId: id } = response;
		const sharing = { peer, requestReference: requestId };
		const stored = await storeShared(tx, { id, content: attribute }, sharing, writer);
		return stored === undefined ? { problem: takenId } : {};
	}
	if (response['@type'] !== 'AttributeSuccessionAcceptResponseItem') return {};
	return await keepSuccession(response, context);
}
