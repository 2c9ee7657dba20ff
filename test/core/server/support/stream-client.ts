import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { apiKey, type HttpGateway } from './http-gateway';

export interface StreamRequest {
	readonly query?: string;
	readonly headers?: Readonly<Record<string, string>>;
}

/** Follows the event stream as browsers and their like do. */
export class StreamClient {
	readonly events: EventSourceMessage[] = [];

	readonly comments: string[] = [];

	/** everything as it came */
	text = '';

	isEnded = false;

	readonly ended: Promise<void>;

	private constructor(
		readonly answer: Response,
		private readonly abort: AbortController,
	) {
		this.ended = this.read().finally(() => (this.isEnded = true));
		this.ended.catch(() => undefined);
	}

	static async open(
		http: HttpGateway,
		{ query = '', headers = {} }: StreamRequest = {},
	): Promise<StreamClient> {
		const abort = new AbortController();
		const answer = await fetch(`${http.server.address}/Events${query}`, {
			headers: { 'x-api-key': apiKey, accept: 'text/event-stream', ...headers },
			signal: abort.signal,
		});
		return new StreamClient(answer, abort);
	}

	get names(): Array<string | undefined> {
		return this.events.map(({ event }) => event);
	}

	get lastId(): string | undefined {
		return [...this.text.matchAll(/^id: (\d+)$/gm)].at(-1)?.[1];
	}

	async close(): Promise<void> {
		this.abort.abort();
		await this.ended.catch(() => undefined);
	}

	private async read(): Promise<void> {
		const parser = createParser({
			onEvent: (event) => this.events.push(event),
			onComment: (comment) => this.comments.push(comment),
		});
		const decoder = new TextDecoder();
		for await (const chunk of this.answer.body ?? []) {
			const text = decoder.decode(chunk, { stream: true });
			this.text += text;
			parser.feed(text);
		}
	}
}
