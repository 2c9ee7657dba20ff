import type { Cancellable } from '../../../base/abort';
import { isoInstant } from '../../../base/clock';
import { codeOf, isGatewayError } from '../../../base/errors';
import { SingleFlight } from '../../../base/single-flight';
import type { UnreadableItem } from '../../../backbone/port/backbone';
import { isOddAnswer } from '../../../backbone/port/odd-answer';
import type { WireMessage } from '../../../backbone/dto';
import { readCipherField } from '../../../crypto/json-forms';
import { lowestByClock, transmitCounters } from '../../relationship/transmit-counter';
import type { SendIntentRecord } from '../../../model/record/message';
import type { WriteTransaction } from '../../../store/store';
import { currentRelationships } from '../../current-relationship';
import { parkProblem } from '../../parked-problem';
import { isStoreAway, isUnanswered, Reachability } from '../../unfinished/reachability';
import type { MessageDependencies } from '../message-dependencies';
import { messageErrors } from '../message-errors';
import { ownMessageIn } from '../own-message-receipt';
import { ClockWatch } from './clock-watch';
import { markOfBody } from './key-mark';
import { openSends } from './send-states';
import { newestMessages, sealedBodyHash } from './sent-messages';

/** number of messages to inspect before the counters of the lost ones are estimated */
const longestSearch = 2_000;
/**
 * Limit for counters that the Backbone names; higher ones are ignored, because a hostile Backbone
 * could exhaust the rest.
 */
const believableCounter = 2 ** 31;
/** margin on the clock-based counter when the counters of lost messages are unknown */
const cautionMargin = 2 ** 16;
/** interval between two looks for another copy of the account */
const lookEveryMs = 10 * 60_000;
/** interval between two attempts to read a list that cannot be read */
const retryEveryMs = 60_000;

interface LostMessages {
	/** time of the newest message; the next check goes back no further */
	readonly newestAt: string | undefined;
	/** lowest counter that no lost message has used; undefined when the store has lost nothing */
	readonly nextCounter: number | undefined;
	/** true if a message of this account was found, and not only a long list that may hide one */
	readonly isFound: boolean;
	/** sends of these messages, as far as they are readable */
	readonly sends: readonly SendIntentRecord[];
}

/** Circumstances of a check. */
interface Check {
	readonly reconnections: number;
	/** number of times that the time of this process was found to be torn */
	readonly tears: number;
	readonly atMs: number;
}

/**
 * Detects that this store does not know messages of this account that the Backbone has. Either the
 * store was restored from an old backup, or the account is in use in another copy, or the machine
 * was set back to a snapshot. All counters are then raised above the counters of these messages
 * (`docs/adr/0026`). The check runs before the first sync and the first encryption after each
 * connection to the database, after the time of the process was torn, and every ten minutes of use.
 */
export class RestoredBackupGuard {
	private last: Check | undefined;

	/** the newest check since `last` whose list could not be read */
	private unread: Check | undefined;

	/** time of the newest message at the last check */
	private checkedTo: string | undefined;

	private tears = 0;

	private readonly watch = new ClockWatch();

	private readonly flight = new SingleFlight<void>();

	constructor(private readonly dependencies: Omit<MessageDependencies, 'beforeSealing'>) {}

	/**
	 * @throws errors of the Backbone while its messages are listed, unless sends may go on without
	 * the list
	 */
	async check(options: Cancellable): Promise<void> {
		const { store, clock, backbone } = this.dependencies;
		if (this.watch.isTorn(clock.now(), backbone.clockSkewMs)) this.tears++;
		if (this.isChecked()) return;
		await this.flight.run(async () => {
			const now: Check = {
				reconnections: store.reconnections,
				tears: this.tears,
				atMs: performance.now(),
			};
			try {
				this.checkedTo = (await this.checkNow(now, options)) ?? this.checkedTo;
			} catch (error) {
				if (!(await this.mayGoOn(error, now, options))) throw error;
				await this.goOnUnread(now, error);
				return;
			}
			this.last = now;
			this.unread = undefined;
		}, options);
	}

	private isChecked(): boolean {
		return this.holds(this.last, lookEveryMs) || this.holds(this.unread, retryEveryMs);
	}

	private holds(check: Check | undefined, forMs: number): boolean {
		const { reconnections } = this.dependencies.store;
		if (!isAlike(check, { reconnections, tears: this.tears })) return false;
		return performance.now() - check.atMs < forMs;
	}

	/**
	 * True if the Backbone works, but not its list of messages: no send would ever succeed again. A
	 * list without an answer is waited for if nothing was checked since the connection to the
	 * database.
	 */
	private async mayGoOn(error: unknown, now: Check, options: Cancellable): Promise<boolean> {
		if (!isGatewayError(error)) return false;
		if (isOddAnswer(error)) return true;
		if (!isUnanswered(error) || isStoreAway(error)) return false;
		if (this.last?.reconnections !== now.reconnections) return false;
		return await new Reachability(this.dependencies.backbone, options).isReachable();
	}

	/** Without the list, the counters of lost messages are estimated. */
	private async goOnUnread(now: Check, error: unknown): Promise<void> {
		const { store, logger } = this.dependencies;
		if (!isAlike(this.last, now) && !isAlike(this.unread, now)) {
			const text =
				'the messages at the Backbone cannot be listed: encryption counters are moved forward';
			logger.warn(text, { code: codeOf(error) });
			const counter = this.cautiousCounter();
			await store.transact(async (tx) => {
				await tx.counters.raiseAll(transmitCounters, counter);
				await tx.counters.beginBlock(counter);
			});
		}
		this.unread = now;
	}

	/**
	 * Checks for a sync, which goes on if the check fails: the sync only receives messages, while
	 * only sent messages use counters.
	 */
	async checkIfPossible(options: Cancellable): Promise<void> {
		try {
			await this.check(options);
		} catch (error) {
			if (!isGatewayError(error)) throw error;
			const { code } = error;
			this.dependencies.logger.debug('whether the store is an old backup is asked again', { code });
		}
	}

	/** Returns the time of the newest message. */
	private async checkNow(now: Check, options: Cancellable): Promise<string | undefined> {
		const { store, logger } = this.dependencies;
		const before = await store.read(
			async (tx) => ({
				// Without relationships, no counter was ever used for encryption.
				isFresh: (await tx.relationships.first()) === undefined,
				checkedTo: (await tx.syncState.get('sync'))?.record.ownMessagesCheckedTo,
			}),
			options,
		);
		if (before.isFresh) return undefined;
		// Since an earlier check of this process, the database can have lost nothing.
		const isRepeated = this.last?.reconnections === now.reconnections;
		const { newestAt, nextCounter, isFound, sends } = isRepeated
			? await this.findLostMessages(isNotAfter(this.checkedTo), false, options)
			: // What was sent without a check hides what was lost before.
				await this.findLostMessages(isBefore(before.checkedTo), this.unread === undefined, options);
		if (nextCounter !== undefined && !isRepeated) {
			logger.warn('the store may be an old backup: encryption counters are moved forward');
		}
		const isTorn = isRepeated && this.last?.tears !== now.tears;
		const isUnchanged = newestAt === undefined || newestAt === before.checkedTo;
		if (nextCounter === undefined && isUnchanged && !isTorn) return newestAt;
		await store.transact(async (tx) => {
			if (nextCounter !== undefined) await tx.counters.raiseAll(transmitCounters, nextCounter);
			if (nextCounter !== undefined || isTorn) await tx.counters.beginBlock(nextCounter ?? 0);
			if (isFound && isRepeated) await this.report(tx);
			for (const send of sends) await noteSend(tx, send);
			const state = (await tx.syncState.get('sync'))?.record;
			if (state === undefined) return;
			await tx.syncState.update({
				...state,
				...(newestAt === undefined ? {} : { ownMessagesCheckedTo: newestAt }),
				// External events since the backup were delivered to the lost store, so the next sync
				// compares all objects.
				...(nextCounter === undefined ? {} : { reconciliationNeeded: true }),
				...(isFound ? { hasLostMessages: true as const } : {}),
			});
		});
		return newestAt;
	}

	/** Another copy has sent messages while this one was in use. */
	private async report(tx: WriteTransaction): Promise<void> {
		const { clock, logger } = this.dependencies;
		const reason = messageErrors.create('sentByAnotherCopy', {
			message:
				'The Backbone has messages of this account that this copy has not sent. Another copy of the account is in use, or this machine was set back to a snapshot.',
		});
		logger.warn('another copy of the account sends messages', { code: reason.code });
		await parkProblem(tx, isoInstant(clock.now()), {
			id: 'another-copy',
			type: 'AnotherCopy',
			payload: {},
			reason,
		});
	}

	/**
	 * Walks back to the start of the last check or, if it may end earlier, to the newest message of
	 * this account that the store knows: it is older than a backup. Received messages prove nothing:
	 * a sync may have stored them since.
	 */
	private async findLostMessages(
		isChecked: (createdAt: string) => boolean,
		endsAtKnown: boolean,
		options: Cancellable,
	): Promise<LostMessages> {
		const { account } = this.dependencies;
		let newestAt: string | undefined;
		let nextCounter: number | undefined;
		let isFound = false;
		const sends = new Map<string, SendIntentRecord>();
		let seen = 0;
		for await (const message of newestMessages(this.dependencies, options)) {
			// The time of an unreadable message is unknown, so each later check would find it again.
			if ('problem' in message && !endsAtKnown) continue;
			if (!('problem' in message)) {
				newestAt ??= message.createdAt;
				if (isChecked(message.createdAt)) break;
			}
			if ((message.createdBy ?? account.address) === account.address) {
				const known = await this.knowledgeOf(message);
				if (known === 'known' && endsAtKnown) break;
				isFound ||= known === 'unknown';
				if (known === 'unknown') {
					nextCounter = Math.max(nextCounter ?? 0, this.counterAfter(message));
					// Of a message that the Backbone shows several times, the oldest counts.
					if (!('problem' in message)) sends.set(sealedBodyHash(message.body), sendOf(message));
				}
			}
			if (++seen >= longestSearch) {
				nextCounter = Math.max(nextCounter ?? 0, this.cautiousCounter());
				break;
			}
		}
		return { newestAt, nextCounter, isFound, sends: [...sends.values()] };
	}

	/**
	 * `known`: the message is stored, or its send is open and has its counters reserved. `again`: it
	 * is stored under another id, so its time proves nothing.
	 */
	private async knowledgeOf(
		message: WireMessage | UnreadableItem,
	): Promise<'known' | 'again' | 'unknown'> {
		return await this.dependencies.store.read(async (tx) => {
			if ((await tx.messages.get(message.id ?? '')) !== undefined) return 'known';
			if ('problem' in message) return 'unknown';
			if ((await ownMessageIn(tx, message)) !== undefined) return 'again';
			const open = await tx.sendIntents.list({ where: openSends });
			const isOpen = open.some(({ record }) => record.bodyHash === sealedBodyHash(message.body));
			return isOpen ? 'known' : 'unknown';
		});
	}

	/** Reads the counters, which are not encrypted, and returns the number after the highest. */
	private counterAfter(message: WireMessage | UnreadableItem): number {
		if ('problem' in message) return this.cautiousCounter();
		const counters = message.recipients.map(({ encryptedKey }) => {
			try {
				return readCipherField(encryptedKey).cnt ?? 0;
			} catch {
				// Unknown form: this account did not write the message.
				return 0;
			}
		});
		return Math.max(0, ...counters.filter((counter) => counter < believableCounter)) + 1;
	}

	private cautiousCounter(): number {
		return lowestByClock(this.dependencies) + cautionMargin;
	}
}

/** True for a check of the same connection to the database, between the same two tears. */
function isAlike(
	check: Check | undefined,
	{ reconnections, tears }: Pick<Check, 'reconnections' | 'tears'>,
): check is Check {
	return check?.reconnections === reconnections && check.tears === tears;
}

function isBefore(end: string | undefined): (instant: string) => boolean {
	return (instant) => end !== undefined && Date.parse(instant) < Date.parse(end);
}

function isNotAfter(end: string | undefined): (instant: string) => boolean {
	return (instant) => end !== undefined && Date.parse(instant) <= Date.parse(end);
}

/** The send of a lost message, which a repetition under the same idempotency key finds. */
function sendOf({ id, createdAt, body, recipients }: WireMessage): SendIntentRecord {
	const idempotencyKey = markOfBody(body);
	return {
		id: `SND${id}`,
		...(idempotencyKey === undefined ? {} : { idempotencyKey }),
		state: 'sent',
		createdAt,
		bodyHash: sealedBodyHash(body),
		recipients: recipients.map(({ address }) => ({ address })),
		content: {},
		attachments: [],
		messageId: id,
	};
}

/** Without a key, and without a recipient whose decomposition removes the row, nothing is kept. */
async function noteSend(tx: WriteTransaction, send: SendIntentRecord): Promise<void> {
	if (send.idempotencyKey === undefined) return;
	const addresses = send.recipients.map(({ address }) => address);
	const known = await currentRelationships(tx, addresses);
	const recipients = send.recipients.flatMap(({ address }) => {
		const relationship = known.get(address);
		return relationship === undefined ? [] : [{ address, relationshipId: relationship.record.id }];
	});
	if (recipients.length === 0) return;
	await tx.sendIntents.insertIfNew({ ...send, recipients }, { messageKey: '' });
}
