import { apiKey, HttpGateway } from '../../core/server/support/http-gateway';
import { OfficialClient } from '../../interop/sdk/official-client';
import { inOneHour, relate, SandboxNetwork, settle, TestNetwork } from '../../support/gateways';

/** What the official client answers; tests look into any of it. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- as above
export type Answered = any;

/** One of our gateways behind its HTTP server, with the official client that talks to it. */
export interface Side {
	readonly http: HttpGateway;
	readonly client: OfficialClient;
	readonly address: string;
}

/**
 * Two gateways at one sandbox Backbone. `a` is the organisation of docs/protocol/interface-summary.md,
 * `b` its peer; their relationship is active unless a test wants to begin it itself.
 */
export class World {
	private readonly strangers: Side[] = [];

	private constructor(
		readonly network: TestNetwork,
		readonly a: Side,
		readonly b: Side,
		readonly relationshipId: string,
	) {}

	/** @param options with a number of recipients it needs a sandbox: servers allow one unless told otherwise */
	static async open(
		options: { readonly related?: boolean; readonly maxMessageRecipients?: number } = {},
	): Promise<World> {
		const { related = true, maxMessageRecipients } = options;
		const network =
			maxMessageRecipients === undefined
				? await TestNetwork.open()
				: await SandboxNetwork.open({ maxMessageRecipients });
		const a = await World.side(network);
		const b = await World.side(network);
		const relationshipId = related
			? (await relate(a.http.gateway, b.http.gateway)).relationshipId
			: '';
		return new World(network, a, b, relationshipId);
	}

	private static async side(network: TestNetwork): Promise<Side> {
		const http = await HttpGateway.open(network);
		const client = new OfficialClient(http.server.address, apiKey);
		return { http, client, address: (await client.ask('account.getIdentityInfo')).address };
	}

	/** One more gateway without relationships. */
	async stranger(): Promise<Side> {
		const side = await World.side(this.network);
		this.strangers.push(side);
		return side;
	}

	async sync(): Promise<void> {
		await settle(this.a.http.gateway);
		await settle(this.b.http.gateway);
	}

	/** An own attribute of `a`, or of the given side. */
	async createAttribute(value: object, { client } = this.a): Promise<Answered> {
		return await client.ask('attributes.createRepositoryAttribute', { content: { value } });
	}

	/** A request of `a` that has arrived at `b` by message; its id. */
	async sendRequest(...items: object[]): Promise<string> {
		const draft = await this.a.client.ask('outgoingRequests.createRequest', {
			content: { items },
			peer: this.b.address,
		});
		await this.a.client.ask('messages.sendMessage', {
			recipients: [this.b.address],
			content: draft.content,
		});
		await settle(this.b.http.gateway);
		return draft.id;
	}

	/** What the check of a request to `b` says. */
	async validate(...items: object[]): Promise<Answered> {
		return await this.a.client.ask('outgoingRequests.canCreateRequest', {
			content: { items },
			peer: this.b.address,
		});
	}

	/** An own template of `a`, or of the given side. */
	async createTemplate(content: object, more: object = {}, { client } = this.a): Promise<Answered> {
		const input = { content, expiresAt: inOneHour(), ...more };
		return await client.ask('relationshipTemplates.createOwnRelationshipTemplate', input);
	}

	/** A relationship that `by` has asked `a` for, who knows of it already. */
	async pending(by: Side, template?: Answered): Promise<Answered> {
		const used = template ?? (await this.createTemplate(arbitrary('RelationshipTemplate')));
		await by.client.ask('relationshipTemplates.loadPeerRelationshipTemplate', {
			reference: used.truncatedReference,
		});
		const created = await by.client.ask('relationships.createRelationship', {
			templateId: used.id,
			creationContent: arbitrary('RelationshipCreation'),
		});
		await settle(this.a.http.gateway);
		return created;
	}

	async close(): Promise<void> {
		for (const { http } of [this.a, this.b, ...this.strangers]) await http.close();
		await this.network.close();
	}
}

export const arbitrary = (
	kind: 'RelationshipTemplate' | 'RelationshipCreation' | 'Message',
	value: unknown = { any: 'thing' },
) => ({ '@type': `Arbitrary${kind}Content`, value });

export const givenName = (value: string) => ({ '@type': 'GivenName', value });

export const read = (valueType: string, mustBeAccepted = true) => ({
	'@type': 'ReadAttributeRequestItem',
	mustBeAccepted,
	query: { '@type': 'IdentityAttributeQuery', valueType },
});

export const consent = (mustBeAccepted = true) => ({
	'@type': 'ConsentRequestItem',
	mustBeAccepted,
	consent: 'Yes?',
});

/** The answer that gives a new attribute. */
export const give = (owner: string, value: object) => ({
	accept: true,
	newAttribute: { '@type': 'IdentityAttribute', owner, value },
});

export const yes = { accept: true };
export const no = { accept: false };

/** The codes in a tree of a check, from the top. */
export function codesIn(result: Answered): string[] {
	const own = result.code === undefined ? [] : [result.code as string];
	return [...own, ...(result.items ?? []).flatMap(codesIn)];
}

/** All names of members in anything that was answered, however deep. */
export function memberNames(value: unknown): Set<string> {
	if (Array.isArray(value)) return new Set(value.flatMap((one) => [...memberNames(one)]));
	if (typeof value !== 'object' || value === null) return new Set();
	return new Set(Object.entries(value).flatMap(([name, member]) => [name, ...memberNames(member)]));
}
