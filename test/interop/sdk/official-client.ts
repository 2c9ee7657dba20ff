import { expect } from '@jest/globals';

/** What the official client answers: the result, or the error of the envelope. */
export interface SdkAnswer {
	readonly isSuccess: boolean;
	// eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests look into any of them
	readonly result: any;
	readonly error: { readonly code: string; readonly message: string };
}

type Method = (...given: unknown[]) => Promise<unknown>;
type Endpoint = Record<string, Method>;

/**
 * `@nmshd/connector-sdk` as it is published, used as a black box: whatever of its methods is called is
 * written down, so that a test can say which ones were not.
 */
export class OfficialClient {
	private readonly endpoints: Record<string, Endpoint>;

	private readonly called = new Set<string>();

	constructor(baseUrl: string, apiKey: string) {
		// eslint-disable-next-line @typescript-eslint/no-require-imports -- as a program without types would
		const { ConnectorClient } = require('@nmshd/connector-sdk') as {
			ConnectorClient: { create(config: object): Record<string, Endpoint> };
		};
		this.endpoints = ConnectorClient.create({ baseUrl, apiKey });
	}

	/** `attributes.getAttribute`, for example; whatever comes back. */
	async raw(name: string, ...given: unknown[]): Promise<unknown> {
		const [endpoint = '', method = ''] = name.split('.');
		const target = this.endpoints[endpoint];
		if (target?.[method] === undefined) throw new TypeError(`The client has no ${name}`);
		this.called.add(name);
		return await target[method](...given);
	}

	/** The answer, which has to be a success by the client's own judgement. */
	async ask(name: string, ...given: unknown[]): Promise<SdkAnswer['result']> {
		const answer = (await this.raw(name, ...given)) as SdkAnswer;
		if (!answer.isSuccess) {
			throw new Error(`${name}: ${answer.error.code} (${answer.error.message})`);
		}
		return answer.result;
	}

	/** The code of the error, which has to be one. */
	async refused(name: string, ...given: unknown[]): Promise<string> {
		const answer = (await this.raw(name, ...given)) as SdkAnswer;
		expect(answer.isSuccess).toBe(false);
		return answer.error.code;
	}

	/** Methods that neither this client nor the others have called. */
	uncalled(...others: readonly OfficialClient[]): string[] {
		const called = new Set([this, ...others].flatMap((client) => [...client.called]));
		return this.methods().filter((name) => !called.has(name));
	}

	/** All methods of all endpoints. */
	methods(): string[] {
		return Object.entries(this.endpoints).flatMap(([name, endpoint]) =>
			Object.getOwnPropertyNames(Object.getPrototypeOf(endpoint) as object)
				.filter((method) => method !== 'constructor')
				.map((method) => `${name}.${method}`),
		);
	}
}
