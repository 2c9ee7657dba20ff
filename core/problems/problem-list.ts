import type { Clock } from '../base/clock';
import { messageErrors } from '../domain/message/message-errors';
import type { MessageService } from '../domain/message/message-service';
import { sendStateOf, sendStates } from '../domain/message/sending/send-states';
import { parkedDeliveries, type ParkedDelivery } from '../events/parked-deliveries';
import type { SendIntentRecord } from '../model/record/message';
import type { ProblemDto, ProblemFilter } from '../model/record/problem';
import type { InboxEvent } from '../model/record/sync';
import type { ReadTransaction } from '../store/store';
import { stuckWaits, waitProblem } from './wait-problems';
import { unfinishedProblems } from './unfinished-problems';

type Reader = Parameters<typeof unfinishedProblems>[0] &
	Pick<ReadTransaction, 'inbox' | 'consumers' | 'outbox' | 'waits'>;

export interface ProblemSources {
	readonly clock: Clock;
	readonly messages: MessageService;
}

/** All problems that match, oldest first. */
export async function listProblems(
	tx: Reader,
	{ clock, messages }: ProblemSources,
	{ kind, consumer, ids }: ProblemFilter = {},
): Promise<ProblemDto[]> {
	const events = await tx.inbox.list({
		where: [{ field: 'state', op: 'in', value: ['pending', 'parked'] }],
	});
	const problems = [
		...events
			.filter(({ record }) => record.lastFailure !== undefined)
			.map(({ record }) => eventProblem(record)),
		...(await parkedDeliveries(tx)).map(deliveryProblem),
		...(await messages.unresolvedIn(tx)).map(sendingProblem),
		...(await unfinishedProblems(tx, clock)),
		...(await stuckWaits(tx)).map(waitProblem),
	];
	const named = ids === undefined ? undefined : new Set(ids);
	return problems
		.filter((problem) => kind === undefined || problem.kind === kind)
		.filter((problem) => consumer === undefined || problem.consumer === consumer)
		.filter(({ id }) => named?.has(id) ?? true)
		.sort((a, b) => Date.parse(a.since) - Date.parse(b.since));
}

/* Converters of each kind of problem to the common form. */

function eventProblem(event: InboxEvent): ProblemDto {
	const { id, type, createdAt, lastFailure, state, notBefore } = event;
	const isRetriedAutomatically = state === 'pending';
	return {
		id,
		kind: 'receivedEvent',
		subject: type,
		since: createdAt,
		...(lastFailure === undefined ? {} : { code: lastFailure.code }),
		message: lastFailure?.message ?? 'It was not applied yet.',
		isRetriedAutomatically,
		isDiscardable: state === 'parked',
		...(isRetriedAutomatically && notBefore !== undefined ? { nextTryAt: notBefore } : {}),
	};
}

function deliveryProblem(delivery: ParkedDelivery): ProblemDto {
	const { id, consumer, eventId, event, createdAt, parkedAt, reason } = delivery;
	return {
		id,
		kind: 'delivery',
		subject: event,
		since: parkedAt,
		message: reason,
		isRetriedAutomatically: delivery.isSentAgain,
		isDiscardable: true,
		consumer,
		eventId,
		createdAt,
		isErased: delivery.isErased,
	};
}

export function sendingProblem(intent: SendIntentRecord): ProblemDto {
	const { id, content, createdAt, recipients, retry } = intent;
	const state = sendStateOf(intent);
	const isRetriedAutomatically = sendStates[state].isSentBySyncs;
	const failure = retry?.lastFailure;
	const type = content['@type'];
	return {
		id,
		kind: 'sending',
		subject: typeof type === 'string' ? type : 'Message',
		since: createdAt,
		code: messageErrors.outcomeUnknown.code,
		message: `It is not known yet whether the Backbone accepted the message; syncs find out within minutes${failure === undefined ? '.' : `: ${failure.message}`}`,
		isRetriedAutomatically,
		isDiscardable: state !== 'required',
		...(isRetriedAutomatically && retry?.notBefore !== undefined
			? { nextTryAt: retry.notBefore }
			: {}),
		recipients: recipients.map(({ address }) => address),
	};
}
