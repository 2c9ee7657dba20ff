import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import {
	cpSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	writeFileSync,
} from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { createRequire } from 'node:module';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(__dirname, '..', '..');
const owner = { email: 'owner@example.com', password: 'Owner-1234' };
const startTimeoutMs = 180_000;

export interface Workflow {
	readonly name: string;
	readonly nodes: readonly object[];
	readonly connections: object;
}

export interface Execution {
	readonly id: string;
	readonly status: string;
	readonly data: {
		readonly resultData: {
			readonly error?: { message: string };
			readonly runData: Record<string, Array<{ data?: { main: Array<ExecutionItem[] | null> } }>>;
		};
	};
}

export interface ExecutionItem {
	readonly json: Record<string, unknown>;
	readonly binary?: Record<string, { id?: string; mimeType: string; fileName?: string }>;
	readonly pairedItem?: unknown;
}

/** A real n8n with our packed package in place as its own installer would put it. */
export class N8nHost {
	private child: ChildProcess | undefined;

	private cookie = '';

	private apiKey = '';

	private output = '';

	private constructor(
		private readonly home: string,
		private readonly port: number,
		private readonly brokerPort: number,
	) {}

	static async prepare(): Promise<N8nHost> {
		const home = mkdtempSync(join(tmpdir(), 'enmeshed-n8n-'));
		installPackage(home);
		return new N8nHost(home, await freePort(), await freePort());
	}

	get log(): string {
		return this.output;
	}

	get url(): string {
		return `http://127.0.0.1:${this.port}`;
	}

	/** Starts n8n and logs in. */
	async start(): Promise<void> {
		this.child = spawn(
			process.execPath,
			[join(hostFolder(), 'node_modules', 'n8n', 'bin', 'n8n'), 'start'],
			{
				env: this.environment(),
				cwd: this.home,
				detached: true,
			},
		);
		const keep = (chunk: Buffer): void => {
			this.output = (this.output + chunk.toString()).slice(-50_000);
		};
		this.child.stdout?.on('data', keep);
		this.child.stderr?.on('data', keep);
		await this.until(async () => (await fetch(`${this.url}/healthz/readiness`)).ok, 'ready');
		await this.until(async () => await this.login(), 'logged in');
	}

	/** Kills n8n and its task runner at once. */
	async kill(): Promise<void> {
		await this.end('SIGKILL');
	}

	async stop(): Promise<void> {
		await this.end('SIGTERM');
	}

	async dispose(): Promise<void> {
		await this.stop();
		rmSync(this.home, { recursive: true, force: true });
	}

	async createCredential(data: object): Promise<string> {
		const created = await this.api('POST', '/credentials', {
			name: 'Sandbox',
			type: 'enmeshedBackboneApi',
			data,
		});
		return String((created as { id: string }).id);
	}

	async createWorkflow(workflow: Workflow): Promise<string> {
		const created = await this.api('POST', '/workflows', {
			...workflow,
			settings: { executionOrder: 'v1' },
		});
		return String((created as { id: string }).id);
	}

	/** Publishes and waits until every trigger runs. */
	async publish(workflowId: string): Promise<void> {
		await this.api('POST', `/workflows/${workflowId}/activate`);
		await this.untilPublished(workflowId);
	}

	async deactivate(workflowId: string): Promise<void> {
		await this.api('POST', `/workflows/${workflowId}/deactivate`);
	}

	async untilPublished(workflowId: string): Promise<void> {
		await this.until(async () => {
			const status = (await this.rest('GET', `/workflows/${workflowId}/publication-status`)) as {
				data?: { status: string };
			};
			return status.data?.status === 'published';
		}, `published: ${workflowId}`);
	}

	async executions(workflowId: string): Promise<Execution[]> {
		const path = `/executions?workflowId=${workflowId}&includeData=true&limit=250`;
		const { data } = (await this.api('GET', path)) as { data: Execution[] };
		return data;
	}

	async credentialTest(credential: object): Promise<{ status: string; message: string }> {
		const { data } = (await this.rest('POST', '/credentials/test', {
			credentials: credential,
		})) as {
			data: { status: string; message: string };
		};
		return data;
	}

	async nodeTypes(): Promise<Array<{ name: string }>> {
		const response = await fetch(`${this.url}/types/nodes.json`, {
			headers: { cookie: this.cookie },
		});
		return (await response.json()) as Array<{ name: string }>;
	}

	async binary(id: string): Promise<Buffer> {
		const response = await fetch(
			`${this.url}/rest/binary-data?id=${encodeURIComponent(id)}&action=view`,
			{
				headers: { cookie: this.cookie },
			},
		);
		return Buffer.from(await response.arrayBuffer());
	}

	async webhook(path: string, body: object = {}): Promise<unknown> {
		const response = await fetch(`${this.url}/webhook/${path}`, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify(body),
		});
		if (!response.ok) throw new Error(`webhook: ${response.status} ${await response.text()}`);
		return await response.json();
	}

	/** Repeats the look until it is true; failures of the look count as not yet. */
	async until(
		look: () => Promise<boolean>,
		what: string,
		timeoutMs = startTimeoutMs,
	): Promise<void> {
		const giveUpAt = Date.now() + timeoutMs;
		let last: unknown;
		while (Date.now() < giveUpAt) {
			try {
				if (await look()) return;
			} catch (error) {
				last = error;
			}
			await new Promise((resolve) => setTimeout(resolve, 300));
		}
		throw new Error(`n8n is not ${what}: ${String(last)}\n${this.output.slice(-6_000)}`);
	}

	private async end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
		const { child } = this;
		this.child = undefined;
		if (child?.pid === undefined || child.exitCode !== null) return;
		const ended = new Promise((resolve) => child.once('exit', resolve));
		// The whole group: the task runner is a child of its own.
		process.kill(-child.pid, signal);
		const timer = setTimeout(() => process.kill(-(child.pid ?? 0), 'SIGKILL'), 30_000);
		await ended;
		clearTimeout(timer);
	}

	private environment(): NodeJS.ProcessEnv {
		return {
			...process.env,
			NODE_OPTIONS: '',
			N8N_USER_FOLDER: this.home,
			N8N_HOST: '127.0.0.1',
			N8N_LISTEN_ADDRESS: '127.0.0.1',
			N8N_PORT: String(this.port),
			N8N_PROTOCOL: 'http',
			N8N_SECURE_COOKIE: 'false',
			N8N_ENCRYPTION_KEY: 'fixed-for-tests-0000000000000000',
			N8N_RUNNERS_BROKER_PORT: String(this.brokerPort),
			N8N_DIAGNOSTICS_ENABLED: 'false',
			N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
			N8N_VERSION_NOTIFICATIONS_WHATS_NEW_ENABLED: 'false',
			N8N_TEMPLATES_ENABLED: 'false',
			N8N_PERSONALIZATION_ENABLED: 'false',
			N8N_HIRING_BANNER_ENABLED: 'false',
			N8N_DYNAMIC_BANNERS_ENABLED: 'false',
			EXTERNAL_FRONTEND_HOOKS_URLS: '',
			N8N_DIAGNOSTICS_CONFIG_FRONTEND: '',
			N8N_DIAGNOSTICS_CONFIG_BACKEND: '',
			N8N_LICENSE_AUTO_RENEW_ENABLED: 'false',
			N8N_DISABLED_MODULES: 'mcp-registry',
			N8N_UNVERIFIED_PACKAGES_ENABLED: 'true',
			GENERIC_TIMEZONE: 'Europe/Berlin',
			N8N_INSTANCE_OWNER_MANAGED_BY_ENV: 'true',
			N8N_INSTANCE_OWNER_EMAIL: owner.email,
			N8N_INSTANCE_OWNER_FIRST_NAME: 'E',
			N8N_INSTANCE_OWNER_LAST_NAME: 'E',
			N8N_INSTANCE_OWNER_PASSWORD_HASH: passwordHash(),
		};
	}

	private async login(): Promise<boolean> {
		const response = await fetch(`${this.url}/rest/login`, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify({ emailOrLdapLoginId: owner.email, password: owner.password }),
		});
		if (!response.ok) return false;
		this.cookie = (response.headers.getSetCookie()[0] ?? '').split(';')[0] ?? '';
		if (this.apiKey !== '') return true;
		const { data: scopes } = (await this.rest('GET', '/api-keys/scopes')) as { data: string[] };
		const key = (await this.rest('POST', '/api-keys', {
			label: `tests ${Date.now()}`,
			expiresAt: null,
			scopes,
		})) as { data: { rawApiKey: string } };
		this.apiKey = key.data.rawApiKey;
		return true;
	}

	private rest(method: string, path: string, body?: object): Promise<unknown> {
		return this.request(method, `${this.url}/rest${path}`, { cookie: this.cookie }, body);
	}

	private api(method: string, path: string, body?: object): Promise<unknown> {
		return this.request(
			method,
			`${this.url}/api/v1${path}`,
			{ 'X-N8N-API-KEY': this.apiKey },
			body,
		);
	}

	private async request(
		method: string,
		url: string,
		headers: Record<string, string>,
		body?: object,
	): Promise<unknown> {
		const response = await fetch(url, {
			method,
			headers: { ...headers, 'content-type': 'application/json' },
			...(body === undefined ? {} : { body: JSON.stringify(body) }),
		});
		const text = await response.text();
		if (!response.ok) throw new Error(`${method} ${url}: ${response.status} ${text.slice(0, 500)}`);
		return text === '' ? {} : JSON.parse(text);
	}
}

/** Pack, unpack, strip the manifest, install: the steps of n8n's own installer. */
function installPackage(home: string): void {
	const target = join(home, '.n8n', 'nodes', 'node_modules', 'n8n-nodes-enmeshed');
	const packing = mkdtempSync(join(tmpdir(), 'enmeshed-pack-'));
	try {
		execFileSync('npm', ['pack', '--silent', '--pack-destination', packing], { cwd: root });
		const [tarball = ''] = readdirSync(packing);
		execFileSync('tar', ['-xzf', join(packing, tarball), '-C', packing]);
		mkdirSync(target, { recursive: true });
		cpSync(join(packing, 'package'), target, { recursive: true });
	} finally {
		rmSync(packing, { recursive: true, force: true });
	}
	const file = join(target, 'package.json');
	const manifest = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
	for (const name of ['devDependencies', 'peerDependencies', 'optionalDependencies']) {
		delete manifest[name];
	}
	writeFileSync(file, JSON.stringify(manifest));
	execFileSync(
		'npm',
		[
			'install',
			'--audit=false',
			'--fund=false',
			'--bin-links=false',
			'--install-strategy=shallow',
			'--ignore-scripts=true',
			'--package-lock=false',
		],
		{ cwd: target, stdio: 'pipe' },
	);
}

function hostFolder(): string {
	const cache =
		process.env['N8N_NODES_ENMESHED_CACHE'] ?? join(homedir(), '.cache', 'n8n-nodes-enmeshed');
	return join(cache, 'n8n-2.41.1');
}

let knownHash: string | undefined;

/** Computed once: another hash of the same password would end every session. */
function passwordHash(): string {
	if (knownHash === undefined) {
		const fromHost = createRequire(join(hostFolder(), 'package.json'));
		const bcrypt = fromHost('bcryptjs') as { hashSync(text: string, rounds: number): string };
		knownHash = bcrypt.hashSync(owner.password, 10);
	}
	return knownHash;
}

async function freePort(): Promise<number> {
	const server = createServer();
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	await new Promise((resolve) => server.close(resolve));
	return port;
}
