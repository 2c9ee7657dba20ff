import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Gateway } from '../core';
import { SandboxBackbone } from '../sandbox/sandbox-backbone';
import { bundleProgram } from '../scripts/harness/bundle';
import { PeerProcess } from '../test/support/peer/peer-process';
import { TestDatabase } from '../test/support/postgres/postgres';
import type { Methods, OpenInput } from './program';

type Input<Method extends keyof Methods> = Parameters<Methods[Method]>[0];

/** Program of the benchmark: an account in a process of its own. */
export class Program {
	constructor(
		private readonly process: PeerProcess,
		private readonly baseUrl: string,
	) {}

	async call<Method extends keyof Methods>(
		method: Method,
		params?: Input<Method>,
	): Promise<Awaited<ReturnType<Methods[Method]>>> {
		return (await this.process.request(method, params ?? {})) as never;
	}

	open(place: Omit<OpenInput, 'baseUrl'>) {
		return this.call('open', { baseUrl: this.baseUrl, ...place });
	}

	async end(): Promise<void> {
		await this.call('close');
		await this.process.stop();
	}
}

/** Backbone of a benchmark, and the peer of all sides, neither of which is measured. */
export class Arena {
	/** What ends with the arena. */
	readonly closing: Array<() => Promise<unknown>> = [];

	private constructor(
		private readonly folder: string,
		private readonly library: string,
		private readonly program: string,
		readonly backbone: SandboxBackbone,
	) {}

	/** @param library file of the built core */
	static async open(library: string): Promise<Arena> {
		const folder = mkdtempSync(join(tmpdir(), 'bench-'));
		const program = bundleProgram(join(__dirname, 'program.ts'), join(__dirname, '../.tmp/bench'));
		const backbone = await SandboxBackbone.open({ maxUnreceivedMessages: 1_000_000 });
		return new Arena(folder, library, program, backbone);
	}

	start(kind: 'ours' | 'official' | 'bare' = 'ours', library = this.library): Program {
		const process = new PeerProcess(this.program, [kind, library], () => undefined);
		return new Program(process, this.backbone.baseUrl);
	}

	newFolder(): string {
		return mkdtempSync(join(this.folder, 'account-'));
	}

	async database(): Promise<TestDatabase> {
		const database = await TestDatabase.create();
		this.closing.push(() => database.drop());
		return database;
	}

	async gateway(): Promise<Gateway> {
		const gateway = await Gateway.open({
			backbone: { baseUrl: this.backbone.baseUrl, clientId: 'test', clientSecret: 'test' },
			store: { kind: 'sqlite', folder: this.newFolder() },
		});
		this.closing.push(() => gateway.close());
		return gateway;
	}

	/** A new peer of an open account. */
	async peerOf(program: Program, own: string): Promise<Peer> {
		const gateway = await this.gateway();
		const { truncatedReference: reference } = await gateway.templates.create({
			expiresAt: new Date(Date.now() + 3_600_000).toISOString(),
			content: { '@type': 'ArbitraryRelationshipTemplateContent', value: {} },
		});
		await program.call('relate', { reference });
		await gateway.account.sync();
		const [relationship] = await gateway.relationships.list();
		await gateway.relationships.accept(relationship?.id ?? '');
		await program.call('run', { operation: 'sync', count: 1, to: '' });
		const { address } = await gateway.account.getIdentity();
		return { address, mail: (count) => sendMails(gateway, own, count) };
	}

	async close(): Promise<void> {
		for (const close of this.closing) await close();
		await this.backbone.close();
		rmSync(this.folder, { recursive: true, force: true });
	}
}

/** Peer of a measured account, which can send it mails. */
export interface Peer {
	readonly address: string;
	mail(count: number): Promise<void>;
}

async function sendMails({ messages }: Gateway, to: string, count: number): Promise<void> {
	const content = { '@type': 'Mail' as const, to: [to], body: 'The lazy dog. '.repeat(25) };
	for (let sent = 0; sent < count; sent += 8) {
		const lanes = Array.from({ length: Math.min(8, count - sent) }, (_, lane) =>
			messages.send({ recipients: [to], content: { ...content, subject: `Mail ${sent + lane}` } }),
		);
		await Promise.all(lanes);
	}
}
