import { isoInstant, type Clock } from '../base/clock';
import { wantedNow } from '../domain/unfinished/ledger';
import type { ProblemDto } from '../model/record/problem';
import type { WorkKind, WorkRecord } from '../model/record/work';
import type { ReadTransaction, WriteTransaction } from '../store/store';
import type { ProblemSource } from './problem-source';

/** Sends are problems of their own kind. */
type ChangeKind = Exclude<WorkKind, 'sendMessage'>;

/** Meaning of unfinished work for a person. */
interface WorkSource {
	/** explanation and advice while it is tried */
	readonly text: string;
	/** the same once it is parked, which also allows to discard it */
	readonly parkedText?: string;
	/** true if forgetting it is harmless */
	readonly isDiscardable: boolean;
	/** time without a result after which it is listed although no attempt has failed */
	readonly listedAfterMs?: number;
	/** further effect of a requested attempt */
	readonly onRetry?: (tx: WriteTransaction) => Promise<void>;
}

const lookLater =
	'It is retried until the Backbone gives a usable answer; if it never does, ask the operator of the Backbone.';

const deletion = (what: string): WorkSource => ({
	text: `The ${what} may have been deleted at the Backbone already. ${lookLater} Discarding keeps the ${what} in the list here; you can delete it again.`,
	isDiscardable: true,
});

const ownership: WorkSource = {
	text: `The ownership token of the file may have been replaced. ${lookLater} Discarding keeps the token that is stored here; regenerate it if it does not work.`,
	isDiscardable: true,
};

const relationship: WorkSource = {
	text: `The relationship may have changed at the Backbone already. ${lookLater} Discarding keeps the relationship as it is shown here, until the Backbone reports another status.`,
	isDiscardable: true,
};

const answer: WorkSource = {
	text: `The decision is made and has to reach the peer. ${lookLater} It cannot be discarded.`,
	parkedText:
		'The decision is made, but its answer was refused permanently, so the peer does not have it. Retry once the cause is removed. Discarding keeps the decision here, and the peer gets no answer.',
	isDiscardable: false,
};

const sources: Readonly<Record<ChangeKind, WorkSource>> = {
	claimFile: ownership,
	regenerateFileToken: ownership,
	deleteFile: deletion('file'),
	deleteToken: deletion('token'),
	deleteTemplate: deletion('template'),
	acceptRelationship: relationship,
	rejectRelationship: relationship,
	revokeRelationship: relationship,
	terminateRelationship: relationship,
	requestReactivationRelationship: relationship,
	acceptReactivationRelationship: relationship,
	rejectReactivationRelationship: relationship,
	revokeReactivationRelationship: relationship,
	decomposeRelationship: relationship,
	createRelationship: {
		text: 'It is not known whether the Backbone has the relationship: it appears here when the peer answers it, or when a comparison with the Backbone finds it. Its keys are kept until then, so it cannot be discarded.',
		isDiscardable: false,
		// A creation that arrived is usually answered, or found by a comparison, earlier.
		listedAfterMs: 3_600_000,
		onRetry: async (tx) => {
			const state = (await tx.syncState.get('sync'))?.record;
			if (state === undefined) return;
			await tx.syncState.update({ ...state, reconciliationNeeded: true });
		},
	},
	decideRequest: {
		text: 'The rules of the automation could not be applied. Decide the request by hand, or wait for the next attempt. It cannot be discarded.',
		isDiscardable: false,
	},
	acceptRequest: answer,
	rejectRequest: answer,
	deleteIdentity: {
		text: `The state of the deletion of this identity could not be read. ${lookLater} It cannot be discarded.`,
		isDiscardable: false,
	},
};

type Change = WorkRecord & { readonly kind: ChangeKind };

/** Changes made here that are unfinished for a long time, or refused. */
export function changeProblems({ clock }: { readonly clock: Clock }): ProblemSource {
	const listedIn = async (tx: ReadTransaction): Promise<Change[]> => {
		const changes = (await tx.work.list()).map(({ record }) => record).filter(isChange);
		const listed = changes.filter((work) => isListed(work, clock.now()));
		const hidden = await explained(tx, listed);
		return listed.filter(({ id }) => !hidden.has(id));
	};
	return {
		kind: 'unfinishedChange',
		isSynced: true,
		list: async (tx) => (await listedIn(tx)).map(problemOf),
		count: async (tx) => (await listedIn(tx)).length,
		retry: async (tx, id) => {
			const work = (await tx.work.get(id))?.record;
			if (work === undefined || !isChange(work)) return false;
			await tx.work.update(wantedNow(work));
			await sources[work.kind].onRetry?.(tx);
			return true;
		},
		judge: async (tx, id) => {
			const work = (await tx.work.get(id))?.record;
			if (work === undefined || !isChange(work)) return { outcome: 'solved' };
			const { failure, isWanted } = work;
			if (failure === undefined) return { outcome: 'waiting', message: sources[work.kind].text };
			const { code, message } = failure;
			return { outcome: isWanted === true ? 'waiting' : 'failed', code, message };
		},
		// Its effects at the Backbone remain.
		discard: (tx, id) => tx.work.delete(id),
	};
}

function isChange(work: WorkRecord): work is Change {
	return work.kind !== 'sendMessage';
}

function isListed(work: Change, now: number): boolean {
	if (work.isReported === true || work.state === 'parked') return true;
	const { listedAfterMs } = sources[work.kind];
	return listedAfterMs !== undefined && work.since <= isoInstant(now - listedAfterMs);
}

/** Creations whose relationship exists, or which are part of an answer that is listed itself. */
async function explained(
	tx: ReadTransaction,
	listed: readonly WorkRecord[],
): Promise<ReadonlySet<string>> {
	const ids = listed.filter(({ kind }) => kind === 'createRelationship').map(({ id }) => id);
	if (ids.length === 0) return new Set();
	const arrived = await tx.relationships.list({
		where: [{ field: 'templateId', op: 'in', value: ids }],
	});
	const requests = await tx.requests.getMany(listed.map(({ id }) => id));
	return new Set([
		...arrived.map(({ record }) => record.templateId),
		...requests.flatMap(({ record }) => record.source?.reference ?? []),
	]);
}

function problemOf(work: Change): ProblemDto {
	const { id, kind, since, dueAt, failure } = work;
	const { text, parkedText = text, isDiscardable } = sources[kind];
	const isParked = work.state === 'parked';
	return {
		id,
		kind: 'unfinishedChange',
		subject: kind,
		since: failure?.since ?? since,
		...(failure === undefined ? {} : { code: failure.code }),
		message: [failure?.message, isParked ? parkedText : text].filter(Boolean).join(' '),
		isRetriedAutomatically: !isParked,
		isDiscardable: isDiscardable || isParked,
		...(isParked || failure === undefined || dueAt === '' ? {} : { nextTryAt: dueAt }),
	};
}
