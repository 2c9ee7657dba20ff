import type {
	IdentityAttribute,
	RelationshipAttribute,
} from '../../../../core/model/content/attributes';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { silentLogger, type Logger } from '../../../../core/base/logger';
import { systemRandom } from '../../../../core/base/random';
import type { Backbone } from '../../../../core/backbone/port/backbone';
import { AttributeService } from '../../../../core/domain/attribute/attribute-service';
import { Observers } from '../../../../core/domain/observers';
import type { FileDependencies } from '../../../../core/domain/file/file-dependencies';
import type { FileAccess } from '../../../../core/domain/request/items/file-facts';
import { OutgoingRequestService } from '../../../../core/domain/request/outgoing-request-service';
import { RequestCompletion } from '../../../../core/domain/request/request-completion';
import type { Json, JsonObject } from '../../../../core/model/json';
import type { AttributeRecord } from '../../../../core/model/record/attribute';
import type { RelationshipRecord } from '../../../../core/model/record/relationship';
import type { OutboxEvent } from '../../../../core/model/record/event';
import { fileAccessOf } from '../../../support/file-access';
import type { Store } from '../../../../core/store/store';
import { openTestStore, type TestStore } from '../../../support/store';

export const nowMs = Date.UTC(2030, 0, 15, 12);
export const now = new Date(nowMs).toISOString();
export const anHourLater = new Date(nowMs + 3_600_000).toISOString();
export const anHourEarlier = new Date(nowMs - 3_600_000).toISOString();

const address = (digit: string): string => `did:e:backbone.example:dids:${digit.repeat(22)}`;
/** The identities of the recorded scenarios: A is us. */
export const people = {
	A: address('a'),
	B: address('b'),
	C: address('c'),
	D: address('d'),
	E: address('e'),
	N: address('0'),
	P: address('1'),
	T: address('2'),
} as const;

/** Id of 20 characters that ends with the text. */
export const attributeId = (end: string): string => `ATT${end.padStart(17, '0')}`;
export const requestId = (end: string): string => `REQ${end.padStart(17, '0')}`;

export interface Consumption {
	readonly store: TestStore['store'];
	readonly attributes: AttributeService;
	readonly requests: OutgoingRequestService;
	readonly completion: RequestCompletion;
	/** messages of warnings, with their facts */
	readonly warnings: Array<Record<string, unknown>>;
	events(): Promise<OutboxEvent[]>;
	dispose(): Promise<void>;
}

/** Files are of no concern here: a question to the Backbone about one fails. */
export function filesWithoutBackbone(store: Store): FileAccess {
	const backbone = new Proxy({} as Backbone, {
		get: (_target, name) => {
			throw new Error(`these tests do not reach the Backbone, but '${String(name)}' was asked for`);
		},
	});
	return fileAccessOf({ store, backbone } as unknown as FileDependencies);
}

export function outgoingRequestsOf(store: Store): OutgoingRequestService {
	return new OutgoingRequestService({
		store,
		account: { address: people.A },
		clock: { now: () => nowMs },
		random: systemRandom,
		logger: silentLogger,
		files: filesWithoutBackbone(store),
		reviewPeer: () => Promise.resolve(),
	});
}

/** The services of A on a real store. */
export async function openConsumption(): Promise<Consumption> {
	const clock = { now: () => nowMs };
	const { store, dispose } = await openTestStore();
	const warnings: Array<Record<string, unknown>> = [];
	const logger: Logger = {
		...silentLogger,
		warn: (message, facts) => warnings.push({ message, ...facts }),
	};
	const account = { address: people.A };
	const random = systemRandom;
	const attributes = new AttributeService({
		...{ store, account, clock, random },
		observers: new Observers(),
	});
	const writer = () => attributes.writer();
	const requests = outgoingRequestsOf(store);
	const completion = new RequestCompletion({
		ownAddress: people.A,
		acceptUnprovenAnswers: false,
		...{ logger, random, writer },
	});
	return {
		store,
		attributes,
		requests,
		completion,
		warnings,
		events: () => store.read((tx) => tx.outbox.readAfter(0, 1_000)),
		dispose,
	};
}

export function relationshipWith(
	peer: string,
	status: RelationshipRecord['status'],
	more: Partial<RelationshipRecord> = {},
): RelationshipRecord {
	const id = peer.slice(-4);
	return {
		id: `REL${id.padStart(17, '0')}`,
		status,
		peer,
		peerPublicKey: 'key',
		createdByUs: false,
		templateId: 'RLT00000000000000001',
		template: {
			id: 'RLT00000000000000001',
			isOwn: true,
			createdBy: people.A,
			createdByDevice: 'DVC00000000000000001',
			createdAt: anHourEarlier,
			content: {},
			identity: { address: people.A, publicKey: 'key' },
			templateKey: { id: 'TRPRTK00000000000001', publicKey: 'key' },
		},
		creationContent: {},
		auditLog: [],
		createdAt: now,
		...more,
	};
}

export async function storeRelationship(
	{ store }: Consumption,
	record: RelationshipRecord,
): Promise<void> {
	await store.transact(async (tx) => {
		expect(await tx.relationships.insertIfNew(record, { template: { secretKey: 'key' } })).toBe(
			true,
		);
	});
}

export async function storeAttribute(
	{ store }: Consumption,
	record: Omit<AttributeRecord, 'createdAt'>,
): Promise<void> {
	await store.transact(async (tx) => {
		expect(await tx.attributes.insertIfNew({ createdAt: now, ...record }, undefined)).toBe(true);
	});
}

export const givenName = (value: string, owner: string = people.A): IdentityAttribute => ({
	'@type': 'IdentityAttribute',
	owner,
	value: { '@type': 'GivenName', value },
});

export const proprietaryText = (key: string, owner: string): RelationshipAttribute => ({
	'@type': 'RelationshipAttribute',
	confidentiality: 'public',
	isTechnical: false,
	key,
	owner,
	value: { '@type': 'ProprietaryString', title: 'T', value: 'V' },
});

export interface Step {
	readonly actor?: string;
	readonly op?: string;
	readonly to?: string;
	readonly content?: JsonObject;
	readonly request?: string;
	readonly input?: JsonObject;
	readonly result?: JsonObject;
	readonly error?: { readonly code: string };
	readonly events?: Readonly<Record<string, ReadonlyArray<Readonly<Record<string, string>>>>>;
}

interface Scenario {
	readonly name: string;
	readonly steps: readonly Step[];
}

/** The steps of a recorded scenario. Codes that the interface summary fixes are read in our form. */
export function stepsOf(name: string): readonly Step[] {
	const file = join(__dirname, '../../../vectors/consumption.json');
	const text = readFileSync(file, 'utf8').replaceAll(
		'error.consumption.requests.validation.inheritedFromItem',
		'error.consumption.validation.inheritedFromItem',
	);
	const { scenarios } = JSON.parse(text) as { scenarios: readonly Scenario[] };
	const scenario = scenarios.find((candidate) => candidate.name === name);
	if (scenario === undefined) throw new Error(`there is no recorded scenario '${name}'`);
	return scenario.steps;
}

/** Replaces `<A>` and the like by what they stand for. */
export function fill<Value extends Json | undefined>(
	value: Value,
	names: Readonly<Record<string, string>> = {},
): Value {
	if (value === undefined) return value;
	const known: Readonly<Record<string, string>> = { ...people, ...names };
	const text = JSON.stringify(value).replace(
		/<([A-Za-z]+\d*)>/g,
		(placeholder, name: string) => known[name] ?? placeholder,
	);
	return JSON.parse(text) as Value;
}

/** A result tree without its messages, which are for people. */
export function withoutMessages(value: unknown): unknown {
	return JSON.parse(
		JSON.stringify(value, (name: string, member: unknown) =>
			name === 'message' ? undefined : member,
		),
	);
}
