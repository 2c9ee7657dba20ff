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
	/** reference of the template that both sides answer */
	readonly reference: string;
}

/** Processes of a benchmark: Backbone, counterpart, floor and both sides. */
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
	 * @param library folder of the built core
	 * @param against another build of the core, which replaces the official runtime
	 */
	constructor(
		private readonly programs: string,
		readonly library: string,
		private readonly against?: string,
	) {
		this.sandbox = this.start('sandbox');
		this.counterpart = this.start('counterpart');
		this.floor = this.start('floor');
		this.sides = { official: this.startSide('official'), ours: this.startSide('ours') };
	}

	get baseUrl(): string {
		return this.state.baseUrl;
	}

	get counterpartAddress(): string {
		return this.state.counterpart.address;
	}

	/** @param port port of the Backbone; default: any free one */
	async open(port?: number): Promise<void> {
		const urls = await this.sandbox.call<{ baseUrl: string; floorUrl: string }>('open', { port });
		const { baseUrl, floorUrl } = urls;
		const folder = this.newFolder();
		const counterpart = await this.counterpart.call<Counterpart>('open', { baseUrl, folder });
		await this.floor.call('open', { floorUrl });
		this.opened = { baseUrl, counterpart };
	}

	/** Starts a program in a process of its own; it stops with the arena at the latest. */
	start(name: string, library = this.library): Program {
		const program = new Program(join(this.programs, `${name}.cjs`), [library]);
		this.running.push(program);
		return program;
	}

	startSide(side: Contestant): Program {
		if (!this.isOurs(side)) return this.start(side);
		return this.start('ours', side === 'ours' ? this.library : this.against);
	}

	/** True for the other build of this gateway, too. */
	isOurs(side: Contestant): boolean {
		return side === 'ours' || this.against !== undefined;
	}

	newFolder(): string {
		const folder = mkdtempSync(join(tmpdir(), 'bench-'));
		this.folders.push(folder);
		return folder;
	}

	/** Gives an open account a relationship with the counterpart and unread mails. */
	async relate(program: Program, address: string, mails: number): Promise<void> {
		await program.call('relate', { reference: this.state.counterpart.reference });
		await this.counterpart.call('acceptAll');
		await program.call('syncs', { count: 1 });
		await this.mailTo(address, mails);
	}

	/** Gives an open account a relationship with a further peer; returns its address. */
	async relateToFurtherPeer(program: Program): Promise<string> {
		const peer = this.start('counterpart');
		const place = { baseUrl: this.baseUrl, folder: this.newFolder() };
		const { address, reference } = await peer.call<Counterpart>('open', place);
		await program.call('relate', { reference });
		await peer.call('acceptAll');
		await program.call('syncs', { count: 1 });
		await peer.stop();
		return address;
	}

	/** Lets the counterpart send mails to an account that has a relationship with it. */
	async mailTo(address: string, count: number): Promise<void> {
		await this.counterpart.call('send', { to: address, count });
	}

	/** Calls at the Backbone since the previous call of this method. */
	traffic(): Promise<Traffic> {
		return this.sandbox.call('traffic');
	}

	/** Milliseconds that plain undici and libsodium need for the same work. */
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
