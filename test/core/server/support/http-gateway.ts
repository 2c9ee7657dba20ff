import type { Gateway } from '../../../../core';
import { silentLogger } from '../../../../core/base/logger';
import { authenticationSchema } from '../../../../core/server/config/authentication-config';
import { openServer, type RunningServer, type ServerOptions } from '../../../../core/server';
import type { TestNetwork } from '../../../support/gateways';

export const apiKey = 'Tests-Have-The-Key-0123456789-abc!';

/** Version 7 with the same key. */
const withKey = authenticationSchema.parse({ apiKey: { keys: { tests: { key: apiKey } } } });

/** What came back, with the body as JSON where it is JSON. */
export interface Answer {
	readonly status: number;
	readonly headers: Headers;
	readonly bytes: Uint8Array;
	/** of the envelope */
	// eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests look into any of them
	readonly result: any;
	readonly error: { id: string; docs: string; time: string; code: string; message: string };
	// eslint-disable-next-line @typescript-eslint/no-explicit-any -- as above
	readonly json: any;
}

export interface Ask {
	readonly headers?: Readonly<Record<string, string>>;
	/** sent as JSON */
	readonly json?: unknown;
	/** sent as it is */
	readonly body?: string | FormData | Uint8Array<ArrayBuffer>;
}

/** One of our gateways behind a server of its own, asked over real HTTP. */
export class HttpGateway {
	private constructor(
		readonly gateway: Gateway,
		readonly server: RunningServer,
	) {}

	static async open(
		network: TestNetwork,
		options: Partial<ServerOptions> = {},
		config = network.config(),
	): Promise<HttpGateway> {
		const { connectorVersion, metrics, ...others } = options;
		const instruments = metrics?.instrumentsOf('default');
		const gateway = await network.gateway(config, instruments === undefined ? {} : { instruments });
		metrics?.addAccount('default', { facade: gateway });
		const server = await openServer({
			facade: gateway,
			logger: silentLogger,
			host: '127.0.0.1',
			port: 0,
			...(connectorVersion === 7 ? { connectorVersion, authentication: withKey } : { apiKey }),
			cors: { origin: false },
			debug: false,
			// Read when a browser asks for it; documentation.test.ts builds it.
			documentationScript: 'rapidoc-min.js.gz',
			version: '0.0.0',
			configuration: {},
			refusalDelayMs: () => 0,
			drainMs: 100,
			metrics,
			...others,
		});
		return new HttpGateway(gateway, server);
	}

	/** Below the first prefix, with the key; a method and a path. */
	async ask(call: string, { headers = {}, json, body }: Ask = {}): Promise<Answer> {
		const [method = '', path = ''] = call.split(' ');
		const isAbsolute = /^\/(api|health|metrics|Monitoring|docs|rapidoc|Events)/i.test(path);
		const answer = await fetch(this.server.address + (isAbsolute ? path : `/api/v2${path}`), {
			method,
			redirect: 'manual',
			headers: {
				'x-api-key': apiKey,
				...(json === undefined ? {} : { 'content-type': 'application/json' }),
				...headers,
			},
			...(json === undefined ? {} : { body: JSON.stringify(json) }),
			...(body === undefined ? {} : { body }),
		});
		const bytes = new Uint8Array(await answer.arrayBuffer());
		const isJson = answer.headers.get('content-type')?.startsWith('application/json') ?? false;
		const parsed =
			isJson && bytes.length > 0
				? (JSON.parse(new TextDecoder().decode(bytes)) as Record<string, unknown>)
				: {};
		return {
			status: answer.status,
			headers: answer.headers,
			bytes,
			result: parsed.result,
			error: parsed.error as Answer['error'],
			json: parsed,
		};
	}

	async close(): Promise<void> {
		await this.server.close();
	}
}
