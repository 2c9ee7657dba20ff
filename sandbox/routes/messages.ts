import { deletedIdentityPseudonyms } from '../../core/model/address';
import { BackboneError, invalid, invalidProperty, notFound } from '../http/backbone-error';
import { checkedBytes, JsonBody, maxContentBytes, requireId } from '../http/body';
import { created, ok, type Call, type Caller, type Route, type Sandbox } from '../http/context';
import { idsOf, paged } from '../http/paging';
import type { MessageRow } from '../state/records';
import { requireActive, requireAddress } from './identities';

/** docs/protocol/backbone-api.md 15 */
export const messageRoutes: readonly Route[] = [
	{
		method: 'POST',
		path: 'messages',
		handle: (call, sandbox) => {
			const { state, events } = sandbox;
			const caller = call.caller();
			requireActive(caller);
			const body = call.json();
			const content = body.bytes('body', 1, maxContentBytes);
			const attachments = body.array('attachments').map((item) => ({
				id: requireId('FIL', new JsonBody(item).get('id')),
			}));
			if (attachments.length > 20) throw invalidProperty('At most 20 attachments are allowed.');
			const recipients = readRecipients(call, sandbox, caller);
			const message: MessageRow = {
				id: state.newId('MSG'),
				createdAt: state.timestamp(),
				createdBy: caller.identity.address,
				createdByDevice: caller.device.id,
				body: content,
				attachments,
				recipients,
			};
			state.addMessage(message);
			for (const { address, relationshipId } of recipients) {
				const relationship = state.relationships.get(relationshipId);
				events.add(address, 'MessageReceived', { id: message.id }, relationship);
			}
			return created({ id: message.id, createdAt: message.createdAt });
		},
	},
	{
		method: 'GET',
		path: 'messages/{}',
		handle: (call, sandbox) => {
			const caller = call.caller();
			const message = sandbox.state.messages.get(call.parameters[0] ?? '');
			if (message === undefined || !isVisible(message, caller, sandbox)) throw notFound('Message');
			return ok(read(message, caller, sandbox));
		},
	},
	{
		method: 'GET',
		path: 'messages',
		handle: (call, sandbox) => {
			const caller = call.caller();
			const ids = idsOf(call.query);
			const own = sandbox.state.messagesOf.get(caller.identity.address) ?? [];
			const wanted = new Set(ids);
			const rows =
				ids.length === 0
					? own
					: own.length < ids.length * 4
						? own.filter(({ id }) => wanted.has(id))
						: ids
								.map((id) => sandbox.state.messages.get(id))
								.filter((row) => row !== undefined)
								.sort((a, b) => a.createdAt.localeCompare(b.createdAt));
			const visible = rows.filter((message) => isVisible(message, caller, sandbox));
			return paged(visible, call.query, (message) => read(message, caller, sandbox));
		},
	},
];

function readRecipients(
	call: Call,
	{ state, settings }: Sandbox,
	caller: Caller,
): MessageRow['recipients'] {
	const items = call.json().array('recipients');
	if (items.length < 1 || items.length > settings.maxMessageRecipients) {
		throw invalidProperty(`A message has 1 to ${settings.maxMessageRecipients} recipients.`);
	}
	const own = caller.identity.address;
	const recipients = items.map((item) => {
		const body = new JsonBody(item);
		const address = requireAddress(body.get('address'));
		const encryptedKey = checkedBytes(body.text('encryptedKey'), 'encryptedKey', 30, 300);
		const relationship = state.newestBetween(own, address);
		if (relationship === undefined) throw invalid('message.noRelationshipToRecipientExists');
		if (!['Pending', 'Active', 'Terminated'].includes(relationship.status)) {
			throw invalid('message.relationshipToRecipientNotActive');
		}
		if ((state.unreceived.get(`${own}|${address}`) ?? 0) >= settings.maxUnreceivedMessages) {
			throw new BackboneError(
				400,
				'error.platform.validation.message.maxNumberOfUnreceivedMessagesReached',
				'The recipient has too many unreceived messages from you.',
			);
		}
		return {
			address,
			encryptedKey,
			receivedAt: null,
			receivedByDevice: null,
			relationshipId: relationship.id,
		};
	});
	if (new Set(recipients.map(({ address }) => address)).size !== recipients.length) {
		throw invalidProperty('The recipients must differ from each other.');
	}
	return recipients;
}

/** Until the reader has decomposed; a sender as long as one recipient is left. */
function isVisible(message: MessageRow, { identity }: Caller, { state }: Sandbox): boolean {
	const isLeft = (relationshipId: string): boolean =>
		state.relationships.get(relationshipId)?.decomposedBy.includes(identity.address) !== true;
	if (message.createdBy === identity.address) {
		return message.recipients.some(({ relationshipId }) => isLeft(relationshipId));
	}
	const own = message.recipients.find(({ address }) => address === identity.address);
	return own !== undefined && isLeft(own.relationshipId);
}

/** Reading marks a message as received; a recipient sees its own entry only. */
function read(
	message: MessageRow,
	{ identity, device }: Caller,
	{ state, settings }: Sandbox,
): object {
	const isSender = message.createdBy === identity.address;
	const own = message.recipients.find(({ address }) => address === identity.address);
	if (!isSender && own?.receivedAt === null) {
		own.receivedAt = state.timestamp();
		own.receivedByDevice = device.id;
		state.countUnreceived(message.createdBy, own.address, -1);
	}
	const shown = message.recipients
		.filter(({ address }) => isSender || address === identity.address)
		.map(({ relationshipId, address, ...entry }) => {
			const isGone =
				isSender &&
				state.relationships.get(relationshipId)?.decomposedBy.includes(identity.address) === true;
			const pseudonym = isGone ? deletedIdentityPseudonyms(settings.hostname).backbone : address;
			return { address: pseudonym, ...entry };
		});
	return { ...message, recipients: shown };
}
