import * as z from 'zod';
import type { Cancellable } from '../base/abort';
import type { ConsumerRecord, ParkedEvent } from '../model/record/event';
import type { ReadTransaction, Store } from '../store/store';
import { eventErrors } from './event-errors';
import { isErased, toGatewayEvent } from './event-types';
import { eventOf } from './parked-events';

/** An event that a consumer was given and did not take; nothing of it is lost until it is discarded. */
export const parkedDeliveryDtoSchema = z.object({
	/** who did not take it: `webhook:…`, `broker:…`, a trigger */
	consumer: z.string(),
	eventId: z.string(),
	/** its name */
	event: z.string(),
	/** when it happened */
	createdAt: z.string(),
	parkedAt: z.string(),
	/** of the last try */
	reason: z.string(),
	/** another try was asked for and is still to come */
	isSentAgain: z.boolean(),
	/** its data was erased since: it can only be discarded */
	isErased: z.boolean(),
});
export type ParkedDeliveryDto = z.infer<typeof parkedDeliveryDtoSchema>;

/** Which parked deliveries: all conditions that are given have to hold. */
export const parkedSelectionSchema = z.strictObject({
	consumer: z.string().optional(),
	eventIds: z.array(z.string()).optional(),
});

interface Found {
	readonly consumer: ConsumerRecord;
	readonly parked: ParkedEvent;
	readonly dto: ParkedDeliveryDto;
}

/** What the consumers of one account have parked. */
export class ParkedDeliveries {
	constructor(
		private readonly store: Store,
		/** lets consumers of this process look at once */
		private readonly wake: () => void,
	) {}

	/**
	 * By consumer, and of each the oldest first.
	 *
	 * @throws `error.gateway.events.invalidSelection`
	 */
	async list(input: unknown = {}, options: Cancellable = {}): Promise<ParkedDeliveryDto[]> {
		const found = await this.store.read((tx) => find(tx, input), options);
		return found.map(({ dto }) => dto);
	}

	/**
	 * Has the consumers try once more, in this process or another one, as soon as they run. What is
	 * taken leaves the list; what fails stays on it with the new reason.
	 *
	 * @throws `error.gateway.events.invalidSelection`, `error.gateway.events.nothingParked`
	 */
	async sendAgain(input: unknown = {}, options: Cancellable = {}): Promise<ParkedDeliveryDto[]> {
		const marked = await this.change(input, options, (parked) => ({ ...parked, again: true }));
		this.wake();
		return marked.map((dto) => ({ ...dto, isSentAgain: true }));
	}

	/**
	 * Gives them up for good.
	 *
	 * @throws `error.gateway.events.invalidSelection`, `error.gateway.events.nothingParked`
	 */
	async discard(input: unknown, options: Cancellable = {}): Promise<ParkedDeliveryDto[]> {
		return await this.change(input, options, () => undefined);
	}

	private async change(
		input: unknown,
		options: Cancellable,
		change: (parked: ParkedEvent) => ParkedEvent | undefined,
	): Promise<ParkedDeliveryDto[]> {
		return await this.store.transact(async (tx) => {
			const found = await find(tx, input);
			if (found.length === 0) {
				throw eventErrors.create('nothingParked', {
					message: 'There is no parked delivery of that consumer and with those ids.',
				});
			}
			const chosen = new Set(found.map(({ parked }) => parked));
			for (const consumer of new Set(found.map((one) => one.consumer))) {
				const parked = consumer.parked
					.map((one) => (chosen.has(one) ? change(one) : one))
					.filter((one) => one !== undefined);
				await tx.consumers.put({ ...consumer, parked });
			}
			return found.map(({ dto }) => dto);
		}, options);
	}
}

async function find(
	tx: Pick<ReadTransaction, 'consumers' | 'outbox'>,
	input: unknown,
): Promise<Found[]> {
	const selection = parkedSelectionSchema.safeParse(input);
	if (!selection.success) {
		throw eventErrors.create('invalidSelection', {
			message: `'${selection.error.issues[0]?.path.join('.') ?? ''}' cannot be used: ${selection.error.issues[0]?.message ?? ''}.`,
		});
	}
	const { consumer: name, eventIds } = selection.data;
	const found: Found[] = [];
	for (const consumer of await tx.consumers.list()) {
		if (name !== undefined && consumer.name !== name) continue;
		for (const parked of consumer.parked) {
			const dto = await describe(tx, consumer, parked);
			if (dto !== undefined && (eventIds?.includes(dto.eventId) ?? true)) {
				found.push({ consumer, parked, dto });
			}
		}
	}
	return found;
}

async function describe(
	tx: Pick<ReadTransaction, 'outbox'>,
	{ name }: ConsumerRecord,
	{ sequence, parkedAt, reason, again }: ParkedEvent,
): Promise<ParkedDeliveryDto | undefined> {
	const event = await eventOf(tx, sequence);
	if (event === undefined) return undefined;
	const { id, createdAt } = toGatewayEvent(event);
	return {
		consumer: name,
		eventId: id,
		event: event.name,
		createdAt,
		parkedAt,
		reason,
		isSentAgain: again === true,
		isErased: isErased(event),
	};
}
