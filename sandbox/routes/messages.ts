import { pseudonymOf } from '../address';
import { BackboneError, invalid, invalidProperty, notFound } from '../http/backbone-error';
import { checkedBytes, isId, JsonBody, maxContentBytes, requireId } from '../http/body';
import { created, ok, type Call, type Caller, type Route, type Sandbox } from '../http/context';
import { byCreation, idsOf, paged } from '../http/paging';
import type { MessageRow } from '../state/records';
import { requireAddress } from './identities';

/** @see docs/protocol/backbone-api.md 15 */
export const messageRoutes: readonly Route[] = [
	{
		method: 'POST',
		path: 'messages',
		handle: (call, sandbox) => {
			const { state, events, quotas } = sandbox;
			const caller = call.caller();
			quotas.require(caller.identity, 'NumberOfSentMessages');
			const content = call.json().bytes('body', 1, maxContentBytes);
			const attachments = readAttachments(call);
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
			const message = sandbox.state.messages.get(requireId('MSG', call.parameters[0]));
			if (message === undefined || !isVisible(message, caller, sandbox)) throw notFound('Message');
			return ok(read(message, caller, sandbox));
		},
	},
	{
		method: 'GET',
		path: 'messages',
		handle: (call, sandbox) => {
			const caller = call.caller();
			const ids = idsOf(call.query, 'MSG');
			const rows =
				ids.length === 0
					? (sandbox.state.messagesOf.get(caller.identity.address) ?? [])
					: ids
							.map((id) => sandbox.state.messages.get(id))
							.filter((row) => row !== undefined)
							.sort(byCreation);
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
	const named = items.map((item) => {
		const body = new JsonBody(item);
		const address = requireAddress(body.get('address'));
		return {
			address,
			encryptedKey: checkedBytes(body.text('encryptedKey'), 'encryptedKey', 30, 300),
		};
	});
	if (new Set(named.map(({ address }) => address)).size !== named.length) {
		throw invalidProperty('The recipients must differ from each other.');
	}
	return named.map(({ address, encryptedKey }) => {
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
}

/** Reads attachments without checking that the files exist. */
function readAttachments(call: Call): MessageRow['attachments'] {
	const attachments = call
		.json()
		.array('attachments')
		.map((item) => {
			const id = new JsonBody(item).get('id');
			if (isId('FIL', id)) return { id };
			throw new BackboneError(400, 'PredicateValidator', 'An attachment is not a file.');
		});
	if (attachments.length > 20) throw invalidProperty('At most 20 attachments are allowed.');
	return attachments;
}

/**
 * Tells whether the caller sees a message: a recipient until its decomposition is processed, the
 * sender while one recipient is left.
 */
function isVisible(message: MessageRow, { identity }: Caller, { state }: Sandbox): boolean {
	const isLeft = (relationshipId: string): boolean =>
		state.relationships.get(relationshipId)?.departed.includes(identity.address) === false;
	if (message.createdBy === identity.address) {
		return message.recipients.some(({ relationshipId }) => isLeft(relationshipId));
	}
	const own = message.recipients.find(({ address }) => address === identity.address);
	return own !== undefined && isLeft(own.relationshipId);
}

/** Shows a message and marks it as received; a recipient sees its own entry only. */
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
		state.messages.save(message);
		state.countUnreceived(message.createdBy, own.address, -1);
	}
	const shown = message.recipients
		.filter(({ address }) => isSender || address === identity.address)
		.map(({ relationshipId, address, ...entry }) => {
			const isGone =
				isSender &&
				state.relationships.get(relationshipId)?.departed.includes(identity.address) !== false;
			const pseudonym = isGone ? pseudonymOf(settings.hostname) : address;
			return { address: pseudonym, ...entry };
		});
	const { repeats: _repeats, ...answer } = message;
	return { ...answer, recipients: shown };
}
