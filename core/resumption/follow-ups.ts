import type { Cancellable } from '../base/abort';
import { isoInstant } from '../base/clock';
import { isGatewayError } from '../base/errors';
import type { Logger } from '../base/logger';
import { memberOfGroup, removeWait } from '../domain/wait/group-wait';
import type { WaitService } from '../domain/wait/wait-service';
import type { UnaskedMember } from '../facade/waits';
import type { JsonObject } from '../model/json';
import type { NewWait, WaitRecord } from '../model/record/wait';
import type { Store } from '../store/store';

/** delay of a reminder or an escalation while the Backbone is away */
const againMs = 60_000;

export interface FollowUpDependencies {
	readonly store: Store;
	readonly logger: Logger;
	readonly waits: WaitService;
	/** Sends a mail; a repetition with the same key sends nothing. */
	readonly sendMail: (
		peer: string,
		mail: { readonly subject: string; readonly body: string },
		options: Cancellable & { readonly idempotencyKey: string },
	) => Promise<unknown>;
	readonly askPerson: AskPerson;
}

/** Puts a question to a person: a request, or a mail with `subject` and `body`. */
type AskPerson = (
	peer: string,
	content: JsonObject,
	options: {
		readonly idempotencyKey: string;
		readonly wait: NewWait;
		readonly signal: AbortSignal;
	},
) => Promise<unknown>;

type FollowUp = (
	wait: WaitRecord,
	dependencies: FollowUpDependencies,
	signal: AbortSignal,
) => Promise<void>;

/**
 * What is due besides a call of n8n; undefined if nothing is.
 *
 * @param now by the clock of the store
 */
export function followUpOf(wait: WaitRecord, now: string): FollowUp | undefined {
	const { outcome, reminder, group, until = '~' } = wait;
	if (outcome !== undefined) return wait.resumeUrl === '' ? forget : undefined;
	if (now >= until) return undefined;
	if (reminder !== undefined && reminder.at <= now) return remind;
	const at = group?.isAsked === true ? group.escalation?.at : undefined;
	return at !== undefined && at <= now ? escalate : undefined;
}

/** Removes a wait that resumes nothing, when its outcome has been kept long enough. */
async function forget({ id, key }: WaitRecord, { store }: FollowUpDependencies): Promise<void> {
	await store.transact(async (tx) => {
		const wait = (await tx.waits.get(id))?.record;
		if (wait?.key === key) await removeWait(tx, wait);
	});
}

/** Sends the reminder once, over crashes and from any number of processes. */
async function remind(
	{ id, key, peer, reminder }: WaitRecord,
	{ store, logger, sendMail }: FollowUpDependencies,
	signal: AbortSignal,
): Promise<void> {
	if (peer === undefined || reminder === undefined) return;
	let again: WaitRecord['reminder'];
	try {
		await sendMail(peer, reminder, { idempotencyKey: `reminder:${key}`, signal });
	} catch (error) {
		signal.throwIfAborted();
		const isTemporary = isGatewayError(error) && error.kind === 'unavailable';
		const facts = { wait: id, reason: String(error), isTemporary };
		logger.warn('a reminder of a waiting execution was not sent', facts);
		if (isTemporary) again = { ...reminder, at: isoInstant(store.clock.now() + againMs) };
	}
	await store.transact(async (tx) => {
		const wait = (await tx.waits.get(id))?.record;
		if (wait?.key !== key) return;
		const { reminder: _reminder, ...rest } = wait;
		await tx.waits.update(again === undefined ? rest : { ...rest, reminder: again });
	});
}

/**
 * Puts the question of a group to further people, each of them once, over crashes and from any number
 * of processes. Who cannot be asked counts as asked without an answer.
 */
async function escalate(
	wait: WaitRecord,
	{ store, waits, askPerson, logger }: FollowUpDependencies,
	signal: AbortSignal,
): Promise<void> {
	const { id, key, group } = wait;
	const { escalation, size = 0 } = group ?? {};
	if (escalation === undefined) return;
	const unasked: UnaskedMember[] = [];
	for (const [place, peer] of escalation.peers.entries()) {
		const index = size + place;
		if (peer === '') {
			unasked.push({ index, note: wait.note });
			continue;
		}
		const member = { ...memberOfGroup(wait, index), note: wait.note, resumeUrl: '' };
		const once = { idempotencyKey: `escalation:${member.key}`, wait: member, signal };
		try {
			await askPerson(peer, escalation.content, once);
		} catch (error) {
			signal.throwIfAborted();
			if (!isGatewayError(error)) throw error;
			logger.warn('a person was not asked', { wait: id, code: error.code });
			if (error.kind === 'unavailable') {
				await store.transact(async (tx) => {
					const stored = (await tx.waits.get(id))?.record;
					if (stored?.key !== key || stored.group?.escalation === undefined) return;
					const at = isoInstant(store.clock.now() + againMs);
					const later = { ...stored.group, escalation: { ...escalation, at } };
					await tx.waits.update({ ...stored, group: later });
				});
				return;
			}
			unasked.push({ index, peer, note: { code: error.code, message: error.message } });
		}
	}
	await waits.groupAsked(id, key, unasked, { signal });
}
