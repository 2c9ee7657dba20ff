import type { Cancellable } from '../base/abort';
import { isoInstant, type Clock } from '../base/clock';
import type { Random } from '../base/random';
import { parseInput } from '../domain/validation';
import type { EventConsumers } from '../events/consumers';
import { requireKnownPatterns } from '../events/event-pattern';
import {
	discardParked,
	parkedDeliveries,
	sendParkedAgain,
	type ParkedDelivery,
} from '../events/delivery/parked-deliveries';
import type { ParkedInput, TargetOptions } from '../facade/http/webhooks';
import { newId } from '../model/ids';
import { membersOf } from '../model/json';
import { createWebhookSchema, updateWebhookSchema } from '../model/input/webhook';
import type {
	CreatedWebhookDto,
	WebhookDto,
	WebhookRecord,
	WebhookSecrets,
} from '../model/record/http/webhook';
import { webhookErrors } from '../publish/webhooks/webhook-errors';
import type { Entry, ReadTransaction, Store, WriteTransaction } from '../store/store';
import { consumerOf, filterOf, toWebhookDto } from './webhook-dto';
import { requireTarget } from './target-rules';

/** Each webhook reads the events once a second, so their number is bounded. */
const mostWebhooks = 100;

export type WebhookEntry = Entry<WebhookRecord, WebhookSecrets>;

export interface WebhookServiceDependencies {
	readonly store: Store;
	readonly clock: Clock;
	readonly random: Random;
	readonly consumers: Pick<EventConsumers, 'progressOf' | 'wakeUp'>;
	/** version of the official gateway whose events are posted by default */
	readonly version: 6 | 7;
	readonly allowsPrivateTargets: boolean;
	/** called after each change */
	readonly onChange: () => void;
}

/** Webhooks that clients register (docs/adr/0049). */
export class WebhookService {
	constructor(private readonly dependencies: WebhookServiceDependencies) {}

	async create(given: unknown, options: TargetOptions = {}): Promise<CreatedWebhookDto> {
		const { store, clock, random } = this.dependencies;
		const input = parseInput(createWebhookSchema, given, invalidInput);
		const { url, events, filter, version = this.dependencies.version } = input;
		const { headers = {}, authentication } = input;
		const generated = input.secret === undefined ? newSecret(random) : undefined;
		const secret = input.secret ?? generated ?? '';
		const now = isoInstant(clock.now());
		const record = membersOf<WebhookRecord>({
			id: newId('webhook', random),
			...{ url, events, version, filter },
			headerNames: Object.keys(headers),
			...{ createdAt: now, changedAt: now, revision: 1 },
		});
		const secrets = membersOf<WebhookSecrets>({ secret, headers, authentication });
		this.requireUsable({ record, secrets }, options);
		await store.transact(async (tx) => {
			if ((await tx.webhooks.count()) >= mostWebhooks) throw tooMany();
			await tx.webhooks.insert(record, secrets);
			// Stored together, so that no event between registration and first delivery is missed.
			const position = await tx.outbox.lastSequence();
			await tx.consumers.put({ name: consumerOf(record.id), position, parked: [], seenAt: now });
		}, options);
		this.dependencies.onChange();
		const dto = await this.dtoOf({ record, secrets }, options);
		return generated === undefined ? dto : { ...dto, secret: generated };
	}

	async get(id: string, options: Cancellable = {}): Promise<WebhookDto> {
		return await this.dtoOf(await this.find(id, options), options);
	}

	async list(options: Cancellable = {}): Promise<WebhookDto[]> {
		return await this.dtosOf(await this.entries(options), options);
	}

	async update(id: string, given: unknown, options: TargetOptions = {}): Promise<WebhookDto> {
		const input = parseInput(updateWebhookSchema, given, invalidInput);
		const { store, clock } = this.dependencies;
		const changed = await store.transact(async (tx) => {
			const stored = await requireWebhook(tx, id);
			const { record, secrets } = stored;
			const { filter = record.filter, authentication = secrets.authentication } = input;
			const headers = input.headers ?? secrets.headers;
			const entry: WebhookEntry = {
				record: membersOf<WebhookRecord>({
					...{ id: record.id, createdAt: record.createdAt },
					url: input.url ?? record.url,
					events: input.events ?? record.events,
					version: input.version ?? record.version,
					// Null removes a member.
					filter: filter ?? undefined,
					headerNames: Object.keys(headers),
					changedAt: isoInstant(clock.now()),
					revision: record.revision + 1,
				}),
				secrets: membersOf<WebhookSecrets>({
					secret: input.secret ?? secrets.secret,
					headers,
					authentication: authentication ?? undefined,
				}),
			};
			this.requireUsable(entry, options);
			await tx.webhooks.update(entry.record, entry.secrets);
			return entry;
		}, options);
		this.dependencies.onChange();
		return await this.dtoOf(changed, options);
	}

	/** The position goes with the webhook; a delivery in progress ends without a trace. */
	async delete(id: string, options: Cancellable = {}): Promise<void> {
		await this.dependencies.store.transact(async (tx) => {
			await requireWebhook(tx, id);
			await tx.webhooks.delete(id);
			await tx.consumers.delete(consumerOf(id));
		}, options);
		this.dependencies.onChange();
	}

	async parked(id: string, options: Cancellable = {}): Promise<ParkedDelivery[]> {
		await this.find(id, options);
		const parked = await this.dependencies.store.read(parkedDeliveries, options);
		return parked.filter(({ consumer }) => consumer === consumerOf(id));
	}

	async retryParked(id: string, input: ParkedInput, options: Cancellable = {}): Promise<string[]> {
		const found = await this.forParked(id, input, sendParkedAgain, options);
		this.dependencies.consumers.wakeUp.wake();
		return found;
	}

	async discardParked(
		id: string,
		input: ParkedInput,
		options: Cancellable = {},
	): Promise<string[]> {
		return await this.forParked(id, input, discardParked, options);
	}

	/** Webhooks with their secrets, for the deliveries. */
	async entries(options: Cancellable = {}): Promise<WebhookEntry[]> {
		return await this.dependencies.store.read((tx) => tx.webhooks.list(), options);
	}

	/** @throws `error.runtime.recordNotFound` */
	async find(id: string, options: Cancellable = {}): Promise<WebhookEntry> {
		return await this.dependencies.store.read((tx) => requireWebhook(tx, id), options);
	}

	/** Changes parked deliveries; returns the ids of those that were still parked. */
	private async forParked(
		id: string,
		{ ids }: ParkedInput,
		change: (tx: WriteTransaction, delivery: string) => Promise<boolean>,
		options: Cancellable,
	): Promise<string[]> {
		const parked = await this.parked(id, options);
		const wanted = parked.filter((one) => ids?.includes(one.id) ?? true);
		return await this.dependencies.store.transact(async (tx) => {
			const changed: string[] = [];
			for (const one of wanted) if (await change(tx, one.id)) changed.push(one.id);
			return changed;
		}, options);
	}

	private requireUsable({ record, secrets }: WebhookEntry, { server }: TargetOptions): void {
		const { allowsPrivateTargets: allowsPrivate } = this.dependencies;
		requireTarget(record.url, 'url', { allowsPrivate, server });
		const { authentication } = secrets;
		if (authentication?.type === 'OAuth2') {
			const field = 'authentication.accessTokenUrl';
			requireTarget(authentication.accessTokenUrl, field, { allowsPrivate, server });
		}
		requireKnownPatterns(record.events, record.version, 'events');
	}

	private async dtoOf(entry: WebhookEntry, options: Cancellable): Promise<WebhookDto> {
		const [dto] = await this.dtosOf([entry], options);
		if (dto === undefined) throw new TypeError('Every webhook has its progress.');
		return dto;
	}

	private async dtosOf(
		entries: readonly WebhookEntry[],
		options: Cancellable,
	): Promise<WebhookDto[]> {
		const watched = entries.map(({ record }) => ({
			name: consumerOf(record.id),
			filter: filterOf(record),
		}));
		const progress = await this.dependencies.consumers.progressOf(watched, options);
		return entries.map((entry, index) => toWebhookDto(entry, progress[index]));
	}
}

async function requireWebhook(
	tx: Pick<ReadTransaction, 'webhooks'>,
	id: string,
): Promise<WebhookEntry> {
	const entry = await tx.webhooks.get(id);
	if (entry !== undefined) return entry;
	throw webhookErrors.create('notFound', {
		message: 'There is no such webhook.',
		facts: { webhookId: id },
	});
}

const newSecret = (random: Random): string =>
	`whsec_${Buffer.from(random.bytes(32)).toString('base64')}`;

function tooMany(): Error {
	return webhookErrors.create('tooMany', {
		message: `The account has ${mostWebhooks} webhooks, and may not have more.`,
		facts: { most: mostWebhooks },
	});
}

const invalidInput = (message: string, field: string) =>
	webhookErrors.create('invalidInput', { message, facts: { field } });
