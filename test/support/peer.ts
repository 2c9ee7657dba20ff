import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

export type Generation = 6 | 7;

export interface PeerEvent {
	readonly namespace: string;
	readonly data: Record<string, unknown>;
}

/** An object of the official runtime, as JSON. */
export type PeerObject = Record<string, unknown> & { readonly id: string };

interface Waiting {
	readonly resolve: (value: unknown) => void;
	readonly reject: (error: Error) => void;
}

/**
 * Drives an official runtime in a process of its own: the wallet that nobody here wrote. It is a
 * black box behind JSON lines, see `test/interop/peer/peer-process.cjs`.
 */
export class Peer {
	address = '';

	readonly events: PeerEvent[] = [];

	private readonly waiting = new Map<number, Waiting>();

	private readonly listeners = new Set<(event: PeerEvent) => void>();

	private nextId = 1;

	private diagnosis = '';

	private constructor(private readonly child: ChildProcessWithoutNullStreams) {
		child.stderr.on('data', (chunk: Buffer) => {
			this.diagnosis = (this.diagnosis + chunk.toString()).slice(-20_000);
		});
		createInterface({ input: child.stdout }).on('line', (line) => this.receive(line));
		child.on('exit', (code) => {
			for (const { reject } of this.waiting.values()) {
				reject(new Error(`the peer ended with ${String(code)}: ${this.diagnosis}`));
			}
		});
	}

	/** Starts the runtime and creates or opens its account. */
	static async start(
		generation: Generation,
		config: { baseUrl: string; folder?: string },
		root = join(__dirname, '..', '..'),
	): Promise<Peer> {
		const file = join(root, 'test', 'interop', 'peer', 'peer-process.cjs');
		const peer = new Peer(spawn(process.execPath, [file, String(generation)], { cwd: root }));
		const identity = (await peer.request('start', config)) as { address: string };
		peer.address = identity.address;
		return peer;
	}

	/** What the runtime wrote to its log. */
	get log(): string {
		return this.diagnosis;
	}

	/** Any use case, for example `call('transport.messages', 'getMessages', { query: {} })`. */
	async call<Result = PeerObject>(
		service: string,
		method: string,
		...params: unknown[]
	): Promise<Result> {
		return (await this.request('call', { service, method, params })) as Result;
	}

	async sync(): Promise<void> {
		await this.call('transport.account', 'syncEverything');
	}

	createTemplate(content: object, more: object = {}): Promise<PeerObject> {
		const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
		return this.call('transport.relationshipTemplates', 'createOwnRelationshipTemplate', {
			content,
			expiresAt,
			...more,
		});
	}

	loadTemplate(reference: string, password?: string): Promise<PeerObject> {
		return this.call('transport.relationshipTemplates', 'loadPeerRelationshipTemplate', {
			reference,
			...(password === undefined ? {} : { password }),
		});
	}

	/** The request that came with a loaded template, once it waits for a decision. */
	async incomingRequest(templateId: string): Promise<PeerObject> {
		return await this.poll(async () => {
			const requests = await this.call<PeerObject[]>(
				'consumption.incomingRequests',
				'getRequests',
				{ query: { 'source.reference': templateId } },
			);
			return requests.find(({ status }) => status === 'ManualDecisionRequired');
		}, 'an incoming request');
	}

	/** Accepting the request of a template creates the relationship. */
	acceptRequest(requestId: string, items: readonly object[]): Promise<PeerObject> {
		return this.call('consumption.incomingRequests', 'accept', { requestId, items });
	}

	createRelationship(templateId: string, value: unknown): Promise<PeerObject> {
		return this.call('transport.relationships', 'createRelationship', {
			templateId,
			creationContent: { '@type': 'ArbitraryRelationshipCreationContent', value },
		});
	}

	relationships(): Promise<PeerObject[]> {
		return this.call('transport.relationships', 'getRelationships', { query: {} });
	}

	acceptRelationship(relationshipId: string): Promise<PeerObject> {
		return this.call('transport.relationships', 'acceptRelationship', { relationshipId });
	}

	sendMail(to: string, subject: string, body: string): Promise<PeerObject> {
		return this.send(to, { '@type': 'Mail', to: [to], cc: [], subject, body });
	}

	send(to: string, content: object): Promise<PeerObject> {
		return this.call('transport.messages', 'sendMessage', { recipients: [to], content });
	}

	messages(): Promise<PeerObject[]> {
		return this.call('transport.messages', 'getMessages', { query: {} });
	}

	/** Resolves with the first event that fits, also one from before the call. */
	async waitForEvent(
		namespace: string,
		fits: (event: PeerEvent) => boolean = () => true,
		timeoutMs = 20_000,
	): Promise<PeerEvent> {
		const isWanted = (event: PeerEvent): boolean => event.namespace === namespace && fits(event);
		const known = this.events.find(isWanted);
		if (known !== undefined) return known;
		return await new Promise((resolve, reject) => {
			const listener = (event: PeerEvent): void => {
				if (!isWanted(event)) return;
				this.listeners.delete(listener);
				clearTimeout(timer);
				resolve(event);
			};
			const timer = setTimeout(() => {
				this.listeners.delete(listener);
				reject(new Error(`the peer published no ${namespace}; log: ${this.diagnosis}`));
			}, timeoutMs);
			this.listeners.add(listener);
		});
	}

	async stop(): Promise<void> {
		if (this.child.exitCode !== null) return;
		const ended = new Promise((resolve) => this.child.once('exit', resolve));
		this.child.stdin.end();
		const timer = setTimeout(() => this.child.kill('SIGKILL'), 5_000);
		await ended;
		clearTimeout(timer);
	}

	private async poll<Value>(
		look: () => Promise<Value | undefined>,
		what: string,
	): Promise<Value> {
		for (let tries = 0; tries < 200; tries++) {
			const value = await look();
			if (value !== undefined) return value;
			await new Promise((resolve) => setTimeout(resolve, 50));
		}
		throw new Error(`the peer has no ${what}; log: ${this.diagnosis}`);
	}

	private request(method: string, params: unknown): Promise<unknown> {
		const id = this.nextId++;
		return new Promise((resolve, reject) => {
			this.waiting.set(id, { resolve, reject });
			this.child.stdin.write(`${JSON.stringify({ id, method, params })}\n`);
		});
	}

	private receive(line: string): void {
		const message = JSON.parse(line) as {
			id?: number;
			result?: unknown;
			error?: { code?: string; message: string };
			event?: PeerEvent;
		};
		if (message.event !== undefined) {
			this.events.push(message.event);
			for (const listener of this.listeners) listener(message.event);
			return;
		}
		const waiting = this.waiting.get(message.id ?? 0);
		this.waiting.delete(message.id ?? 0);
		if (message.error === undefined) waiting?.resolve(message.result);
		else {
			const { code, message: text } = message.error;
			waiting?.reject(Object.assign(new Error(`${code ?? ''} ${text}`), { code }));
		}
	}
}
