import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { hashOwnerPassword, n8nEnvironment, type N8nPlace } from './environment';
import { freePort } from './free-port';
import { installPackage } from './install-package';
import { N8nApi } from './n8n-api';
import { newHome } from './new-home';
import { N8nProcess } from './n8n-process';

const startTimeoutMs = 180_000;

export interface N8nHostOptions {
	/** puts the package into the home; default: the steps of n8n's own installer */
	readonly install?: (home: string) => void;
	/** command that ends in n8n; default: n8n itself */
	readonly command?: readonly string[];
}

/** Real n8n with the packed package, installed as n8n's own installer would. */
export class N8nHost extends N8nApi {
	private readonly process: N8nProcess;

	private constructor(
		private readonly place: N8nPlace,
		command: readonly string[] | undefined,
	) {
		super();
		this.process = new N8nProcess(['start'], n8nEnvironment(place), place.home, command);
	}

	/**
	 * Prepares a host. By default its home is below the temporary folder and its ports are free ones.
	 */
	static async prepare(
		place: Partial<N8nPlace> = {},
		{ install = (home) => installPackage(home), command }: N8nHostOptions = {},
	): Promise<N8nHost> {
		const home = place.home ?? (await homeFor(place));
		install(home);
		const complete = {
			home,
			port: place.port ?? (await freePort()),
			brokerPort: place.brokerPort ?? (await freePort()),
			passwordHash: place.passwordHash ?? hashOwnerPassword(),
			...(place.environment === undefined ? {} : { environment: place.environment }),
		};
		return new N8nHost(complete, command);
	}

	/** End of n8n's output, over all starts. */
	get log(): string {
		return this.process.log;
	}

	/** True if n8n ended its last run without being killed. */
	get endedItself(): boolean {
		return this.process.endedItself;
	}

	override get url(): string {
		return `http://127.0.0.1:${this.place.port}`;
	}

	get home(): string {
		return this.place.home;
	}

	/** Starts n8n and logs in. */
	async start(): Promise<void> {
		this.process.spawn();
		await this.until(async () => (await fetch(`${this.url}/healthz/readiness`)).ok, 'ready');
		await this.until(async () => await this.login(), 'logged in');
	}

	/** Kills n8n and its task runner immediately. */
	async kill(): Promise<void> {
		await this.process.end('SIGKILL');
	}

	/** Stops n8n; kills it if it does not end in time. */
	async stop(): Promise<void> {
		await this.process.end('SIGTERM');
	}

	async dispose(): Promise<void> {
		await this.stop();
		rmSync(this.place.home, { recursive: true, force: true });
	}

	override async until(
		look: () => Promise<boolean>,
		what: string,
		timeoutMs = startTimeoutMs,
	): Promise<void> {
		await this.process.until(look, what, timeoutMs);
	}
}

/** An n8n with settings of its own, such as another database, begins with an empty home. */
async function homeFor({ environment }: Partial<N8nPlace>): Promise<string> {
	return environment === undefined ? await newHome() : mkdtempSync(join(tmpdir(), 'enmeshed-n8n-'));
}
