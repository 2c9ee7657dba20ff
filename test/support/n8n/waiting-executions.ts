import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { IDataObject, INode, INodeExecutionData } from 'n8n-workflow';
import { Enmeshed } from '../../../nodes/Enmeshed/Enmeshed.node';
import { testNode, webhookFunctions, type WaitingHost } from './n8n-functions';

interface Execution {
	status: 'running' | 'waiting' | 'finished';
	/** what the node gave, one for each time it was resumed */
	readonly outputs: IDataObject[][];
	/** entry of the node in the stack of the execution, as n8n keeps it while it waits */
	readonly entry: { metadata?: { resumeError?: Error } };
}

/**
 * The waiting webhooks of n8n 2.41: statuses and answers as its `waiting-webhooks` gives them. An
 * execution runs from its first mention on, and ends when it is resumed, unless a test lets it wait
 * again.
 */
export class WaitingExecutions implements WaitingHost {
	/** credential of the node */
	credential: IDataObject = {};

	/** type of the node, if it is a variant for agents */
	nodeType: string | undefined;

	/** setting of the node */
	onError: INode['onError'];

	/** answers to calls, in their order */
	readonly answered: Array<{ readonly execution: string; readonly status: number }> = [];

	/** called before n8n looks at the execution; a test may keep the caller waiting, or let it fail */
	before: (path: string) => Promise<void> = async () => {};

	/** called when the node has answered, before n8n stores that the execution runs */
	beforeRunning: () => Promise<void> = async () => {};

	/** what the callers of the workflows got, by execution */
	readonly responses = new Map<string, unknown>();

	private readonly executions = new Map<string, Execution>();

	private port = 0;

	private server: Server | undefined;

	static async open(): Promise<WaitingExecutions> {
		const host = new WaitingExecutions();
		await host.up();
		return host;
	}

	/** Status of an execution, undefined when there is none. */
	status(id: string): Execution['status'] | undefined {
		return this.executions.get(id)?.status;
	}

	/** Items with which the execution went on, one list for each time. */
	outputs(id: string): IDataObject[][] {
		return this.executions.get(id)?.outputs ?? [];
	}

	/** Error with which the node failed when the execution went on. */
	failure(id: string): Error | undefined {
		return this.executions.get(id)?.entry.metadata?.resumeError;
	}

	delete(id: string): void {
		this.executions.delete(id);
	}

	finish(id: string): void {
		this.of(id).status = 'finished';
	}

	signedUrl(executionId: string, query: Record<string, string>): string {
		this.of(executionId);
		const url = new URL(
			`http://127.0.0.1:${this.port}/webhook-waiting/${executionId}/${testNode.id}`,
		);
		for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
		url.searchParams.set('signature', 'valid');
		return url.toString();
	}

	putToWait(executionId: string): void {
		this.of(executionId).status = 'waiting';
	}

	respond(executionId: string, response: unknown): void {
		this.responses.set(executionId, response);
	}

	async up(): Promise<void> {
		const server = createServer((incoming, outgoing) => {
			this.answer(incoming, outgoing).catch(() => outgoing.destroy());
		});
		await new Promise<void>((resolve) => server.listen(this.port, '127.0.0.1', resolve));
		this.port = (server.address() as AddressInfo).port;
		this.server = server;
	}

	/** As if n8n was stopped; executions stay. */
	async down(): Promise<void> {
		const { server } = this;
		this.server = undefined;
		if (server === undefined) return;
		const closed = new Promise((resolve) => server.close(resolve));
		server.closeAllConnections();
		await closed;
	}

	private of(id: string): Execution {
		const execution = this.executions.get(id) ?? {
			status: 'running' as const,
			outputs: [],
			entry: {},
		};
		this.executions.set(id, execution);
		return execution;
	}

	private async answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
		await this.before(incoming.url ?? '');
		const url = new URL(incoming.url ?? '', 'http://host');
		const [, , id = ''] = url.pathname.split('/');
		const respond = (status: number, body: object | string, headers: object = {}): void => {
			this.answered.push({ execution: id, status });
			outgoing
				.writeHead(status, { ...headers })
				.end(typeof body === 'string' ? body : JSON.stringify(body));
		};
		const query = Object.fromEntries(url.searchParams);
		const execution = this.executions.get(id);
		if (execution === undefined) {
			respond(404, { code: 404, message: `The execution "${id}" does not exist.` });
			return;
		}
		if (query['signature'] !== 'valid') return respond(401, 'Invalid token');
		if (execution.status === 'running') {
			respond(409, { code: 409, message: `The execution "${id}" is running already.` });
			return;
		}
		if (execution.status === 'finished') return respond(200, '<h1>No action required</h1>');
		const { credential } = this;
		const result = await new Enmeshed().webhook.call(
			webhookFunctions(
				{
					credentials: credential,
					executionId: id,
					node: {
						...(this.nodeType === undefined ? {} : { type: this.nodeType }),
						...(this.onError === undefined ? {} : { onError: this.onError }),
					},
				},
				{
					method: incoming.method ?? '',
					query,
					headers: { ...incoming.headers },
					respond,
					entry: execution.entry,
				},
			),
		);
		if (result.workflowData === undefined) return;
		await this.beforeRunning();
		if (this.executions.get(id)?.status !== 'waiting') {
			respond(500, { message: 'There was a problem executing the workflow' });
			return;
		}
		execution.status = 'finished';
		execution.outputs.push(jsonOf(result.workflowData[0] ?? []));
		respond(200, result.webhookResponse as object);
	}
}

function jsonOf(items: readonly INodeExecutionData[]): IDataObject[] {
	return items.map(({ json }) => json);
}
