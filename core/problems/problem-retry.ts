import type { Cancellable } from '../base/abort';
import { codeOf } from '../base/errors';
import { eventErrors } from '../events/event-errors';
import type { ParkedDeliveryDto } from '../events/parked-deliveries';
import type { SendIntentRecord } from '../model/record/message';
import type { RetriedProblemDto } from '../model/record/problem';
import type { InboxEvent } from '../model/record/sync';
import type { ReadTransaction } from '../store/store';
import { tryAgain } from '../sync/sync-inbox';
import { problemErrors } from './problem-errors';
import { deliveryId, sendingProblem } from './problem-list';
import type { ProblemDependencies } from './problems';

type Tried = Pick<RetriedProblemDto, 'outcome' | 'code' | 'message'>;

type Found =
	| { readonly kind: 'receivedEvent' | 'sending'; readonly id: string }
	| { readonly kind: 'delivery'; readonly id: string; readonly delivery: ParkedDeliveryDto };

/** One more try of a few problems. */
export class ProblemRetry {
	constructor(
		private readonly deps: ProblemDependencies,
		private readonly ids: readonly string[],
	) {}

	async run(options: Cancellable): Promise<RetriedProblemDto[]> {
		const found = await this.find(options);
		await this.ask(found, options);
		if (found.some(({ kind }) => kind !== 'delivery')) await this.sync(found, options);
		return await this.outcomes(found, options);
	}

	/** @throws `error.gateway.problems.unknown` before anything has changed */
	private async find(options: Cancellable): Promise<Found[]> {
		const { store, deliveries } = this.deps;
		const parked = new Map(
			(await deliveries.list({}, options)).map((delivery) => [deliveryId(delivery), delivery]),
		);
		const found = await store.read(async (tx) => {
			const all: Array<Found | undefined> = [];
			for (const id of this.ids) {
				const delivery = parked.get(id);
				if (delivery !== undefined) all.push({ kind: 'delivery', id, delivery });
				else if ((await tx.inbox.get(id)) !== undefined) all.push({ kind: 'receivedEvent', id });
				else if ((await tx.sendIntents.get(id)) !== undefined) all.push({ kind: 'sending', id });
				else all.push(undefined);
			}
			return all;
		}, options);
		const known = found.filter((one) => one !== undefined);
		if (known.length === found.length) return known;
		const unknown = this.ids.filter((_id, index) => found[index] === undefined);
		throw problemErrors.create('unknown', {
			message: `There is no problem with the ID ${unknown.map((id) => `'${id}'`).join(', ')}.`,
			facts: { problemIds: unknown },
		});
	}

	private async ask(found: readonly Found[], options: Cancellable): Promise<void> {
		const { store, deliveries, messages } = this.deps;
		await store.transact(async (tx) => {
			for (const { kind, id } of found) {
				const event = kind === 'receivedEvent' ? await tx.inbox.get(id) : undefined;
				if (event !== undefined) await tryAgain(tx, event.record);
				const intent = kind === 'sending' ? await tx.sendIntents.get(id) : undefined;
				if (intent !== undefined) await messages.repeated.ask(tx, intent);
			}
		}, options);
		for (const one of found) {
			if (one.kind !== 'delivery') continue;
			const { consumer, eventId } = one.delivery;
			await deliveries
				.sendAgain({ consumer, eventIds: [eventId] }, options)
				.catch((error: unknown) => {
					// Taken or discarded meanwhile.
					if (codeOf(error) !== eventErrors.nothingParked.code) throw error;
				});
		}
	}

	/** One that ran already may have looked before they were asked for. */
	private async sync(found: readonly Found[], options: Cancellable): Promise<void> {
		await this.deps.sync(options);
		const outcomes = await this.outcomes(
			found.filter(({ kind }) => kind !== 'delivery'),
			options,
		);
		if (outcomes.some(({ outcome }) => outcome === 'waiting')) await this.deps.sync(options);
	}

	private async outcomes(
		found: readonly Found[],
		options: Cancellable,
	): Promise<RetriedProblemDto[]> {
		return await this.deps.store.read(async (tx) => {
			const outcomes: RetriedProblemDto[] = [];
			for (const { kind, id } of found) outcomes.push({ id, kind, ...(await judge(tx, kind, id)) });
			return outcomes;
		}, options);
	}
}

async function judge(tx: ReadTransaction, kind: Found['kind'], id: string): Promise<Tried> {
	if (kind === 'receivedEvent') return judgeEvent((await tx.inbox.get(id))?.record);
	if (kind === 'sending') return judgeSending((await tx.sendIntents.get(id))?.record);
	return { outcome: 'waiting', message: 'It is delivered once more as soon as its consumer runs.' };
}

function judgeEvent(event: InboxEvent | undefined): Tried {
	// Gone with the relationship that it was about.
	if (event === undefined || event.state === 'done') return { outcome: 'solved' };
	// Tried in vain: its next time is set, or it was given up again.
	const isTried = event.state === 'parked' || event.notBefore !== undefined;
	return { outcome: isTried ? 'failed' : 'waiting', ...event.lastFailure };
}

function judgeSending(intent: SendIntentRecord | undefined): Tried {
	// Without an idempotency key only what was sent, or left with its relationship, is not kept.
	if (intent === undefined || intent.state === 'sent') return { outcome: 'solved' };
	if (intent.state === 'failed') return { outcome: 'failed', ...intent.failure };
	const { code, message } = sendingProblem(intent);
	return { outcome: 'waiting', ...(code === undefined ? {} : { code }), message };
}
