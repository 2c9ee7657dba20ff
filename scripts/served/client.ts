import { apiKey } from './served-gateway';

export interface Outcome {
	readonly status: number;
	/** code of an error */
	readonly code?: string | undefined;
}

export interface Asked {
	readonly headers?: Readonly<Record<string, string>>;
	readonly json?: unknown;
	readonly form?: FormData;
}

/** Client of a served gateway; reads every answer to its end. */
export class Client {
	constructor(
		private readonly address: string,
		private readonly key = apiKey,
	) {}

	/** Sends a method and a path, which is below the prefix except for `/health`. */
	async ask(call: string, { headers, json, form }: Asked = {}): Promise<Outcome> {
		const answer = await this.fetch(call, headers, json, form);
		const { ok, status } = answer;
		if (!ok && answer.headers.get('content-type')?.startsWith('application/json') === true) {
			const { error } = (await answer.json()) as { error?: { code?: string } };
			return { status, code: error?.code };
		}
		await answer.arrayBuffer();
		return { status };
	}

	/**
	 * Returns the result of a call that has to succeed.
	 *
	 * @throws Error with status and body of every other answer
	 */
	async result<Result>(call: string, { headers, json, form }: Asked = {}): Promise<Result> {
		const answer = await this.fetch(call, headers, json, form);
		const text = await answer.text();
		if (!answer.ok) throw new Error(`${call}: ${answer.status} ${text}`);
		return (text === '' ? undefined : (JSON.parse(text) as { result: Result }).result) as Result;
	}

	private async fetch(
		call: string,
		headers: Asked['headers'],
		json: unknown,
		form: FormData | undefined,
	): Promise<Response> {
		const [method = '', path = ''] = call.split(' ');
		const body = json === undefined ? form : JSON.stringify(json);
		return await fetch(this.address + (path === '/health' ? path : `/api/v2${path}`), {
			method,
			headers: {
				'x-api-key': this.key,
				...(json === undefined ? {} : { 'content-type': 'application/json' }),
				...headers,
			},
			...(body === undefined ? {} : { body }),
		});
	}
}
