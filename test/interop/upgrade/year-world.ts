import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Gateway, GatewayConfigInput } from '../../../core';
import { partsOf } from '../../../core/gateway/gateway-parts';
import { SandboxBackbone } from '../../../sandbox/sandbox-backbone';
import { Life } from '../../scenario/convergence/life';
import { arbitraryCreation, arbitraryTemplate } from '../contents';
import { openWatched } from '../../scenario/convergence/open-watched';

const dayMs = 24 * 3_600_000;

/** Account of this gateway over a year, whose process can be killed at any of its ports. */
export class YearParty {
	address = '';

	/** whether it is served as version 7 from its next start on */
	isOf7 = false;

	private opened: { readonly gateway: Gateway; readonly life: Life } | undefined;

	constructor(
		readonly name: string,
		private readonly world: YearWorld,
	) {}

	get gateway(): Gateway {
		if (this.opened === undefined) throw new Error(`${this.name} does not run`);
		return this.opened.gateway;
	}

	async start(): Promise<void> {
		const life = new Life();
		const config: GatewayConfigInput = {
			...this.world.configOf(this.name),
			...(this.isOf7 ? { oneAttributeId: true } : {}),
		};
		const gateway = await openWatched(config, { now: () => this.world.now() }, life);
		this.opened = { gateway, life };
		this.address = (await gateway.account.getIdentity()).address;
	}

	async stop(): Promise<void> {
		await this.opened?.gateway.close();
		this.opened = undefined;
	}

	/** Serves the account as version 7, whose wallets write what only that version does. */
	async becomeVersion7(peer: string): Promise<void> {
		this.isOf7 = true;
		await this.stop();
		await this.start();
		await this.believeIn7(peer);
	}

	/** Makes the account write as version 7 does to a peer that reads it. */
	async believeIn7(peer: string): Promise<void> {
		const where = [{ field: 'peer', op: 'eq', value: peer }] as const;
		await partsOf(this.gateway).store.transact(async (tx) => {
			for (const { record } of await tx.relationships.list({ where })) {
				await tx.relationships.update({ ...record, peerVersion: 7.5 });
			}
		});
	}

	/**
	 * Does the work in a process that is killed at a point of it, and once more in the next one unless
	 * it has had its effect.
	 */
	async killedAt(
		point: number,
		work: () => Promise<unknown>,
		hasEffect: () => Promise<boolean>,
	): Promise<void> {
		const { life } = this.opened ?? { life: new Life() };
		life.arm(point, () => life.end());
		await work().catch((error: unknown) => {
			if (!life.isExpired) throw error;
		});
		life.disarm();
		if (!life.isExpired) return;
		this.world.kills++;
		await this.stop();
		// Leases and claims of the dead process have to run out, because their end cannot be seen.
		this.world.jump(180_000);
		await this.start();
		await this.world.settle();
		if (!(await hasEffect())) await work();
	}
}

/** Backbone that is updated, accounts of this gateway, and one clock for all. */
export class YearWorld {
	kills = 0;

	readonly parties: YearParty[] = [];

	private readonly folder = mkdtempSync(join(tmpdir(), 'enmeshed-year-'));

	private offsetMs = 0;

	private port = 0;

	private running: SandboxBackbone | undefined;

	get backbone(): SandboxBackbone {
		if (this.running === undefined) throw new Error('The Backbone does not run');
		return this.running;
	}

	now(): number {
		return Date.now() + this.offsetMs;
	}

	jump(durationMs: number): void {
		this.offsetMs += durationMs;
		this.running?.advanceClock(durationMs);
	}

	nextMonth(): void {
		this.jump(30 * dayMs);
	}

	inDays(days: number): string {
		return new Date(this.now() + days * dayMs).toISOString();
	}

	configOf(name: string): GatewayConfigInput {
		return {
			backbone: { baseUrl: this.backbone.baseUrl, clientId: 'test', clientSecret: 'test' },
			store: { kind: 'sqlite', folder: join(this.folder, name) },
		};
	}

	async party(name: string): Promise<YearParty> {
		const party = new YearParty(name, this);
		this.parties.push(party);
		await party.start();
		return party;
	}

	/** Starts the Backbone, or goes on with its data in another major version. */
	async serve(majorVersion: 6 | 7): Promise<void> {
		await this.running?.close();
		this.running = await SandboxBackbone.open({
			port: this.port,
			stateFile: join(this.folder, 'backbone.json'),
			clockOffsetMs: this.offsetMs,
			behaviour: 'kind',
			maxUnreceivedMessages: 10_000,
			majorVersion,
		});
		this.port = Number(new URL(this.running.baseUrl).port);
	}

	/** Relationship that the first party accepts. */
	async relate({ gateway }: YearParty, { gateway: person }: YearParty): Promise<void> {
		const { truncatedReference: reference } = await gateway.templates.create({
			expiresAt: this.inDays(1),
			content: arbitraryTemplate('hello'),
		});
		const { id: templateId } = await person.templates.loadPeer({ reference });
		const creationContent = arbitraryCreation('hi');
		const { id } = await person.relationships.create({ templateId, creationContent });
		await gateway.account.sync();
		await gateway.relationships.accept(id);
		await person.account.sync();
	}

	/** Brings everybody what there is, answers included. */
	async settle(): Promise<void> {
		for (let round = 0; round < 3; round++) {
			for (const { gateway } of this.parties) await gateway.account.sync();
		}
	}

	async close(): Promise<void> {
		for (const party of this.parties) await party.stop();
		await this.running?.close();
		rmSync(this.folder, { recursive: true, force: true });
	}
}
