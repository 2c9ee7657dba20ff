import { isoInstant } from '../../../base/clock';
import type { GatewayError } from '../../../base/errors';
import type { MessageDto, MessageRecord, SendIntentRecord } from '../../../model/record/message';
import type { WriteTransaction } from '../../../store/store';
import type { MessageDependencies } from '../message-dependencies';
import { toMessageDto } from '../message-dto';
import { messageErrors } from '../message-errors';
import { publishMessage, publishNotSent } from '../message-events';
import { isAcceptedLater } from '../message-failures';
import type { LocalSends } from './local-sends';
import { scopeOfCompletion } from './send-scope';
import { fieldsOf, isSameClaim, sendStateOf, type SendIntent } from './send-states';
import {
	refusalOf,
	sendTransitions,
	transitionFrom,
	type SendTransition,
	type SendTransitionName,
} from './send-transitions';
import type { SentMessage } from './sent-messages';

/** `absentSince` of a refused message: the Backbone does not work on the call any more */
const afterRefusal = isoInstant(0);

/** Writes the transitions of sends that change more than a claim (send-transitions.ts). */
export class SendIntents {
	constructor(
		private readonly dependencies: Pick<
			MessageDependencies,
			'store' | 'account' | 'clock' | 'observers'
		>,
		private readonly local: LocalSends,
	) {}

	/** Makes the next sync send the message if the Backbone does not have it. */
	async request(tx: WriteTransaction, id: string): Promise<void> {
		await this.replaceState(tx, id, 'request');
	}

	/** Ends a request; the next sync still finds out whether the message was sent before. */
	async withdraw(tx: WriteTransaction, id: string): Promise<void> {
		await this.replaceState(tx, id, 'withdraw');
	}

	/** Removes a failed send, so that its idempotency key can be used again. */
	async forget(tx: WriteTransaction, id: string): Promise<void> {
		if ((await entryFor(tx, id, 'forget')) !== undefined) await tx.sendIntents.delete(id);
	}

	/** Stores the message that the Backbone has accepted; completing twice does no harm. */
	async complete({ record, secrets }: SendIntent, sent: SentMessage): Promise<MessageDto> {
		const { store, account, clock, observers } = this.dependencies;
		const scope = scopeOfCompletion(record.content, record.id);
		const completed = async (tx: WriteTransaction) => {
			const current = await entryFor(tx, record.id, 'complete');
			const message: MessageRecord = {
				id: sent.id,
				isOwn: true,
				createdBy: account.address,
				createdByDevice: account.deviceId,
				createdAt: sent.createdAt,
				content: record.content,
				recipients: current?.record.recipients ?? record.recipients,
				attachments: record.attachments,
				identity: record.bodyHash,
			};
			// No row: another process has stored the message, or its relationships were decomposed in the
			// meantime.
			if (current === undefined) return toMessageDto(message);
			if (await tx.messages.insertIfNew(message, { messageKey: secrets.messageKey })) {
				await publishMessage(tx, clock, sendTransitions.complete.publishes, message);
				await observers.notify('messageSent', tx, message);
			}
			const { postBody: _posted, absentSince: _absent, ...rest } = current.record;
			const done: SendIntentRecord = { ...rest, state: 'sent', messageId: sent.id, content: {} };
			await this.finish(tx, sendTransitions.complete, done);
			return toMessageDto(message);
		};
		return await store.transact(completed, { scope });
	}

	/** Stores that the Backbone does not accept the message; returns whether a sync tries again. */
	async refuse({ id }: SendIntentRecord, reason: GatewayError): Promise<'failed' | 'deferred'> {
		return await this.dependencies.store.transact(async (tx) => {
			const entry = await tx.sendIntents.get(id);
			const name = refusalOf(sendStateOf(entry?.record), isAcceptedLater(reason));
			if (entry !== undefined && name === 'deferRequired') {
				await tx.sendIntents.update({ ...entry.record, absentSince: afterRefusal });
				return 'deferred';
			}
			if (entry !== undefined && name !== undefined) await this.fail(tx, name, entry, reason);
			return 'failed';
		});
	}

	/**
	 * Stores that a message never reached the Backbone, unless a call for it has begun since the
	 * search.
	 */
	async giveUp(searched: SendIntentRecord): Promise<void> {
		const reason = messageErrors.create('notSent', {
			message: 'The Backbone does not have the message, and no call for it can still arrive there.',
		});
		await this.dependencies.store.transact(async (tx) => {
			const entry = await entryFor(tx, searched.id, 'giveUp');
			if (entry === undefined || !isSameClaim(entry.record, searched)) return;
			await this.fail(tx, 'giveUp', entry, reason);
		});
	}

	private async replaceState(
		tx: WriteTransaction,
		id: string,
		name: 'request' | 'withdraw',
	): Promise<void> {
		const entry = await entryFor(tx, id, name);
		if (entry === undefined) return;
		const { again: _again, ...rest } = entry.record;
		await tx.sendIntents.update({ ...rest, ...fieldsOf(sendTransitions[name].to) });
	}

	/** Erases the content of a failed send; the event or the caller still has it. */
	private async fail(
		tx: WriteTransaction,
		name: SendTransitionName,
		{ record }: SendIntent,
		{ code, message }: GatewayError,
	): Promise<void> {
		const transition: SendTransition = sendTransitions[name];
		if (transition.publishes !== undefined) {
			await publishNotSent(tx, this.dependencies.clock, record, { code, message });
		}
		const { postBody: _neverSent, absentSince: _absent, ...rest } = record;
		await this.finish(tx, transition, {
			...rest,
			state: 'failed',
			content: {},
			attachments: [],
			failure: { code, message },
		});
	}

	/** Keeps the row of a finished send only as long as the table of transitions says. */
	private async finish(
		tx: WriteTransaction,
		{ row }: SendTransition,
		record: SendIntentRecord,
	): Promise<void> {
		this.local.forget(record.id);
		await tx.work.delete(record.id);
		if (row === 'keptWithKey' && record.idempotencyKey === undefined) {
			await tx.sendIntents.delete(record.id);
		} else await tx.sendIntents.update(record, { messageKey: '' });
	}
}

/** Returns the send if the transition starts from its state. */
async function entryFor(
	tx: WriteTransaction,
	id: string,
	name: SendTransitionName,
): Promise<SendIntent | undefined> {
	const entry = await tx.sendIntents.get(id);
	return transitionFrom(name, sendStateOf(entry?.record)) === undefined ? undefined : entry;
}
