import { silentLogger } from '../../../../core/base/logger';
import { systemRandom } from '../../../../core/base/random';
import type { WireRelationship } from '../../../../core/backbone/dto';
import type { HttpBackbone } from '../../../../core/backbone/http/http-backbone';
import { generateExchangeKeyPair } from '../../../../core/crypto/exchange-keys';
import {
	createRequestSecrets,
	createTemplatorSecrets,
} from '../../../../core/crypto/relationship-secrets';
import { generateSignatureKeyPair } from '../../../../core/crypto/signature-keys';
import type { Account } from '../../../../core/domain/identity/account';
import { Observers, type ObserverTable } from '../../../../core/domain/observers';
import { RelationshipActions } from '../../../../core/domain/relationship/relationship-actions';
import { RelationshipCreation } from '../../../../core/domain/relationship/relationship-creation';
import type { RelationshipDependencies } from '../../../../core/domain/relationship/relationship-dependencies';
import {
	openCreationContent,
	sealCreationContent,
	sealCreationResponse,
} from '../../../../core/domain/relationship/relationship-envelope';
import { RelationshipService } from '../../../../core/domain/relationship/relationship-service';
import { RelationshipSettlement } from '../../../../core/domain/relationship/relationship-settlement';
import { UnfinishedAttempts } from '../../../../core/domain/unfinished/unfinished-attempts';
import { deriveAddress } from '../../../../core/model/address';
import { prepareCreationContent } from '../../../../core/model/content/creation-content';
import type { JsonObject } from '../../../../core/model/json';
import type {
	AuditLogEntry,
	RelationshipRecord,
	RelationshipSecretsRecord,
} from '../../../../core/model/record/relationship';
import type { TemplateRecord } from '../../../../core/model/record/template';
import type { Store } from '../../../../core/store/store';
import { TestClock } from '../../../support/clock';
import { templateRecord } from '../../../support/records';
import { openMemoryStore } from '../../../support/store';
import { empty, FixtureServer, type Responder } from '../../backbone/fixture-server';
import { relationshipRecord } from '../../sync/reconciliation/comparison-bench';

const newIdentity = () => {
	const identityKeys = generateSignatureKeyPair(systemRandom);
	const address = deriveAddress(identityKeys.publicKey, 'localhost');
	return { address, identityKeys, deviceKeys: generateSignatureKeyPair(systemRandom) };
};

/** The relationship that most tests are about. */
export const id = 'REL1';
export const templateId = 'RLT1';

export const alreadyDecomposed =
	'error.platform.validation.relationship.relationshipAlreadyDecomposed';
export const recordNotFound = 'error.platform.recordNotFound';

const root = '/api/v2/Relationships';
const suffixes = ['Accept', 'Reject', 'Revoke', 'Terminate', 'Reactivate', 'Decompose'].concat(
	['Accept', 'Reject', 'Revoke'].map((answer) => `Reactivate/${answer}`),
);
const routes = [
	...[`GET ${root}`, `GET ${root}/CanCreate`, `POST ${root}`, `GET ${root}/${id}`],
	...suffixes.map((suffix) => `PUT ${root}/${id}/${suffix}`),
	...['GET /api/v2/Identities/Self/DeletionProcesses', 'GET /api/v2/Messages'],
];

/** Answers after it has looked at what is stored during the call. */
export const during =
	(look: () => Promise<void>, answer: Responder): Responder =>
	(request, response) =>
		void look().then(() => answer(request, response));

const observed = [
	'relationshipCreated',
	'relationshipArrived',
	'relationshipAccepted',
	'relationshipEnded',
	'relationshipLeftByPeer',
	'relationshipDecomposed',
] as const;

/** The services for the relationships of an account, and a Backbone whose answers the test decides. */
export class RelationshipBench {
	readonly clock = new TestClock();

	readonly peer = newIdentity();

	readonly templateKeys = generateExchangeKeyPair(systemRandom);

	/** changes that were observed, with the id of the relationship */
	readonly notified: string[] = [];

	/** how often a sync was requested */
	wakes = 0;

	/** the client of the Backbone */
	readonly client: HttpBackbone;

	readonly context: RelationshipDependencies;

	readonly relationships: RelationshipService;

	readonly actions: RelationshipActions;

	readonly settlement: RelationshipSettlement;

	readonly creation: RelationshipCreation;

	private constructor(
		readonly store: Store,
		readonly server: FixtureServer,
		private readonly answers: Map<string, Responder>,
		readonly account: Account,
	) {
		const { clock } = this;
		this.client = server.connect({ clock });
		this.context = {
			...{ store, account, clock, random: systemRandom, logger: silentLogger },
			backbone: this.client,
			prepareCreationContent,
			observers: this.observers(),
			beforeSealing: () => Promise.resolve(),
			wakeSync: () => void this.wakes++,
		};
		this.relationships = new RelationshipService(this.context);
		this.actions = new RelationshipActions(this.context, this.relationships);
		this.settlement = new RelationshipSettlement(this.context, this.relationships, this.actions);
		this.creation = new RelationshipCreation(this.context, this.relationships);
	}

	static async open(): Promise<RelationshipBench> {
		const store = await openMemoryStore();
		const answers = new Map<string, Responder>();
		const table = routes.map((route): [string, Responder] => [
			route,
			(request, response) => (answers.get(route) ?? empty(404))(request, response),
		]);
		const server = await FixtureServer.open(Object.fromEntries(table));
		const account = { ...newIdentity(), deviceId: 'DVCown', backboneBaseUrl: server.baseUrl };
		return new RelationshipBench(store, server, answers, account);
	}

	private observers(): Observers {
		const note = (name: string) => (_tx: unknown, changed: { readonly id: string }) => {
			this.notified.push(`${name} ${changed.id}`);
			return Promise.resolve();
		};
		const table = observed.map((name) => [name, [{ [name]: note(name) }]]);
		const observers = new Observers();
		observers.connect(Object.fromEntries(table) as unknown as ObserverTable);
		return observers;
	}

	/** @param path below `/Relationships`, for example `PUT /REL1/Accept` */
	answer(call: string, responder: Responder): void {
		const [method = '', path = ''] = call.split(' ');
		this.answers.set(`${method} ${root}${path}`, responder);
	}

	/** Requests about relationships, without their queries. */
	get called(): string[] {
		return this.server.seen
			.filter(({ path }) => path.startsWith(root))
			.map(({ method, path }) => `${method} ${path.slice(root.length)}`);
	}

	get now(): string {
		return new Date(this.clock.now()).toISOString();
	}

	/** An entry of an audit log, so many minutes after the first. */
	entry(by: 'us' | 'peer', reason: AuditLogEntry['reason'], minute = 0): AuditLogEntry {
		return {
			createdAt: new Date(this.clock.now() + minute * 60_000).toISOString(),
			createdBy: by === 'us' ? this.account.address : this.peer.address,
			createdByDevice: 'DVC1',
			reason,
			newStatus: 'Pending',
		};
	}

	/** Stores a relationship that both sides have keys for. */
	async add(
		parts: Partial<RelationshipRecord> = {},
		secrets: Partial<RelationshipSecretsRecord> = {},
	): Promise<void> {
		const request = createRequestSecrets(
			this.templateKeys.publicKey,
			this.peer.identityKeys.publicKey,
			systemRandom,
		);
		const publicRequest = {
			exchangeKey: request.exchange.publicKey,
			signatureKey: request.signature.publicKey,
			ephemeralKey: request.ephemeral.publicKey,
			nonce: request.nonce,
		};
		const established = createTemplatorSecrets(publicRequest, this.templateKeys, systemRandom);
		const record = relationshipRecord(id, { peer: this.peer.address, ...parts });
		const template = { secretKey: 'A'.repeat(43) };
		const sealed = { established: established as unknown as JsonObject, template, ...secrets };
		await this.store.transact((tx) => tx.relationships.insert(record, sealed));
	}

	async record(): Promise<RelationshipRecord | undefined> {
		return (await this.store.read((tx) => tx.relationships.get(id)))?.record;
	}

	async secrets(): Promise<RelationshipSecretsRecord | undefined> {
		return (await this.store.read((tx) => tx.relationships.get(id)))?.secrets;
	}

	/** Names of the events that were published. */
	async published(): Promise<string[]> {
		return (await this.store.read((tx) => tx.outbox.readAfter(0, 100))).map(({ name }) => name);
	}

	/** Stores a template that this account has made, or the peer. */
	async addTemplate(by: 'us' | 'peer', parts: Partial<TemplateRecord> = {}): Promise<void> {
		const isOwn = by === 'us';
		const { address, identityKeys } = isOwn ? this.account : this.peer;
		const record = templateRecord(templateId, {
			...{ isOwn, createdBy: address },
			content: { '@type': 'ArbitraryRelationshipTemplateContent', value: 1 },
			identity: { address, publicKey: identityKeys.publicKey },
			templateKey: { id: 'TPK1', publicKey: this.templateKeys.publicKey },
			...parts,
		});
		const key = { templatePrivateKey: this.templateKeys.privateKey };
		const secrets = { secretKey: 'A'.repeat(43), ...(isOwn ? key : {}) };
		await this.store.transact((tx) => tx.templates.insert(record, secrets));
	}

	/** The relationship as the Backbone shows it after the peer has created it from our template. */
	created(parts: Partial<WireRelationship> = {}, content?: JsonObject): WireRelationship {
		const { peer, account } = this;
		const creationContent = sealCreationContent(
			{
				content: content ?? { '@type': 'ArbitraryRelationshipCreationContent', value: 'Hello' },
				templateId,
				identity: { address: peer.address, publicKey: peer.identityKeys.publicKey },
				devicePrivateKey: peer.deviceKeys.privateKey,
				secrets: createRequestSecrets(
					this.templateKeys.publicKey,
					account.identityKeys.publicKey,
					systemRandom,
				),
			},
			systemRandom,
		);
		return {
			...{ id, relationshipTemplateId: templateId, from: peer.address, to: account.address },
			...{ createdAt: this.now, status: 'Pending', creationContent, creationResponseContent: null },
			auditLog: [this.wireEntry('peer', 'Creation')],
			...(parts as Partial<WireRelationship>),
		} as WireRelationship;
	}

	wireEntry(
		...given: Parameters<RelationshipBench['entry']>
	): WireRelationship['auditLog'][number] {
		return {
			...this.entry(...given),
			createdByDevice: 'DVC1',
			oldStatus: null,
		} as WireRelationship['auditLog'][number];
	}

	/** Answer of the peer, who accepts what this account has posted. */
	response(creationContent: string, relationshipId = id): string {
		const expected = { from: this.account.address, templateId };
		const opened = openCreationContent(creationContent, this.templateKeys, expected);
		const { publicRequest } = opened;
		return sealCreationResponse({
			relationshipId,
			secrets: createTemplatorSecrets(publicRequest, this.templateKeys, systemRandom),
			devicePrivateKey: this.peer.deviceKeys.privateKey,
			counter: 1,
		});
	}

	/** The part of a sync that is about unfinished operations. */
	async settle(signal?: AbortSignal): Promise<string[]> {
		const attempts = new UnfinishedAttempts(this.context, { signal });
		return await this.settlement.settle({ attempts, signal });
	}

	async close(): Promise<void> {
		await this.store.close();
		await this.server.close();
	}
}
