import { isoInstant, type Clock } from '../base/clock';
import { removeWait } from '../domain/wait/group-wait';
import { waitErrors } from '../domain/wait/wait-errors';
import type { ProblemDto } from '../model/record/problem';
import type { WaitRecord } from '../model/record/wait';
import type { ProblemSource } from './problem-source';

/** Number of calls without success after which a wait is listed; n8n has then had half a minute. */
const callsBeforeListing = 6;

/**
 * Executions that n8n does not continue.
 *
 * @param clock clock of the store
 */
export function waitProblems(clock: Clock): ProblemSource {
	return {
		kind: 'wait',
		list: async (tx) =>
			(await tx.waits.list()).flatMap(({ record }) => (isStuck(record) ? problemOf(record) : [])),
		// A wait without a planned call has no failed one.
		count: async (tx) => {
			const planned = await tx.waits.list({ where: [{ field: 'dueAt', op: 'exists' }] });
			return planned.filter(({ record }) => isStuck(record)).length;
		},
		retry: async (tx, id) => {
			const wait = (await tx.waits.get(id))?.record;
			if (wait?.resumption === undefined) return wait !== undefined;
			const notBefore = isoInstant(clock.now());
			await tx.waits.update({
				...wait,
				resumption: { ...wait.resumption, notBefore, isWanted: true },
			});
			return true;
		},
		judge: async (tx, id) => {
			const wait = (await tx.waits.get(id))?.record;
			if (wait === undefined || !isStuck(wait)) return { outcome: 'solved' };
			return { outcome: 'waiting', message: 'n8n is called as soon as the account is in use.' };
		},
		discard: async (tx, id) => {
			const wait = (await tx.waits.get(id))?.record;
			if (wait !== undefined) await removeWait(tx, wait);
		},
	};
}

function problemOf({ id, kind, createdAt, resumption }: WaitRecord): ProblemDto {
	const failure = resumption?.failure;
	return {
		id,
		kind: 'wait',
		subject: kind,
		since: failure?.since ?? createdAt,
		code: failure?.code ?? waitErrors.notResumed.code,
		message:
			`${failure?.message ?? ''} ${resumption?.isTaken === true ? afterTaken : stillWaits}`.trim(),
		isRetriedAutomatically: true,
		isDiscardable: true,
		...(resumption === undefined ? {} : { nextTryAt: resumption.notBefore }),
	};
}

const stillWaits = 'The execution still waits, although its answer has arrived.';
const afterTaken =
	'n8n has taken the answer, and may have ended while it ran the execution. If n8n lists the execution as crashed, retry it there: it goes on with the answer.';

function isStuck({ resumption }: WaitRecord): boolean {
	return resumption?.failure !== undefined && resumption.calls >= callsBeforeListing;
}
