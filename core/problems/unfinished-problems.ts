import { isoInstant, type Clock } from '../base/clock';
import { endOperation } from '../domain/relationship/relationship-actions';
import {
	answering,
	deletionPiece,
	nameOf,
	readPiece,
	writeRetry,
	type UnfinishedPiece,
} from '../domain/unfinished/unfinished-rows';
import { wantedNow } from '../domain/unfinished/retry-rules';
import {
	answerAgain,
	giveAnswerUp,
	refusedAnswer,
	refusedAnswers,
	type RefusedAnswer,
} from '../domain/request/refused-answers';
import type { ProblemDto, RetriedProblemDto } from '../model/record/problem';
import type { RelationshipIntentRecord } from '../model/record/relationship';
import type { RetryState } from '../model/record/retry-state';
import type { ReadTransaction, WriteTransaction } from '../store/store';
import { adviceOn, adviceOnRefusedAnswer, isDiscardable } from './unfinished-advice';

/**
 * Delay before listing: a creation that arrived is usually answered, or found by a reconciliation,
 * earlier.
 */
const creationDelayMs = 3_600_000;

type Reader = Pick<
	ReadTransaction,
	| 'objectIntents'
	| 'relationships'
	| 'relationshipIntents'
	| 'requests'
	| 'sendIntents'
	| 'syncState'
>;

/** Changes made here that are unfinished for a long time; sends are problems of their own kind. */
export async function unfinishedProblems(tx: Reader, clock: Clock): Promise<ProblemDto[]> {
	const pieces: UnfinishedPiece[] = [deletionPiece];
	const [objects, relationships, requests] = [
		await tx.objectIntents.list(),
		await tx.relationships.list({ where: [{ field: 'operation', op: 'exists' }] }),
		await tx.requests.list({ where: [{ field: 'pending', op: 'exists' }] }),
	];
	for (const { record } of objects) pieces.push({ row: 'objectIntents', id: record.id });
	for (const { record } of relationships) pieces.push({ row: 'relationships', id: record.id });
	for (const { record } of requests) pieces.push({ row: 'requests', id: record.id });
	const answered = requests
		.filter(({ record }) => record.retry?.isReported === true)
		.map(({ record }) => record.source?.reference ?? '');
	const problems: ProblemDto[] = [];
	for (const piece of pieces) {
		const open = await readPiece(tx, piece);
		if (open?.retry?.isReported === true) {
			problems.push(unfinishedProblem(piece, open.change, open.retry));
		}
	}
	const refused = await refusedAnswers(tx);
	return [
		...problems,
		...refused.map(refusedProblem),
		...(await lostCreations(tx, clock, new Set(answered))),
	];
}

function refusedProblem(request: RefusedAnswer): ProblemDto {
	const { id, createdAt, response, deliveryFailure } = request;
	const { code, message, at = response?.createdAt ?? createdAt } = deliveryFailure;
	return {
		id,
		kind: 'unfinishedChange',
		subject: answering(request),
		since: at,
		code,
		message: `${message} ${adviceOnRefusedAnswer}`,
		isRetriedAutomatically: false,
		isDiscardable: true,
	};
}

function unfinishedProblem(
	piece: UnfinishedPiece,
	change: string,
	{ firstFailedAt, lastFailure, notBefore }: RetryState,
): ProblemDto {
	return {
		id: nameOf(piece),
		kind: 'unfinishedChange',
		subject: change,
		since: firstFailedAt,
		...(lastFailure === undefined ? {} : { code: lastFailure.code }),
		message: [lastFailure?.message, adviceOn(change)].filter(Boolean).join(' '),
		isRetriedAutomatically: true,
		isDiscardable: isDiscardable(change),
		...(notBefore === undefined ? {} : { nextTryAt: notBefore }),
	};
}

/**
 * One problem per template, unless its relationship exists or the answer to its request is listed.
 */
async function lostCreations(
	tx: Reader,
	clock: Clock,
	listed: ReadonlySet<string>,
): Promise<ProblemDto[]> {
	const latest = isoInstant(clock.now() - creationDelayMs);
	const byTemplate = new Map<string, RelationshipIntentRecord>();
	for (const { record } of await tx.relationshipIntents.list()) {
		const { templateId, createdAt } = record;
		if (createdAt > latest || listed.has(templateId)) continue;
		if (!byTemplate.has(templateId)) byTemplate.set(templateId, record);
	}
	if (byTemplate.size === 0) return [];
	const arrived = await tx.relationships.list({
		where: [{ field: 'templateId', op: 'in', value: [...byTemplate.keys()] }],
	});
	for (const { record } of arrived) byTemplate.delete(record.templateId);
	return [...byTemplate.values()].map(({ id, createdAt }) => ({
		id,
		kind: 'unfinishedChange',
		subject: 'createRelationship',
		since: createdAt,
		message: adviceOn('createRelationship'),
		isRetriedAutomatically: true,
		isDiscardable: false,
	}));
}

/** Unfinished work behind a problem; undefined if there is none with that id. */
export async function findUnfinished(
	tx: Reader,
	problemId: string,
): Promise<UnfinishedPiece | RefusedAnswer | 'creation' | undefined> {
	const pieces: UnfinishedPiece[] = [
		{ row: 'objectIntents', id: problemId },
		{ row: 'relationships', id: problemId },
		{ row: 'requests', id: problemId },
	];
	if (problemId === nameOf(deletionPiece)) pieces.push(deletionPiece);
	for (const piece of pieces) if ((await readPiece(tx, piece)) !== undefined) return piece;
	const refused = await refusedAnswer(tx, problemId);
	if (refused !== undefined) return refused;
	return (await tx.relationshipIntents.get(problemId)) === undefined ? undefined : 'creation';
}

/** Schedules an attempt for the next sync; a creation is looked for by a reconciliation. */
export async function tryUnfinishedNow(tx: WriteTransaction, problemId: string): Promise<void> {
	const found = await findUnfinished(tx, problemId);
	if (found === 'creation') {
		const state = (await tx.syncState.get('sync'))?.record;
		if (state !== undefined) await tx.syncState.update({ ...state, reconciliationNeeded: true });
		return;
	}
	if (found === undefined) return;
	if ('row' in found) await tryPieceNow(tx, found);
	else await answerAgain(tx, found);
}

/** Ends a message's delay before its next attempt. */
export async function trySendingNow(tx: WriteTransaction, intentId: string): Promise<void> {
	await tryPieceNow(tx, { row: 'sendIntents', id: intentId });
}

async function tryPieceNow(tx: WriteTransaction, piece: UnfinishedPiece): Promise<void> {
	const retry = (await readPiece(tx, piece))?.retry;
	if (retry !== undefined) await writeRetry(tx, piece, wantedNow(retry));
}

/** Outcome of a requested attempt; a failed one has a new time for the next attempt. */
export async function judgeUnfinished(
	tx: Reader,
	problemId: string,
): Promise<Pick<RetriedProblemDto, 'outcome' | 'code' | 'message'>> {
	const found = await findUnfinished(tx, problemId);
	if (found === undefined) return { outcome: 'solved' };
	if (found === 'creation') return { outcome: 'waiting', message: adviceOn('createRelationship') };
	if (!('row' in found)) return { outcome: 'failed', ...failureOf(found) };
	const retry = (await readPiece(tx, found))?.retry;
	return { outcome: retry?.notBefore === undefined ? 'waiting' : 'failed', ...retry?.lastFailure };
}

/** Forgets a change; its effects at the Backbone remain. */
export async function discardUnfinished(tx: WriteTransaction, problemId: string): Promise<void> {
	const found = await findUnfinished(tx, problemId);
	if (found === undefined || found === 'creation') return;
	if (!('row' in found)) return await giveAnswerUp(tx, found);
	if (found.row === 'objectIntents') await tx.objectIntents.delete(found.id);
	if (found.row === 'relationships') await endOperation(tx, found.id);
}

function failureOf({ deliveryFailure }: RefusedAnswer): { code: string; message: string } {
	const { code, message } = deliveryFailure;
	return { code, message };
}
