import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ToolCall {
	readonly tool: string;
	readonly input: object;
}

/** What one request to the model contains, in either protocol. */
export interface ModelRequest {
	readonly tools: ReadonlyArray<{ name: string; description: string; parameters: object }>;
	/** results of all tool calls so far, in their order */
	readonly results: readonly string[];
}

/**
 * A language model that follows a plan: in each turn it calls the tools of the turn, and when every
 * call has a result, it repeats the results as its answer. It speaks OpenAI's chat completions and
 * responses, without streaming.
 */
export class ModelStub {
	/** calls of each turn */
	plan: ReadonlyArray<readonly ToolCall[]> = [];

	readonly requests: ModelRequest[] = [];

	private constructor(private readonly server: Server) {}

	static async open(): Promise<ModelStub> {
		const server = createServer((incoming, outgoing) => {
			outgoing.setHeader('content-type', 'application/json');
			bodyOf(incoming)
				.then((body) => outgoing.end(JSON.stringify(stub.answer(incoming.url ?? '', body))))
				.catch((error: unknown) => outgoing.writeHead(400).end(String(error)));
		});
		const stub = new ModelStub(server);
		await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
		return stub;
	}

	/** Base URL for n8n's credential 'OpenAI'. */
	get url(): string {
		return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/v1`;
	}

	async close(): Promise<void> {
		const closed = new Promise((resolve) => this.server.close(resolve));
		this.server.closeAllConnections();
		await closed;
	}

	private answer(path: string, body: Body): object {
		if (body.stream === true) throw new Error('This model does not stream');
		const isChat = path.endsWith('/chat/completions');
		if (!isChat && !path.endsWith('/responses')) throw new Error(`Unknown path ${path}`);
		const request = isChat ? readChat(body) : readResponses(body);
		this.requests.push(request);
		const { results } = request;
		const calls = this.callsAfter(results.length);
		const named = calls.map(({ tool, input }, index) => ({
			id: `call_${results.length + index + 1}`,
			name: tool,
			arguments: JSON.stringify(input),
		}));
		return isChat ? chatCompletion(named, results) : response(named, results);
	}

	/** Calls of the first turn that has no results yet. */
	private callsAfter(results: number): readonly ToolCall[] {
		let before = 0;
		for (const turn of this.plan) {
			if (before === results) return turn;
			before += turn.length;
		}
		return [];
	}
}

interface Body {
	readonly stream?: boolean;
	readonly tools?: ReadonlyArray<Record<string, unknown>>;
	readonly messages?: ReadonlyArray<Record<string, unknown>>;
	readonly input?: ReadonlyArray<Record<string, unknown>>;
}

interface NamedCall {
	readonly id: string;
	readonly name: string;
	readonly arguments: string;
}

async function bodyOf(incoming: IncomingMessage): Promise<Body> {
	const chunks: Buffer[] = [];
	for await (const chunk of incoming) chunks.push(chunk as Buffer);
	return JSON.parse(Buffer.concat(chunks).toString()) as Body;
}

function readChat({ tools = [], messages = [] }: Body): ModelRequest {
	return {
		tools: tools.map((tool) => tool['function'] as ModelRequest['tools'][number]),
		results: messages.filter(({ role }) => role === 'tool').map(({ content }) => textOf(content)),
	};
}

function readResponses({ tools = [], input = [] }: Body): ModelRequest {
	return {
		tools: tools as unknown as ModelRequest['tools'],
		results: input
			.filter(({ type }) => type === 'function_call_output')
			.map(({ output }) => textOf(output)),
	};
}

function textOf(content: unknown): string {
	return typeof content === 'string' ? content : JSON.stringify(content);
}

function chatCompletion(calls: readonly NamedCall[], results: readonly string[]): object {
	const toolCalls = calls.map(({ id, ...called }) => ({ id, type: 'function', function: called }));
	const message =
		calls.length > 0
			? { role: 'assistant', content: null, tool_calls: toolCalls }
			: { role: 'assistant', content: results.join('\n') };
	const reason = calls.length > 0 ? 'tool_calls' : 'stop';
	return {
		id: 'chatcmpl-1',
		object: 'chat.completion',
		created: 0,
		model: 'stub',
		choices: [{ index: 0, message, finish_reason: reason }],
		usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
	};
}

function response(calls: readonly NamedCall[], results: readonly string[]): object {
	const text = { type: 'output_text', text: results.join('\n'), annotations: [] };
	const output =
		calls.length > 0
			? calls.map(({ id, ...called }) => ({
					type: 'function_call',
					id: `fc_${id}`,
					call_id: id,
					status: 'completed',
					...called,
				}))
			: [
					{
						type: 'message',
						id: 'msg_1',
						role: 'assistant',
						status: 'completed',
						content: [text],
					},
				];
	return {
		id: 'resp_1',
		object: 'response',
		created_at: 0,
		status: 'completed',
		model: 'stub',
		output,
		usage: { input_tokens: 1, output_tokens: 1, total_tokens: 2 },
	};
}
