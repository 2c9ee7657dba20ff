import { waitErrors } from '../domain/wait/wait-errors';
import type { ProblemDto, RetriedProblemDto } from '../model/record/problem';
import type { WaitRecord } from '../model/record/wait';
import type { ReadTransaction, WriteTransaction } from '../store/store';

type Reader = Pick<ReadTransaction, 'waits'>;

/** Number of calls without success after which a wait is listed; n8n has then had half a minute. */
const callsBeforeListing = 6;

/** Waits whose outcome n8n does not take. */
export async function stuckWaits(tx: Reader): Promise<WaitRecord[]> {
	return (await tx.waits.list()).map(({ record }) => record).filter(isStuck);
}

export async function isWait(tx: Reader, id: string): Promise<boolean> {
	return (await tx.waits.get(id)) !== undefined;
}

/** Schedules another call for now. */
export async function resumeNow(tx: WriteTransaction, id: string, now: string): Promise<void> {
	const wait = (await tx.waits.get(id))?.record;
	if (wait?.resumption === undefined) return;
	await tx.waits.update({
		...wait,
		resumption: { ...wait.resumption, notBefore: now, isWanted: true },
	});
}

export async function judgeWait(
	tx: Reader,
	id: string,
): Promise<Pick<RetriedProblemDto, 'outcome' | 'code' | 'message'>> {
	const wait = (await tx.waits.get(id))?.record;
	if (wait === undefined || !isStuck(wait)) return { outcome: 'solved' };
	return { outcome: 'waiting', message: 'n8n is called as soon as the account is in use.' };
}

export function waitProblem({ id, kind, createdAt, resumption }: WaitRecord): ProblemDto {
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
