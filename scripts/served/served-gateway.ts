import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Program } from './program';
import { SandboxProgram } from './sandbox-program';

export const apiKey = 'Measurements-Have-The-Key-0123456789!';

const startTimeoutMs = 60_000;

export interface ServedOptions {
	/** folder of the build */
	readonly dist: string;
	readonly backboneUrl: string;
	/** folder of the account; default: a temporary folder */
	readonly folder?: string;
	/** additional settings */
	readonly environment?: Readonly<Record<string, string>>;
}

/** Built HTTP gateway in a process of its own, started like an operator does. */
export class ServedGateway {
	private constructor(
		private readonly program: Program,
		private readonly ownFolder: string | undefined,
	) {}

	static async start({
		dist,
		backboneUrl,
		folder,
		environment,
	}: ServedOptions): Promise<ServedGateway> {
		const ownFolder = folder === undefined ? mkdtempSync(join(tmpdir(), 'served-')) : undefined;
		const program = await Program.start(dist, ['serve'], /listening on (http:\/\/\S+)/, {
			transportLibrary__baseUrl: backboneUrl,
			PLATFORM_CLIENT_ID: 'test',
			PLATFORM_CLIENT_SECRET: 'test',
			API_KEY: apiKey,
			infrastructure__httpServer__port: '0',
			database__folder: folder ?? ownFolder,
			...environment,
		});
		const gateway = new ServedGateway(program, ownFolder);
		const giveUpAt = performance.now() + startTimeoutMs;
		while (!(await isHealthy(gateway))) {
			if (performance.now() < giveUpAt) continue;
			await gateway.stop();
			throw new Error('The gateway did not become healthy.');
		}
		return gateway;
	}

	get address(): string {
		return this.program.address;
	}

	get pid(): number {
		return this.program.pid;
	}

	async stop(): Promise<void> {
		await this.program.stop();
		if (this.ownFolder !== undefined) rmSync(this.ownFolder, { recursive: true, force: true });
	}
}

export const isHealthy = ({ address }: ServedGateway): Promise<boolean> =>
	fetch(`${address}/health`).then(
		({ status }) => status === 200,
		() => false,
	);

/** Runs work with a built gateway and its sandbox, and stops both. */
export async function withServedGateway(
	environment: Readonly<Record<string, string>>,
	work: (gateway: ServedGateway, backboneUrl: string) => Promise<void>,
): Promise<void> {
	const dist = join(__dirname, '..', '..', 'dist');
	const sandbox = await SandboxProgram.start(dist);
	let gateway: ServedGateway | undefined;
	try {
		gateway = await ServedGateway.start({ dist, backboneUrl: sandbox.url, environment });
		await work(gateway, sandbox.url);
	} finally {
		await gateway?.stop();
		await sandbox.stop();
	}
}
