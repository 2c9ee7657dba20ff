import { Agent, request } from 'node:http';
import type { HostileRequest } from './hostile-requests';

/** Time after which an unanswered request counts as hanging. */
const timeoutMs = 60_000;

export interface RawAnswer {
	readonly status: number;
	readonly type: string;
	readonly text: string;
}

/** Sends requests with the key, over one connection at a time. */
export class Attacker {
	private readonly agent = new Agent({ keepAlive: true, maxSockets: 1 });

	constructor(
		private readonly address: string,
		private readonly apiKey: string,
	) {}

	/** @throws if the connection ends without an answer */
	send({ method, path, headers, body }: HostileRequest): Promise<RawAnswer> {
		return new Promise((resolve, reject) => {
			const options = {
				agent: this.agent,
				method,
				path,
				headers: {
					'x-api-key': this.apiKey,
					...headers,
					// Node sends a body with some methods only if its length is given.
					...(body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }),
				},
			};
			const sent = request(this.address, options, (answer) => {
				const chunks: Buffer[] = [];
				answer.on('data', (chunk: Buffer) => chunks.push(chunk));
				answer.once('error', reject);
				answer.once('end', () =>
					resolve({
						status: answer.statusCode ?? 0,
						type: answer.headers['content-type'] ?? '',
						text: Buffer.concat(chunks).toString(),
					}),
				);
			});
			sent.once('error', reject);
			sent.setTimeout(timeoutMs, () => sent.destroy(new Error('there is no answer')));
			sent.end(body);
		});
	}

	close(): void {
		this.agent.destroy();
	}
}
