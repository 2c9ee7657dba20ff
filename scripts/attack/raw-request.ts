import { request } from 'node:http';

export interface RawRequest {
	readonly method: string;
	/** sent as it is, also with dots and double slashes */
	readonly path: string;
	readonly headers?: Readonly<Record<string, string>>;
	readonly json?: unknown;
	readonly body?: string;
}

export interface RawAnswer {
	readonly status: number;
	readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
	readonly text: string;
}

/** Sends a request whose path no client has brought into its normal form. */
export function ask(address: string, { method, path, ...asked }: RawRequest): Promise<RawAnswer> {
	const { hostname, port } = new URL(address);
	const body = asked.json === undefined ? (asked.body ?? '') : JSON.stringify(asked.json);
	const headers = {
		...(asked.json === undefined ? {} : { 'content-type': 'application/json' }),
		...(body === '' ? {} : { 'content-length': String(Buffer.byteLength(body)) }),
		...asked.headers,
	};
	return new Promise((resolve, reject) => {
		// A connection of its own: the server closes refused ones, which a pool could still use.
		const options = { hostname, port, method, path, headers, agent: false };
		const sending = request(options, (answer) => {
			let text = '';
			answer.setEncoding('utf8');
			answer.on('data', (chunk: string) => (text += chunk));
			answer.on('error', reject);
			answer.on('end', () =>
				resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text }),
			);
		});
		sending.on('error', reject);
		sending.end(body);
	});
}

/** The same as JSON, of a call that has to succeed. */
export async function result<Result>(address: string, asked: RawRequest): Promise<Result> {
	const { status, text } = await ask(address, asked);
	if (status >= 400) throw new Error(`${asked.method} ${asked.path}: ${status} ${text}`);
	return (JSON.parse(text) as { result: Result }).result;
}
