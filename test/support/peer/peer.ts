import { join } from 'node:path';
import type { SyncingParty } from '../arrivals';
import { PeerProcess, type PeerEvent } from './peer-process';

export { PeerError, type PeerEvent } from './peer-process';

export type Generation = 6 | 7;

/** An object of the official runtime, as JSON. */
export type PeerObject = Record<string, unknown> & { readonly id: string };

export interface PeerConfig {
	readonly baseUrl: string;
	/** both default to `test` */
	readonly clientId?: string;
	readonly clientSecret?: string;
	/** where the account is kept over restarts; absent: in memory */
	readonly folder?: string;
}

const keptEvents = 2_000;

const projectRoot = join(__dirname, '..', '..', '..');

/**
 * Drives an official runtime in a process of its own: the wallet that is not ours. It is a
 * black box behind JSON lines, see `test/interop/peer/peer-process.cjs`. What it refuses is thrown
 * as a `PeerError` with its code.
 */
export class Peer {
	address = '';

	/** The newest events, oldest first. */
	readonly events: PeerEvent[] = [];

	private published = 0;

	private readonly listeners = new Set<(event: PeerEvent) => void>();

	private readonly process: PeerProcess;

	private constructor(
		readonly generation: Generation,
		root: string,
	) {
		const file = join(root, 'test', 'interop', 'peer', 'peer-process.cjs');
		this.process = new PeerProcess(file, [String(generation)], (event) => this.publish(event));
	}

	/** Starts the runtime and creates or opens its account. */
	static async start(
		generation: Generation,
		config: PeerConfig,
		root = projectRoot,
	): Promise<Peer> {
		const peer = new Peer(generation, root);
		try {
			const identity = (await peer.process.request('start', config)) as { address: string };
			peer.address = identity.address;
			return peer;
		} catch (error) {
			await peer.stop();
			throw error;
		}
	}

	/** What the runtime wrote to its log. */
	get log(): string {
		return this.process.log;
	}

	/** Any use case, for example `call('transport.messages', 'getMessages', { query: {} })`. */
	async call<Result = PeerObject>(
		service: string,
		method: string,
		...params: unknown[]
	): Promise<Result> {
		return (await this.process.request('call', { service, method, params })) as Result;
	}

	async sync(): Promise<void> {
		await this.call('transport.account', 'syncEverything');
	}

	/** For helpers that sync until nothing more comes. */
	get syncing(): SyncingParty {
		return {
			address: this.address,
			sync: async () => {
				const before = this.published;
				await this.sync();
				return this.published > before;
			},
		};
	}

	/** An attribute of the own identity, `value` with its `@type`. */
	async createAttribute(value: object): Promise<PeerObject> {
		const method =
			this.generation === 6 ? 'createRepositoryAttribute' : 'createOwnIdentityAttribute';
		return await this.call('consumption.attributes', method, { content: { value } });
	}

	attributes(query: object = {}): Promise<PeerObject[]> {
		return this.call('consumption.attributes', 'getAttributes', { query });
	}

	/** Expires in an hour unless `more` says otherwise. */
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

	/** Loads a template that carries a request and waits until the request wants a decision. */
	async receiveRequest(reference: string, password?: string): Promise<PeerObject> {
		const template = await this.loadTemplate(reference, password);
		return await this.incomingRequest(template.id);
	}

	incomingRequests(query: object = {}): Promise<PeerObject[]> {
		return this.call('consumption.incomingRequests', 'getRequests', { query });
	}

	/** The request that came with a loaded template, once it waits for a decision. */
	async incomingRequest(templateId: string): Promise<PeerObject> {
		return await this.poll(async () => {
			const requests = await this.incomingRequests({ 'source.reference': templateId });
			return requests.find(({ status }) => status === 'ManualDecisionRequired');
		}, 'request to decide');
	}

	/** Accepting the request of a template creates the relationship a moment later. */
	acceptRequest(requestId: string, items: readonly object[]): Promise<PeerObject> {
		return this.call('consumption.incomingRequests', 'accept', { requestId, items });
	}

	rejectRequest(requestId: string, items: readonly object[]): Promise<PeerObject> {
		return this.call('consumption.incomingRequests', 'reject', { requestId, items });
	}

	createRelationship(templateId: string, value: unknown): Promise<PeerObject> {
		return this.call('transport.relationships', 'createRelationship', {
			templateId,
			creationContent: { '@type': 'ArbitraryRelationshipCreationContent' as const, value },
		});
	}

	relationships(query: object = {}): Promise<PeerObject[]> {
		return this.call('transport.relationships', 'getRelationships', { query });
	}

	/** The relationship with an identity, once it exists and has the state, if one is given. */
	async relationshipWith(address: string, status?: string): Promise<PeerObject> {
		const query = { peer: address, ...(status === undefined ? {} : { status }) };
		return await this.poll(
			async () => (await this.relationships(query))[0],
			`${status ?? ''} relationship with ${address}`,
		);
	}

	acceptRelationship(relationshipId: string): Promise<PeerObject> {
		return this.call('transport.relationships', 'acceptRelationship', { relationshipId });
	}

	rejectRelationship(relationshipId: string): Promise<PeerObject> {
		return this.call('transport.relationships', 'rejectRelationship', { relationshipId });
	}

	revokeRelationship(relationshipId: string): Promise<PeerObject> {
		return this.call('transport.relationships', 'revokeRelationship', { relationshipId });
	}

	sendMail(to: string, subject: string, body: string): Promise<PeerObject> {
		return this.send(to, { '@type': 'Mail' as const, to: [to], cc: [], subject, body });
	}

	sendArbitrary(to: string, value: unknown): Promise<PeerObject> {
		return this.send(to, { '@type': 'ArbitraryMessageContent' as const, value });
	}

	send(to: string, content: object): Promise<PeerObject> {
		return this.call('transport.messages', 'sendMessage', { recipients: [to], content });
	}

	messages(query: object = {}): Promise<PeerObject[]> {
		return this.call('transport.messages', 'getMessages', { query });
	}

	/** The contents of what others sent, in the order of arrival. */
	async receivedContents(): Promise<Array<Record<string, unknown>>> {
		const messages = await this.messages();
		return messages
			.filter(({ isOwn }) => isOwn === false)
			.map(({ content }) => content as Record<string, unknown>);
	}

	message(id: string): Promise<PeerObject> {
		return this.call('transport.messages', 'getMessage', { id });
	}

	/** Calls the listener with every event from now on, until the returned function is called. */
	onEvent(listener: (event: PeerEvent) => void): () => void {
		this.listeners.add(listener);
		return () => this.listeners.delete(listener);
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
			const timer = setTimeout(() => {
				stopListening();
				reject(this.process.failure(`published no ${namespace} in ${timeoutMs} ms`));
			}, timeoutMs);
			const stopListening = this.onEvent((event) => {
				if (!isWanted(event)) return;
				stopListening();
				clearTimeout(timer);
				resolve(event);
			});
		});
	}

	/** Starts the deletion of the identity. */
	async endIdentity(): Promise<void> {
		const service = 'transport.identityDeletionProcesses';
		await this.call(service, 'initiateIdentityDeletionProcess', {});
	}

	/** Ends the runtime; an account in a folder can be started again. May be called twice. */
	async stop(): Promise<void> {
		await this.process.stop();
	}

	private publish(event: PeerEvent): void {
		this.published++;
		this.events.push(event);
		if (this.events.length > keptEvents) this.events.splice(0, keptEvents / 2);
		for (const listener of [...this.listeners]) listener(event);
	}

	private async poll<Value>(look: () => Promise<Value | undefined>, what: string): Promise<Value> {
		for (let tries = 0; tries < 200; tries++) {
			const value = await look();
			if (value !== undefined) return value;
			await new Promise((resolve) => setTimeout(resolve, 50));
		}
		throw this.process.failure(`has no ${what}`);
	}
}
