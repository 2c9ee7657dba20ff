import { messageErrors } from '../domain/message/message-errors';
import { sendStateOf, sendStates, type OpenSend } from '../domain/message/sending/send-states';
import { wantedNow } from '../domain/unfinished/ledger';
import type { ProblemDto } from '../model/record/problem';
import type { ProblemSource, ProblemSourceDependencies } from './problem-source';

/** Messages of which it is unknown whether the Backbone has them. */
export function sendProblems({ messages, sendIntents }: ProblemSourceDependencies): ProblemSource {
	return {
		kind: 'sending',
		isSynced: true,
		discarded: 'waiting',
		list: async (tx) => (await messages.unresolvedIn(tx)).map(problemOf),
		count: (tx) => messages.countUnresolvedIn(tx),
		retry: async (tx, id) => {
			if ((await tx.sendIntents.get(id)) === undefined) return false;
			await sendIntents.request(tx, id);
			const work = await tx.work.get(id);
			if (work !== undefined) await tx.work.update(wantedNow(work.record));
			return true;
		},
		judge: async (tx, id) => {
			const intent = await tx.sendIntents.get(id);
			// Without an idempotency key, an intent is removed only when the message was sent or its
			// relationship decomposed.
			if (intent === undefined || intent.record.state === 'sent') return { outcome: 'solved' };
			if (intent.record.state === 'failed') return { outcome: 'failed', ...intent.record.failure };
			const message = messageOf((await tx.work.get(id))?.record.failure?.message);
			return { outcome: 'waiting', code: messageErrors.outcomeUnknown.code, message };
		},
		discard: (tx, id) => sendIntents.withdraw(tx, id),
	};
}

function problemOf({ record, work: { dueAt, failure } }: OpenSend): ProblemDto {
	const { id, content, createdAt, recipients } = record;
	const state = sendStateOf(record);
	const isRetriedAutomatically = sendStates[state].isSentBySyncs;
	const type = content['@type'];
	return {
		id,
		kind: 'sending',
		subject: typeof type === 'string' ? type : 'Message',
		since: createdAt,
		code: messageErrors.outcomeUnknown.code,
		message: messageOf(failure?.message),
		isRetriedAutomatically,
		isDiscardable: state !== 'required',
		...(isRetriedAutomatically && dueAt !== '' ? { nextTryAt: dueAt } : {}),
		recipients: recipients.map(({ address }) => address),
	};
}

function messageOf(failure: string | undefined): string {
	return `It is not known yet whether the Backbone accepted the message; syncs find out within minutes${failure === undefined ? '.' : `: ${failure}`}`;
}
