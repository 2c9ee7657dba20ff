import { silentLogger } from '../../../../core/base/logger';
import {
	AccountHost,
	openServer,
	parseServerConfig,
	RunningAccount,
	type RunningServer,
	type ServedOptions,
	type Settings,
} from '../../../../core/server';
import { accountOperations } from '../../../../scripts/cli/hosted-accounts';
import type { SandboxNetwork } from '../../../support/gateways';
import { until } from '../../../support/until';
import { apiKey } from './http-gateway';

/** What came back from a path. */
export interface Answer {
	readonly status: number;
	readonly headers: Headers;
	// eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests look into any of them
	readonly json: any;
}

/** Settings of a gateway whose accounts are in a folder of their own. */
export function settingsFor(network: SandboxNetwork, others: Settings = {}): Settings {
	return {
		transportLibrary: {
			baseUrl: network.backbone.baseUrl,
			platformClientId: 'test',
			platformClientSecret: 'test',
		},
		database: { folder: network.newFolder() },
		infrastructure: { httpServer: { port: 0, apiKey } },
		...others,
	};
}

/** A gateway with several accounts, opened as `serve` does. */
export class SeveralAccounts {
	private constructor(
		readonly settings: Settings,
		readonly main: RunningAccount,
		readonly accounts: AccountHost,
		readonly server: RunningServer,
	) {}

	static async open(
		settings: Settings,
		options: Partial<ServedOptions> = {},
	): Promise<SeveralAccounts> {
		const config = parseServerConfig(settings);
		const operations = accountOperations(silentLogger);
		const main = new RunningAccount({
			name: 'default',
			settings: '',
			logger: silentLogger,
			open: (signal) => operations.open(config, 'default', signal),
		});
		await main.tried;
		const accounts = new AccountHost({
			...{ settings, operations, logger: silentLogger },
			registry: () => main.facade?.hostedAccounts,
		});
		const server = await openServer({
			...config.infrastructure.httpServer,
			facade: () => main.facade,
			accounts,
			logger: silentLogger,
			...(config.modules.audit.enabled ? { audit: config.modules.audit } : {}),
			debug: false,
			version: '0.0.0',
			configuration: {},
			refusalDelayMs: () => 0,
			drainMs: 100,
			...options,
		});
		await accounts.start();
		return new SeveralAccounts(settings, main, accounts, server);
	}

	/** Method and path, with the key of the default account unless another one is given. */
	async ask(call: string, { json, body, key = apiKey, headers = {} }: Ask = {}): Promise<Answer> {
		const [method = '', path = ''] = call.split(' ');
		const answer = await fetch(this.server.address + path, {
			method,
			headers: {
				...(key === '' ? {} : { 'x-api-key': key }),
				...(json === undefined ? {} : { 'content-type': 'application/json' }),
				...headers,
			},
			...(json === undefined ? {} : { body: JSON.stringify(json) }),
			...(body === undefined ? {} : { body }),
		});
		const text = await answer.text();
		const isJson = answer.headers.get('content-type')?.startsWith('application/json') ?? false;
		return {
			status: answer.status,
			headers: answer.headers,
			json: isJson && text !== '' ? JSON.parse(text) : text,
		};
	}

	async download(path: string, json: unknown): Promise<Uint8Array<ArrayBuffer>> {
		const answer = await fetch(this.server.address + path, {
			method: 'POST',
			headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
			body: JSON.stringify(json),
		});
		return new Uint8Array(await answer.arrayBuffer());
	}

	/** Waits until an account is in a state. */
	async reaches(name: string, state: string): Promise<void> {
		await until(async () => (await this.accounts.get(name)).state === state);
	}

	/** Key of an account that its facade stores. */
	async keyOf(name: string, scopes: readonly string[] = ['**']): Promise<string> {
		const facade = this.accounts.find(name)?.facade;
		if (facade === undefined) throw new Error(`The account '${name}' is not open`);
		return (await facade.accessKeys.create({ name: 'tests', scopes: [...scopes] })).key;
	}

	async close(): Promise<void> {
		await this.server.close();
		await this.accounts.close();
		await this.main.close();
	}
}

interface Ask {
	readonly json?: unknown;
	readonly body?: Uint8Array<ArrayBuffer>;
	/** empty: none */
	readonly key?: string;
	readonly headers?: Readonly<Record<string, string>>;
}
