import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CryptoWork } from './programs/floor';
import type { Traffic } from './programs/traffic';
import { Program } from './support/program';

export type Contestant = 'official' | 'ours';

export const contestants: readonly Contestant[] = ['official', 'ours'];

interface Counterpart {
	readonly address: string;
	/** of the template that both sides answer */
	readonly reference: string;
}

/** Everything that runs for the whole benchmark: Backbone, counterpart, floor, both sides. */
export class Arena {
	private readonly running: Program[] = [];

	private readonly folders: string[] = [];

	private readonly sandbox: Program;

	private readonly counterpart: Program;

	private readonly floor: Program;

	readonly sides: Record<Contestant, Program>;

	private opened: { readonly baseUrl: string; readonly counterpart: Counterpart } | undefined;

	/**
	 * @param programs folder of the bundled programs
	 * @param library the built core
	 */
	constructor(
		private readonly programs: string,
		private readonly library: string,
	) {
		this.sandbox = this.start('sandbox');
		this.counterpart = this.start('counterpart');
		this.floor = this.start('floor');
		this.sides = { official: this.start('official'), ours: this.start('ours') };
	}

	get baseUrl(): string {
		return this.state.baseUrl;
	}

	get counterpartAddress(): string {
		return this.state.counterpart.address;
	}

	async open(): Promise<void> {
		const urls = await this.sandbox.call<{ baseUrl: string; floorUrl: string }>('open');
		const { baseUrl, floorUrl } = urls;
		const folder = this.newFolder();
		const counterpart = await this.counterpart.call<Counterpart>('open', { baseUrl, folder });
		await this.floor.call('open', { floorUrl });
		this.opened = { baseUrl, counterpart };
	}

	/** A program in a process of its own, stopped at the latest with the arena. */
	start(name: string): Program {
		const program = new Program(join(this.programs, `${name}.cjs`), [this.library]);
		this.running.push(program);
		return program;
	}

	newFolder(): string {
		const folder = mkdtempSync(join(tmpdir(), 'bench-'));
		this.folders.push(folder);
		return folder;
	}

	/** Gives an open account a relationship with the counterpart and mails that wait for it. */
	async relate(program: Program, address: string, mails: number): Promise<void> {
		await program.call('relate', { reference: this.state.counterpart.reference });
		await this.counterpart.call('acceptAll');
		await program.call('syncs', { count: 1 });
		await this.counterpart.call('send', { to: address, count: mails });
	}

	/** Calls at the Backbone since the last look. */
	traffic(): Promise<Traffic> {
		return this.sandbox.call('traffic');
	}

	/** Milliseconds that bare undici and libsodium take for the same. */
	floorOf(traffic: Traffic, crypto: CryptoWork, operations: number): Promise<number> {
		return this.floor.call('run', { traffic, crypto, operations });
	}

	async close(): Promise<void> {
		await Promise.all(this.running.map((program) => program.stop()));
		for (const folder of this.folders) rmSync(folder, { recursive: true, force: true });
	}

	private get state() {
		if (this.opened === undefined) throw new TypeError('the arena is not open');
		return this.opened;
	}
}
