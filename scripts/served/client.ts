import { apiKey } from './served-gateway';

export interface Asked {
	readonly headers?: Readonly<Record<string, string>>;
	readonly json?: unknown;
	readonly form?: FormData;
}

/** Client of a served gateway; reads every answer to its end. */
export class Client {
	constructor(private readonly address: string) {}

	/** Sends a method and a path, which is below the prefix except for `/health`. */
	async ask(
		call: string,
		{ headers, json, form }: Asked = {},
	): Promise<{ readonly status: number; readonly text: string }> {
		const [method = '', path = ''] = call.split(' ');
		const body = json === undefined ? form : JSON.stringify(json);
		const answer = await fetch(this.address + (path === '/health' ? path : `/api/v2${path}`), {
			method,
			headers: {
				'x-api-key': apiKey,
				...(json === undefined ? {} : { 'content-type': 'application/json' }),
				...headers,
			},
			...(body === undefined ? {} : { body }),
		});
		return { status: answer.status, text: await answer.text() };
	}

	/**
	 * Returns the result of a call that has to succeed.
	 *
	 * @throws Error with status and body of every other answer
	 */
	async result<Result>(call: string, asked: Asked = {}): Promise<Result> {
		const { status, text } = await this.ask(call, asked);
		if (status >= 400) throw new Error(`${call}: ${status} ${text}`);
		return (text === '' ? undefined : (JSON.parse(text) as { result: Result }).result) as Result;
	}
}
