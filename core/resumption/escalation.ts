import { isoInstant } from '../base/clock';
import { isGatewayError } from '../base/errors';
import { memberOfGroup } from '../domain/wait/group-wait';
import type { UnaskedMember } from '../facade/waits';
import type { JsonObject } from '../model/json';
import type { NewWait, WaitRecord } from '../model/record/wait';
import type { ResumptionDependencies } from './resumption';

/** delay of an escalation while the Backbone is away */
const againMs = 60_000;

/** Puts a question to a person: a request, or a mail with `subject` and `body`. */
export type AskPerson = (
	peer: string,
	content: JsonObject,
	options: {
		readonly idempotencyKey: string;
		readonly wait: NewWait;
		readonly signal: AbortSignal;
	},
) => Promise<unknown>;

/**
 * Puts the question of a group to further people, each of them once, over crashes and from any number
 * of processes. Who cannot be asked counts as asked without an answer.
 */
export async function escalate(
	wait: WaitRecord,
	{ store, waits, askPerson, logger }: ResumptionDependencies,
	signal: AbortSignal,
): Promise<void> {
	const { id, key, group } = wait;
	const { escalation, size = 0 } = group ?? {};
	if (escalation === undefined) return;
	const unasked: UnaskedMember[] = [];
	for (const [place, peer] of escalation.peers.entries()) {
		const index = size + place;
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
