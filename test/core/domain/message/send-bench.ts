import { Observers } from '../../../../core/domain/observers';
import { silentLogger } from '../../../../core/base/logger';
import { systemRandom } from '../../../../core/base/random';
import type { SendTimings } from '../../../../core/base/timings';
import { generateSignatureKeyPair } from '../../../../core/crypto/signature-keys';
import { FileService } from '../../../../core/domain/file/file-service';
import type { MessageDependencies } from '../../../../core/domain/message/message-dependencies';
import { openMessages, type MessageServices } from '../../../../core/domain/message/open-messages';
import { sendStateOf, type SendState } from '../../../../core/domain/message/sending/send-states';
import { ObjectChanges } from '../../../../core/domain/object-changes';
import { Ledger } from '../../../../core/domain/unfinished/ledger';
import { WorkAttempts } from '../../../../core/domain/unfinished/work-attempts';
import type { WireMessage } from '../../../../core/backbone/dto';
import type { HttpBackbone } from '../../../../core/backbone/http/http-backbone';
import {
	openMessage,
	sealMessage,
	type MessageEnvelope,
	type MessageToSeal,
	type OpenedMessage,
} from '../../../../core/domain/message/message-envelope';
import { prepareMessageContent } from '../../../../core/model/content/message-content';
import type { JsonObject } from '../../../../core/model/json';
import type { SendIntentRecord } from '../../../../core/model/record/message';
import type { RelationshipRecord } from '../../../../core/model/record/relationship';
import { openStore, type AccountStore } from '../../../../core/store/open-store';
import { TestClock } from '../../../support/clock';
import { templateRecord } from '../../../support/records';
import { openTestStore, testAccount, type TestStore } from '../../../support/store';
import { readVectors } from '../../../support/vectors';
import { FixtureServer, type Responder, type SeenRequest } from '../../backbone/fixture-server';
import { relationshipSecrets, type OfficialSecrets } from '../../crypto/official-secrets';
import { MessageServer } from './message-server';

interface Recorded {
	readonly identities: Record<string, { readonly address: string }>;
	readonly relationships: ReadonlyArray<{
		readonly id: string;
		readonly requestor: string;
		readonly secrets: Record<string, OfficialSecrets>;
	}>;
}

const { identities, relationships } = readVectors<Recorded>('transport-messages.json');

const addressOf = (name: string): string => identities[name]?.address ?? '';

export const own = addressOf('A');

/** Peers of the account, each with a relationship. */
export const peers = relationships.map(({ requestor }) => addressOf(requestor));

export const timings: SendTimings = {
	claimTtlMs: 100_000,
	deadOwnerGraceMs: 0,
	renewClaimAfterMs: 10_000,
	firstByteDeadlineMs: 30_000,
	lateArrivalMs: 60_000,
};

/** `lateArrivalMs`, and the second by which two `Date` headers may be wrong */
export const afterLateArrivalMs = timings.lateArrivalMs + 1_000;

/** One of the processes that have the account open. */
export interface SendingProcess extends MessageServices {
	readonly store: AccountStore;
	/** The part of a sync that is about sends other than required messages. */
	settlePending(): Promise<string[]>;
	/** The part of a sync that is about sends; returns the IDs of found and sent messages. */
	settle(signal?: AbortSignal): Promise<string[]>;
}

/** An account on SQLite, the processes that send for it, and the Backbone that they call. */
export class SendBench {
	/** what runs before anything is encrypted */
	beforeSealing: MessageDependencies['beforeSealing'] = () => Promise.resolve();

	/** observers of the changes to messages */
	readonly observers = new Observers();

	private readonly stores = new Set<AccountStore>();

	private constructor(
		readonly clock: TestClock,
		readonly backbone: MessageServer,
		private readonly opened: TestStore,
		private readonly server: FixtureServer,
	) {}

	/** @param routes answers beside those about messages that this account sends */
	static async open(routes: Readonly<Record<string, Responder>> = {}): Promise<SendBench> {
		const clock = new TestClock();
		const opened = await openTestStore(clock);
		await opened.store.transact(async (tx) => {
			for (const { id, requestor, secrets } of relationships) {
				const record = relationshipWith(id, addressOf(requestor));
				const established = relationshipSecrets(secrets['A'] as OfficialSecrets);
				const sealed = { established: established as unknown as JsonObject };
				await tx.relationships.insert(record, { ...sealed, template: { secretKey: '' } });
			}
		});
		const backbone = new MessageServer(own, clock);
		const server = await FixtureServer.open({ ...backbone.routes, ...routes });
		return new SendBench(clock, backbone, opened, server);
	}

	/** A process with nothing in its memory. */
	async start(): Promise<SendingProcess> {
		const { clock } = this;
		const random = systemRandom;
		const store = await openStore(testAccount(this.opened.folder), { clock, random });
		this.stores.add(store);
		const keys = generateSignatureKeyPair(random);
		const ledger = new Ledger({ store, clock });
		const context = {
			...{ store, ledger },
			backbone: this.server.connect({ clock, random }),
			account: {
				address: own,
				deviceId: 'DVC00000000000000001',
				backboneBaseUrl: this.server.baseUrl,
				identityKeys: keys,
				deviceKeys: keys,
			},
			clock,
			random,
			logger: silentLogger,
			changes: new ObjectChanges({ store, ledger, logger: silentLogger }),
		};
		const services = openMessages({
			...context,
			files: new FileService(context),
			observers: this.observers,
			timings,
			prepareContent: prepareMessageContent,
			beforeSealing: (...given) => this.beforeSealing(...given),
		});
		const settle = async (signal?: AbortSignal): Promise<string[]> => {
			const attempts = new WorkAttempts(context, { signal });
			const settled = await services.sendSettlement.settle(attempts, { signal });
			return [
				...settled,
				...(await services.preparedMessages.deliverWaiting(attempts, { signal })),
			];
		};
		const settlePending = (): Promise<string[]> =>
			services.sendSettlement.settle(new WorkAttempts(context, {}), {});
		return { ...services, store, settle, settlePending };
	}

	/** A client of the Backbone. */
	connect(): HttpBackbone {
		return this.server.connect({ clock: this.clock });
	}

	/** Requests for one path, below the root of the Backbone. */
	callsTo(path: string): number {
		return this.server.calls(`/api/v2/${path}`).length;
	}

	/** Requests that posted a message. */
	get posts(): readonly SeenRequest[] {
		return this.server.calls('/api/v2/Messages').filter(({ method }) => method === 'POST');
	}

	/** The newest posted message, as the peer opens it. */
	openedBy(index = 0): OpenedMessage {
		const { requestor, secrets } = relationships[index] as (typeof relationships)[number];
		const posted = JSON.parse(this.posts.at(-1)?.body ?? '') as MessageEnvelope;
		const own = relationshipSecrets(secrets[requestor] as OfficialSecrets);
		return openMessage(posted, { address: addressOf(requestor), secrets: own });
	}

	/** How often the Backbone was asked for its list of messages. */
	get searches(): number {
		return this.server.seen.filter(({ method, path }) => method === 'GET' && /Messages$/.test(path))
			.length;
	}

	/** Ends a process as a crash does: its memory is gone, and the system releases its locks. */
	async crash({ store }: SendingProcess): Promise<void> {
		this.stores.delete(store);
		await store.close();
	}

	/** The only send of the account. */
	async intent(): Promise<SendIntentRecord | undefined> {
		return (await this.opened.store.read((tx) => tx.sendIntents.first()))?.record;
	}

	async state(): Promise<SendState> {
		return sendStateOf(await this.intent());
	}

	/** A message of a peer to this account, as the Backbone shows it. */
	received(
		id: string,
		parts: Partial<MessageToSeal> &
			Partial<WireMessage> & {
				readonly sender?: number;
				/** recipient whom the signed text names */
				readonly sealedFor?: string;
			} = {},
	): WireMessage {
		const {
			sender = 0,
			sealedFor = own,
			content = { '@type': 'ArbitraryMessageContent', value: 1 },
			attachments = [],
			...wire
		} = parts;
		const relationship = relationships[sender] as (typeof relationships)[number];
		const secrets = relationshipSecrets(
			relationship.secrets[relationship.requestor] as OfficialSecrets,
		);
		const createdAt = '2029-12-31T12:00:00.000Z';
		const recipients = [{ address: sealedFor, secrets, counter: 1 }];
		const keyed = attachments as MessageToSeal['attachments'];
		const message = { content, attachments: keyed, createdAt, recipients };
		const { postBody } = sealMessage(message, systemRandom);
		return {
			...postBody,
			...{ id, createdAt, createdBy: peers[sender] ?? '', createdByDevice: 'DVCpeer' },
			recipients: postBody.recipients.map((recipient) => ({
				...{ ...recipient, address: own, receivedAt: null, receivedByDevice: null },
			})),
			...(wire as Partial<WireMessage>),
		};
	}

	/** Names of the events that were published. */
	async published(): Promise<string[]> {
		const events = await this.opened.store.read((tx) => tx.outbox.readAfter(0, 100));
		return events.map(({ name }) => name);
	}

	async close(): Promise<void> {
		for (const store of this.stores) await store.close();
		await this.server.close();
		await this.opened.dispose();
	}
}

export function relationshipWith(id: string, peer: string): RelationshipRecord {
	return {
		id,
		status: 'Active',
		peer,
		peerPublicKey: '',
		createdByUs: false,
		templateId: 'RLT1',
		template: templateRecord('RLT1'),
		creationContent: {},
		auditLog: [],
		createdAt: '2026-11-20T00:00:00.000Z',
	};
}

export const mailTo = (peer: string | undefined, subject = 'subject') => ({
	recipients: [peer ?? ''],
	content: { '@type': 'Mail' as const, to: [peer ?? ''], subject, body: 'body' },
});
