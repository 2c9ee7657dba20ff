import type { Gateway, GatewayConfigInput } from '../../../core';
import type { Clock } from '../../../core/base/clock';
import { partsOf } from '../../../core/gateway/gateway-parts';
import type { Store } from '../../../core/store/store';
import { openWatched } from './open-watched';
import { Life } from './life';
import type { Made, Operation, Outcome } from './operations';

type Send = Extract<Operation, { kind: 'send' }>;

export interface ConsumerName {
	readonly name: string;
	readonly batchSize: number;
}

export const consumers: readonly ConsumerName[] = [
	{ name: 'one by one', batchSize: 1 },
	{ name: 'in batches', batchSize: 5 },
];

/** One account, over all lives of its process, and what its owner was told. */
export class Party {
	readonly templates: Made[] = [];

	readonly loadedTemplates: Made[] = [];

	readonly deletedTemplates: string[] = [];

	readonly files = new Map<string, string>();

	/** messages marked as read */
	readonly read = new Set<string>();

	readonly tokens: Made[] = [];

	readonly deletedTokens: string[] = [];

	readonly sends = new Map<string, { readonly send: Send; readonly outcomes: Outcome[] }>();

	/** sequence numbers in the order of delivery */
	readonly deliveries = new Map<string, number[]>();

	address = '';

	private opened: { readonly gateway: Gateway; readonly life: Life } | undefined;

	constructor(
		readonly name: 'a' | 'b',
		readonly config: () => GatewayConfigInput,
		private readonly clock: Clock,
	) {}

	get gateway(): Gateway {
		if (this.opened === undefined) throw new Error(`The process of ${this.name} does not run`);
		return this.opened.gateway;
	}

	get life(): Life {
		if (this.opened === undefined) throw new Error(`The process of ${this.name} does not run`);
		return this.opened.life;
	}

	get store(): Store {
		return partsOf(this.gateway).store;
	}

	async start(): Promise<void> {
		const life = new Life();
		const gateway = await openWatched(this.config(), this.clock, life);
		this.opened = { gateway, life };
		this.address = (await gateway.account.getIdentity()).address;
	}

	/** In order, or, after the end of its life, with nothing left to do but closing files and sockets. */
	async stop(): Promise<void> {
		await this.opened?.gateway.close();
		this.opened = undefined;
	}

	/** Delivers what there is. */
	async consume({ name, batchSize }: ConsumerName): Promise<void> {
		const [last] = await this.gateway.events.recent({}, 1);
		const { position = 0 } = (await this.store.read((tx) => tx.consumers.get(name))) ?? {};
		if (last === undefined || position >= last.sequence) return;
		const delivered = this.deliveries.get(name) ?? [];
		this.deliveries.set(name, delivered);
		const isThrough = new AbortController();
		await this.gateway.events.consume({
			consumer: name,
			filter: {},
			startFrom: 'oldest',
			batchSize,
			signal: isThrough.signal,
			deliver: ({ events }) => {
				delivered.push(...events.map(({ sequence }) => sequence));
				if ((delivered.at(-1) ?? 0) >= last.sequence) isThrough.abort();
				return Promise.resolve({ kind: 'accepted' });
			},
		});
	}

	note(operation: Operation, outcome: Outcome): void {
		if (operation.kind === 'send') {
			const { subject } = operation;
			const known = this.sends.get(subject) ?? { send: operation, outcomes: [] };
			known.outcomes.push(outcome);
			this.sends.set(subject, known);
		}
		if (outcome.status !== 'done') return;
		if (operation.kind === 'markAsRead') this.read.add(operation.id);
		if (operation.kind === 'deleteTemplate') this.deletedTemplates.push(operation.id);
		if (operation.kind === 'deleteToken') this.deletedTokens.push(operation.id);
		if (outcome.made === undefined) return;
		if (operation.kind === 'template') this.templates.push(outcome.made);
		if (operation.kind === 'load') this.loadedTemplates.push(outcome.made);
		if (operation.kind === 'token') this.tokens.push(outcome.made);
		if (operation.kind === 'upload') this.files.set(outcome.made.id, operation.content);
	}
}
