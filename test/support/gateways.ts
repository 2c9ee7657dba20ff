import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
	Gateway,
	type GatewayConfigInput,
	type GatewayDependencies,
	type GatewayFacade,
	type SyncOutcome,
} from '../../core';
import { SandboxBackbone, type SandboxOptions } from '../../sandbox/sandbox-backbone';
import { settleAtAddress, settleInSandbox, type Arrival, type SyncingParty } from './arrivals';
import {
	NeedsSandbox,
	OtherBackbone,
	target,
	type BackboneClient,
} from './backbone/backbone-target';
import { promptTimings } from './clock';
import type { Peer } from './peer/peer';
import { newSeed, testBehaviour } from './seeds';
import { until } from './until';

/** The network of a gateway, for helpers that get gateways only. */
const networks = new WeakMap<GatewayFacade, TestNetwork>();

/**
 * A Backbone and as many gateways as a test wants, each with a store folder of its own. Tests that only
 * know the Backbone by its address use this class; then they run against any server.
 */
export class TestNetwork {
	private readonly folders: string[] = [];

	private readonly gateways: Gateway[] = [];

	protected constructor(readonly credentials: BackboneClient) {}

	/**
	 * The server that the run is for, else a new sandbox.
	 *
	 * @throws OtherBackbone when the run is for a server of another major version
	 */
	static async open(options: { readonly majorVersion?: 6 | 7 } = {}): Promise<TestNetwork> {
		if (target === undefined) return await SandboxNetwork.open(options);
		const { majorVersion = target.majorVersion } = options;
		if (majorVersion !== target.majorVersion) throw new OtherBackbone(majorVersion);
		const { baseUrl, clientId, clientSecret, pushUrl } = target;
		const push = pushUrl === undefined ? {} : { pushUrl };
		return new TestNetwork({ baseUrl, clientId, clientSecret, ...push });
	}

	config(folder = this.newFolder()): GatewayConfigInput {
		return { backbone: { ...this.credentials }, store: { kind: 'sqlite', folder } };
	}

	async gateway(
		config: GatewayConfigInput = this.config(),
		dependencies: GatewayDependencies = {},
	): Promise<Gateway> {
		const gateway = await Gateway.open(config, dependencies);
		this.gateways.push(gateway);
		return this.adopt(gateway);
	}

	/** Lets `settle`, `arrivals` and `arrives` know a gateway that was opened elsewhere. */
	adopt<Opened extends GatewayFacade>(gateway: Opened): Opened {
		networks.set(gateway, this);
		return gateway;
	}

	newFolder(): string {
		const folder = mkdtempSync(join(tmpdir(), 'enmeshed-test-'));
		this.folders.push(folder);
		return folder;
	}

	/** Syncs these until the Backbone has nothing more to tell them. */
	async settle(...gateways: GatewayFacade[]): Promise<void> {
		await this.settleParties(await Promise.all(gateways.map((gateway) => partyOf(gateway))));
	}

	/** As `settle` for one gateway; answers what its syncs brought, each object in its last state. */
	async arrivals(gateway: GatewayFacade): Promise<SyncOutcome> {
		const outcomes: SyncOutcome[] = [];
		await this.settleParties([await partyOf(gateway, (outcome) => outcomes.push(outcome))]);
		const { pendingEvents, parkedEvents } = await gateway.account.getSyncStatus();
		const pendingFailures = pendingEvents + parkedEvents.length > 0 ? failuresOf(outcomes) : [];
		return { ...changesOf(outcomes), pendingFailures };
	}

	/**
	 * As `settle`, for whatever syncs: gateways, official runtimes. A server cannot be asked whether it has
	 * more to tell: there `arrived` says what is waited for.
	 */
	async settleParties(parties: readonly SyncingParty[], arrived?: Arrival): Promise<void> {
		await settleAtAddress(parties, arrived);
	}

	/** Syncs until the condition holds. */
	async arrives(
		gateway: GatewayFacade,
		condition: () => boolean | Promise<boolean>,
	): Promise<void> {
		await this.arrivesAt(await partyOf(gateway), condition);
	}

	async arrivesAt(party: SyncingParty, condition: () => boolean | Promise<boolean>): Promise<void> {
		await until(async () => {
			await party.sync();
			return await condition();
		});
	}

	/** Ends an official runtime, and its identity where it would stay at a server. */
	async endPeer(peer: Peer | undefined): Promise<void> {
		await peer?.endIdentity().catch(() => undefined);
		await peer?.stop();
	}

	async close(): Promise<void> {
		for (const gateway of this.gateways) {
			await this.beforeClose(gateway);
			await gateway.close();
		}
		for (const folder of this.folders) rmSync(folder, { recursive: true, force: true });
	}

	/** Ends the identity: what a run leaves at a server is not wanted there. */
	protected async beforeClose(gateway: Gateway): Promise<void> {
		// Closed already, or deleted already: then there is nothing to end.
		await gateway.identityDeletion.initiate({}).catch(() => undefined);
	}
}

/** A network whose Backbone is a sandbox with its controls: clock, faults, queues, stored rows. */
export class SandboxNetwork extends TestNetwork {
	private constructor(readonly backbone: SandboxBackbone) {
		super({ baseUrl: backbone.baseUrl, clientId: 'test', clientSecret: 'test' });
	}

	/** With the times of {@link promptTimings}, unless the test names others. */
	override async gateway(
		config?: GatewayConfigInput,
		dependencies: GatewayDependencies = {},
	): Promise<Gateway> {
		return await super.gateway(config, { timings: promptTimings, ...dependencies });
	}

	/** @throws NeedsSandbox when the run is for a server */
	static override async open(options: SandboxOptions = {}): Promise<SandboxNetwork> {
		if (target !== undefined) throw new NeedsSandbox();
		const backbone = await SandboxBackbone.open({
			behaviour: testBehaviour,
			seed: newSeed(),
			...options,
		});
		return new SandboxNetwork(backbone);
	}

	override async settleParties(parties: readonly SyncingParty[]): Promise<void> {
		await settleInSandbox(parties, this.backbone);
	}

	override async arrivesAt(
		party: SyncingParty,
		condition: () => boolean | Promise<boolean>,
	): Promise<void> {
		await super.arrivesAt(party, async () => {
			if (await condition()) return true;
			this.backbone.queues.advance(queueStepMs);
			return false;
		});
	}

	override async endPeer(peer: Peer | undefined): Promise<void> {
		await peer?.stop();
	}

	override async close(): Promise<void> {
		await super.close();
		await this.backbone.close();
	}

	protected override async beforeClose(): Promise<void> {
		// Everything ends with the sandbox.
	}
}

/**
 * The controls, for single tests among others that need none.
 *
 * @throws NeedsSandbox when the run is for a server
 */
export function sandboxOf(network: TestNetwork): SandboxBackbone {
	if (network instanceof SandboxNetwork) return network.backbone;
	throw new NeedsSandbox();
}

/** how far the queues of a sandbox move while a test waits: less than most delays */
const queueStepMs = 100;

export async function partyOf(
	gateway: GatewayFacade,
	onSynced: (outcome: SyncOutcome) => void = () => undefined,
): Promise<SyncingParty> {
	const { address } = await gateway.account.getIdentity();
	return {
		address,
		sync: async () => {
			const outcome = await gateway.account.sync();
			onSynced(outcome);
			// What cannot be applied is reported by each sync anew.
			const { pendingFailures: _failures, ...changed } = outcome;
			return Object.values(changed).some((objects) => objects.length > 0);
		},
	};
}

/** What several syncs changed; an object that changed more than once stands in its last state. */
function changesOf(outcomes: readonly SyncOutcome[]): Omit<SyncOutcome, 'pendingFailures'> {
	const lastOf = <Dto extends { readonly id: string }>(list: (outcome: SyncOutcome) => Dto[]) => [
		...new Map(outcomes.flatMap(list).map((dto) => [dto.id, dto])).values(),
	];
	return {
		relationships: lastOf(({ relationships }) => relationships),
		messages: lastOf(({ messages }) => messages),
		files: lastOf(({ files }) => files),
		identityDeletionProcesses: lastOf(({ identityDeletionProcesses }) => identityDeletionProcesses),
	};
}

/** Each sync reports only the events that it tried again. */
function failuresOf(outcomes: readonly SyncOutcome[]): SyncOutcome['pendingFailures'] {
	const failures = outcomes.flatMap(({ pendingFailures }) => pendingFailures);
	return [...new Map(failures.map((failure) => [failure.eventId, failure])).values()];
}

function networkOf(gateway: GatewayFacade): TestNetwork {
	const network = networks.get(gateway);
	if (network === undefined) throw new TypeError('The gateway was opened without a network');
	return network;
}

/** Syncs gateways of one network until the Backbone has nothing more to tell them. */
export async function settle(...gateways: [GatewayFacade, ...GatewayFacade[]]): Promise<void> {
	await networkOf(gateways[0]).settle(...gateways);
}

/** As `settle` for one gateway; answers what its syncs brought, each object in its last state. */
export async function arrivals(gateway: GatewayFacade): Promise<SyncOutcome> {
	return await networkOf(gateway).arrivals(gateway);
}

/** Syncs until the condition holds. */
export async function arrives(
	gateway: GatewayFacade,
	condition: () => boolean | Promise<boolean>,
): Promise<void> {
	await networkOf(gateway).arrives(gateway, condition);
}

export const inOneHour = (): string => new Date(Date.now() + 3_600_000).toISOString();

/** As `settle`, at a server no longer than until it has arrived. */
async function settleUntil(gateway: GatewayFacade, arrived: Arrival): Promise<void> {
	await networkOf(gateway).settleParties([await partyOf(gateway)], arrived);
}

/** Undefined before the gateway has heard of the relationship. */
const statusOf = (gateway: GatewayFacade, id: string): Promise<string | undefined> =>
	gateway.relationships.get(id).then(
		({ status }) => status,
		() => undefined,
	);

/** Two gateways with an active relationship; `a` made the template. */
export async function relate(
	a: GatewayFacade,
	b: GatewayFacade,
): Promise<{ relationshipId: string; addressA: string; addressB: string }> {
	const template = await a.templates.create({
		expiresAt: inOneHour(),
		content: { '@type': 'ArbitraryRelationshipTemplateContent', value: { hello: 'wallet' } },
	});
	const loaded = await b.templates.loadPeer({ reference: template.truncatedReference });
	const created = await b.relationships.create({
		templateId: loaded.id,
		creationContent: { '@type': 'ArbitraryRelationshipCreationContent', value: { hi: 'there' } },
	});
	await settleUntil(a, async () => (await statusOf(a, created.id)) === 'Pending');
	await a.relationships.accept(created.id);
	await settleUntil(b, async () => (await statusOf(b, created.id)) === 'Active');
	const addressA = (await a.account.getIdentity()).address;
	const addressB = (await b.account.getIdentity()).address;
	return { relationshipId: created.id, addressA, addressB };
}

export const mailTo = (address: string, subject = 'Hello', body = 'How are you?') => ({
	recipients: [address],
	content: { '@type': 'Mail' as const, to: [address], subject, body },
});
