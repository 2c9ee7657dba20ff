import type { Clock } from '../../../core/base/clock';
import { isGatewayError } from '../../../core/base/errors';
import type { Gateway } from '../../../core';
import { mailTo, relate, type SandboxNetwork } from '../../support/gateways';
import type { AccountCopies } from './account-copies';

/** Draws numbers that are the same with the same seed. */
export type Draw = (below: number) => number;

/** longer than numbers are ahead of the clock */
const longestAheadMs = 13 * 24 * 3_600_000;

export interface HistoryOptions {
	readonly network: SandboxNetwork;
	readonly copies: AccountCopies;
	readonly draw: Draw;
	/** of both processes; without it time passes for them as it does for the Backbone */
	readonly clock?: Clock;
	/** no time passes at all, and nothing happens that only the clock protects from */
	readonly isHasty?: boolean;
}

const processes = ['main', 'worker'] as const;
type Process = (typeof processes)[number];

/**
 * An account with two processes, to which everything happens that could give a counter a second life:
 * kills, restored backups, power cuts, a database that goes back while it is open, and a Backbone that
 * hides what was sent.
 */
export class CounterHistory {
	private readonly open = new Map<Process, Gateway>();

	private readonly backups: string[] = [];

	/** what the disk has when the power goes: everything up to the newest block, at least */
	private onDisk = '';

	private block = -1;

	private peer = '';

	private peerGateway: Gateway | undefined;

	private address = '';

	private aheadMs = 0;

	private hasHidden = false;

	/** what was done, for the reader of a failure */
	readonly steps: string[] = [];

	sent = 0;

	refused = 0;

	constructor(private readonly options: HistoryOptions) {}

	async begin(): Promise<void> {
		const { network } = this.options;
		const first = await this.process('main');
		this.peerGateway = await network.gateway();
		const { addressB } = await relate(first, this.peerGateway);
		this.peer = addressB;
		({ address: this.address } = await first.account.getIdentity());
		await this.backUp();
		await this.noteDisk();
	}

	async play(length: number): Promise<void> {
		for (let step = 0; step < length; step++) {
			await this.step();
			await this.noteDisk();
			this.pass(this.options.draw(20_000));
		}
	}

	/** Counters that were used more than once, among all ciphers that reached the Backbone. */
	repeated(): number[] {
		const seen = new Set<string>();
		return this.counters()
			.filter(({ key, counter }) => {
				const use = `${key}:${counter}`;
				if (seen.has(use)) return true;
				seen.add(use);
				return false;
			})
			.map(({ counter }) => counter);
	}

	private counters(): Array<{ readonly key: string; readonly counter: number }> {
		const { messages } = this.options.network.backbone.state;
		return [...messages.values()]
			.filter(({ createdBy }) => createdBy === this.address)
			.flatMap(({ recipients }) =>
				recipients.map(({ address, encryptedKey }) => {
					const cipher = Buffer.from(encryptedKey, 'base64url').toString('utf8');
					return { key: address, counter: (JSON.parse(cipher) as { cnt: number }).cnt };
				}),
			);
	}

	async end(): Promise<void> {
		await this.closeAll();
		await this.peerGateway?.close();
	}

	private async step(): Promise<void> {
		const { draw, isHasty = false } = this.options;
		const process = processes[draw(2)] ?? 'main';
		const steps: ReadonlyArray<readonly [string, () => Promise<void>]> = [
			['send', () => this.send(process)],
			['send', () => this.send(process)],
			['send', () => this.send(process)],
			['sync', async () => void (await this.attempt(process, (gateway) => gateway.account.sync()))],
			['peer writes', () => this.peerWrites()],
			['backup', () => this.backUp()],
			['restart', () => this.restart(process)],
			['go back while open', () => this.goBack(this.backups.at(-1) ?? '', false)],
			['restore', () => this.goBack(this.backups[draw(this.backups.length)] ?? '', true)],
			['power cut', () => this.goBack(this.onDisk, true)],
			['hide', () => Promise.resolve(this.hideMessages())],
		];
		const possible = isHasty ? steps.slice(0, -2) : steps;
		const [name, work] = possible[draw(possible.length)] ?? ['nothing', () => Promise.resolve()];
		this.steps.push(`${name} (${process})`);
		await work();
	}

	private async send(process: Process): Promise<void> {
		const mails = 1 + this.options.draw(3);
		for (let mail = 0; mail < mails; mail++) {
			const isSent = await this.attempt(process, (gateway) =>
				gateway.messages.send(mailTo(this.peer, `mail ${this.sent}`)),
			);
			if (isSent) this.steps.push(`sent with ${this.counters().at(-1)?.counter ?? '?'}`);
			if (isSent) this.sent++;
			else this.refused++;
		}
		// Numbers are used up no faster than the clock makes new ones.
		this.pass((2 + 2 * mails) * 1_000);
	}

	/** A refusal does no harm, and a refused process is started anew. */
	private async attempt(
		process: Process,
		work: (gateway: Gateway) => Promise<unknown>,
	): Promise<boolean> {
		try {
			await work(await this.process(process));
			return true;
		} catch (error) {
			if (!isGatewayError(error)) throw error;
			this.steps.push(error.code);
			await this.restart(process);
			return false;
		}
	}

	private async peerWrites(): Promise<void> {
		// Who fetches nothing is sent nothing more after a while.
		await this.peerGateway?.account.sync();
		await this.peerGateway?.messages.send(mailTo(this.address, 'from the peer'));
	}

	private async backUp(): Promise<void> {
		this.backups.push(await this.options.copies.copy());
	}

	private async goBack(copy: string, isClosed: boolean): Promise<void> {
		if (isClosed) await this.closeAll();
		// Before that time, chance alone protects from a list that hides messages.
		if (isClosed && this.hasHidden) this.pass(longestAheadMs);
		if (isClosed) this.hasHidden = false;
		await this.options.copies.goBackTo(copy);
		this.block = -1;
	}

	private async restart(process: Process): Promise<void> {
		await this.open.get(process)?.close();
		this.open.delete(process);
	}

	private async closeAll(): Promise<void> {
		for (const process of processes) await this.restart(process);
	}

	/** The Backbone answers the next lists of messages as if there were none. */
	private hideMessages(): void {
		this.hasHidden = true;
		this.options.network.backbone.faults.add({
			method: 'GET',
			path: /\/Messages\?/,
			times: 2 + this.options.draw(4),
			action: {
				kind: 'rewritten',
				rewrite: (body: { pagination: object }) => ({
					...body,
					result: [],
					pagination: { ...body.pagination, totalRecords: 0 },
				}),
			},
		});
	}

	/** A block is on the disk before its first number is used, and with it all that was committed before. */
	private async noteDisk(): Promise<void> {
		const block = await this.options.copies.counter('block');
		if (block === this.block) return;
		this.block = block;
		this.onDisk = await this.options.copies.copy();
	}

	private async process(process: Process): Promise<Gateway> {
		const known = this.open.get(process);
		if (known !== undefined) return known;
		const { network, copies, clock = { now: () => Date.now() + this.aheadMs } } = this.options;
		const { store, passphrase } = copies;
		const config = {
			...network.config(),
			store,
			...(passphrase === undefined ? {} : { passphrase }),
		};
		const gateway = await network.gateway(config, { clock });
		this.open.set(process, gateway);
		return gateway;
	}

	private pass(durationMs: number): void {
		if (this.options.isHasty === true) return;
		this.aheadMs += durationMs;
		this.options.network.backbone.advanceClock(durationMs);
	}
}
