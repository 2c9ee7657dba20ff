import { isAbort, joinWork, linkSignals, throwIfAborted, type Cancellable } from './base/abort';
import { backboneErrors } from './backbone/backbone-errors';
import { isoInstant } from './base/clock';
import { writePublicKeyDto } from './crypto/json-forms';
import { fileQueryFields } from './domain/file/file-query';
import { onlyKnown, type QueryFields } from './domain/collection-query';
import { pauseOf } from './domain/identity/deletion-refusal';
import { messageQueryFields } from './domain/message/message-query';
import { acceptAutomatically, autoAcceptConsumer } from './domain/relationship/auto-accept';
import { relationshipQueryFields } from './domain/relationship/relationship-query';
import type { StatusAction } from './domain/relationship/relationship-transitions';
import {
	incomingRequestQueryFields,
	outgoingRequestQueryFields,
} from './domain/request/request-query';
import { templateQueryFields } from './domain/template/template-query';
import { tokenQueryFields } from './domain/token/token-query';
import type {
	AccountUseCases,
	EventUseCases,
	FileUseCases,
	IncomingRequestUseCases,
	ListInput,
	MessageUseCases,
	OutgoingRequestUseCases,
	RelationshipUseCases,
	SyncOutcome,
	TagUseCases,
	TemplateUseCases,
	TokenUseCases,
} from './facade';
import { appendEvent } from './events/outbox';
import type { GatewayParts } from './gateway';
import { listWithQuery } from './gateway-lists';
import type { GatewayServices } from './gateway-services';
import type { RelationshipDto } from './model/record/relationship';
import type { RequestDto } from './model/record/request';
import type { SyncStatusDto } from './model/record/sync';
import type { Query, RequestField } from './store/store';
import { orderReconciliation } from './sync/reconciliation/order-reconciliation';
import type { SyncReport } from './sync/sync-engine';

/* The use cases that reach over several services; the others are the services themselves. */

export function accountUseCases(parts: GatewayParts, services: GatewayServices): AccountUseCases {
	const { account, backbone, store, stop } = parts;
	/** The run belongs to all who join it; a caller who gives up only stops waiting. */
	const syncNow = async (options: Cancellable): Promise<SyncReport | undefined> => {
		try {
			return await joinWork(services.engine.run({ signal: stop.signal }), options);
		} catch (error) {
			if (!stop.signal.aborted || !isAbort(error, stop.signal)) throw error;
			throwIfAborted(options);
			throw backboneErrors.create('closed', { message: 'The gateway was closed during a sync.' });
		}
	};
	return {
		getIdentity: (options = {}) => {
			throwIfAborted(options);
			return Promise.resolve({
				address: account.address,
				publicKey: writePublicKeyDto(account.identityKeys.publicKey),
			});
		},
		sync: async (options = {}) => {
			const report = await syncNow(options);
			return await describe(report ?? { touched: [], failures: [] }, services);
		},
		getSyncStatus: (options = {}) => syncStatus(store, services, options),
		reconcile: (input, options = {}) =>
			orderReconciliation(store, () => syncNow(options), input, options),
		checkConnection: async (options = {}) => {
			const version = await backbone.version.get(options);
			await backbone.authentication.verify(options);
			return {
				backboneVersion: version.majorVersion,
				authenticated: true,
				clockSkewMs: backbone.clockSkewMs ?? 0,
			};
		},
		loadItemFromReference: (input, options) => services.itemLoader.load(input, options),
		checkIfDeleted: (options) => services.identityDeletion.checkIfDeleted(options),
	};
}

export function relationshipUseCases(services: GatewayServices): RelationshipUseCases {
	const { relationships, relationshipActions, relationshipCreation, attributes } = services;
	const action =
		(name: StatusAction) =>
		(id: string, options?: Cancellable): Promise<RelationshipDto> =>
			relationshipActions.take(name, id, options);
	return {
		create: (input, options) => relationshipCreation.create(input, options),
		canCreate: (input, options) => relationshipCreation.canCreate(input, options),
		get: (id, options) => relationships.get(id, options),
		list: listWithQuery(
			(query, options) => relationships.list(query, options),
			relationshipQueryFields,
		),
		accept: action('accept'),
		reject: action('reject'),
		revoke: action('revoke'),
		terminate: action('terminate'),
		requestReactivation: action('requestReactivation'),
		acceptReactivation: action('acceptReactivation'),
		rejectReactivation: action('rejectReactivation'),
		revokeReactivation: action('revokeReactivation'),
		decompose: (id, options) => relationshipActions.decompose(id, options),
		peerAttributes: async (id, options = {}) => {
			const { record } = await relationships.find(id, options);
			return await attributes.peerAttributes(record.peer, options);
		},
		attributes: async (id, view = {}, options = {}) => {
			const { record } = await relationships.find(id, options);
			return await attributes.lists.sharedWith(record.peer, view, options);
		},
	};
}

export function templateUseCases({ templates, templateTokens }: GatewayServices): TemplateUseCases {
	return {
		create: (input, options) => templates.create(input, options),
		get: (id, options) => templates.get(id, options),
		list: listWithQuery((query, options) => templates.list(query, options), templateQueryFields),
		loadPeer: (input, options) => templates.loadPeer(input, options),
		delete: (id, options) => templates.delete(id, options),
		createToken: (id, input, options) => templateTokens.create(id, input, options),
		qrCode: (id, format, options) => templates.qrCode(id, format, options),
	};
}

export function messageUseCases({ messages }: GatewayServices): MessageUseCases {
	const { attachments } = messages;
	return {
		send: (input, options) => messages.send(input, options),
		get: (id, options) => messages.get(id, options),
		list: listWithQuery((query, options) => messages.list(query, options), messageQueryFields),
		markAsRead: (id, options) => messages.markAsRead(id, options),
		markAsUnread: (id, options) => messages.markAsUnread(id, options),
		unresolvedSends: (options) => messages.unresolvedSends(options),
		listAttachments: (id, options) => attachments.list(id, options),
		getAttachment: (id, fileId, options) => attachments.get(id, fileId, options),
		downloadAttachment: (id, fileId, options) => attachments.download(id, fileId, options),
	};
}

export function fileUseCases({ files, fileTokens, fileOwnership }: GatewayServices): FileUseCases {
	return {
		upload: (input, content, options) => files.upload(input, content, options),
		get: (id, options) => files.get(id, options),
		list: listWithQuery((query, options) => files.list(query, options), fileQueryFields),
		getOrLoad: (input, options) => fileTokens.getOrLoad(input, options),
		download: (id, options) => files.download(id, options),
		delete: (id, options) => files.delete(id, options),
		createToken: (id, input, options) => fileTokens.create(id, input, options),
		qrCode: (id, format, options) => files.qrCode(id, format, options),
		regenerateOwnershipToken: (id, options) => fileOwnership.regenerateToken(id, options),
		validateOwnershipToken: (id, token, options) => fileOwnership.validateToken(id, token, options),
		claimOwnership: (id, token, options) => fileOwnership.claim(id, token, options),
	};
}

export function tokenUseCases({ tokens, emptyTokens }: GatewayServices): TokenUseCases {
	return {
		create: (input, options) => tokens.create(input, options),
		get: (id, options) => tokens.get(id, options),
		list: listWithQuery((query, options) => tokens.list(query, options), tokenQueryFields),
		loadPeer: (input, options) => tokens.loadPeer(input, options),
		loadAnonymous: (input, options) => tokens.loadAnonymous(input, options),
		fill: (input, options) => emptyTokens.fill(input, options),
		delete: (id, options) => tokens.delete(id, options),
		qrCode: (idOrReference, format, options) => tokens.qrCode(idOrReference, format, options),
	};
}

export function outgoingRequestUseCases({
	outgoingRequests,
}: GatewayServices): OutgoingRequestUseCases {
	return {
		validate: (input, options) => outgoingRequests.validate(input, options),
		create: (input, options) => outgoingRequests.create(input, options),
		get: (id, options) => outgoingRequests.get(id, options),
		list: requestList(
			(query, options) => outgoingRequests.list(query, options),
			outgoingRequestQueryFields,
		),
		discard: (id, options) => outgoingRequests.discard(id, options),
		answers: (id, options) => outgoingRequests.answers(id, options),
		answersOfAll: (ids, options) => outgoingRequests.answersOfAll(ids, options),
	};
}

export function incomingRequestUseCases({
	incomingRequests,
}: GatewayServices): IncomingRequestUseCases {
	return {
		get: (id, options) => incomingRequests.get(id, options),
		list: requestList(
			(query, options) => incomingRequests.list(query, options),
			incomingRequestQueryFields,
		),
		canAccept: (id, input, options) => incomingRequests.canAccept(id, input, options),
		canReject: (id, input, options) => incomingRequests.canReject(id, input, options),
		accept: (id, input, options) => incomingRequests.accept(id, input, options),
		reject: (id, input, options) => incomingRequests.reject(id, input, options),
		delete: (id, options) => incomingRequests.delete(id, options),
	};
}

function requestList(
	list: (query: Query<RequestField>, options?: Cancellable) => Promise<RequestDto[]>,
	fields: QueryFields<RequestField>,
): (input?: ListInput<RequestField>, options?: Cancellable) => Promise<RequestDto[]> {
	const known = listWithQuery(list, fields);
	return ({ query, ...rest } = {}, options) =>
		known(query === undefined ? rest : { ...rest, query: onlyKnown(query, fields) }, options);
}

export function tagUseCases({ tags }: GatewayServices): TagUseCases {
	return { collection: (options = {}) => joinWork(tags.collection(), options) };
}

export function eventUseCases(parts: GatewayParts, services: GatewayServices): EventUseCases {
	const { account, clock, consumers, stop, store, logger } = parts;
	return {
		consume: (options) => consumers.consume(options),
		recent: (filter, limit, options) => consumers.recent(filter, limit, options),
		next: (filter, options) => consumers.next(filter, options),
		follow: (options) => consumers.follow(options),
		forget: (consumer) => consumers.forget(consumer),
		announceModulesStarted: (options = {}) =>
			store.transact(
				(tx) =>
					appendEvent(tx, {
						name: 'runtime.modulesStarted',
						createdAt: isoInstant(clock.now()),
						subject: account.address,
						data: {},
					}),
				options,
			),
		keepSynced: (options) => services.loop.subscribe(options),
		autoAccept: (options) => {
			const release = new AbortController();
			const signal = linkSignals(stop.signal, release.signal) ?? release.signal;
			const consumer = { ...autoAcceptConsumer(services, options), signal };
			void acceptAutomatically((each) => consumers.consume(each), consumer, logger);
			return { release: () => release.abort() };
		},
	};
}

async function describe(report: SyncReport, services: GatewayServices): Promise<SyncOutcome> {
	const relationshipIds = new Set<string>();
	const messageIds = new Set<string>();
	const fileIds = new Set<string>();
	const processIds = new Set<string>();
	for (const { relationshipId, messageId, fileId, deletionProcessId } of report.touched) {
		if (relationshipId !== undefined) relationshipIds.add(relationshipId);
		if (messageId !== undefined) messageIds.add(messageId);
		if (fileId !== undefined) fileIds.add(fileId);
		if (deletionProcessId !== undefined) processIds.add(deletionProcessId);
	}
	return {
		relationships: await recordsOf(relationshipIds, services.relationships),
		messages: await recordsOf(messageIds, services.messages),
		files: await recordsOf(fileIds, services.files),
		identityDeletionProcesses: await recordsOf(processIds, services.identityDeletion),
		pendingFailures: [...report.failures],
	};
}

/** Most syncs find nothing, and then nothing is asked of the store. */
async function recordsOf<Dto>(
	ids: ReadonlySet<string>,
	service: { getMany(ids: readonly string[]): Promise<Dto[]> },
): Promise<Dto[]> {
	return ids.size === 0 ? [] : await service.getMany([...ids]);
}

async function syncStatus(
	store: GatewayParts['store'],
	services: GatewayServices,
	options: Cancellable,
): Promise<SyncStatusDto> {
	const stored = await store.read(async (tx) => {
		const parked = await tx.inbox.list({
			where: [{ field: 'state', op: 'eq', value: 'parked' }],
			limit: 100,
		});
		return {
			state: (await tx.syncState.get('sync'))?.record,
			pending: await tx.inbox.count({ where: [{ field: 'state', op: 'eq', value: 'pending' }] }),
			parked: parked.map(({ record }) => record),
			push: await services.loop.push.status(tx),
		};
	}, options);
	const unresolved = await services.messages.unresolvedSends(options);
	const ending = await services.identityDeletion.ending(options);
	const own = services.engine.lastCompletedAt;
	const reconciled = stored.state?.reconciliation?.last;
	const completedAt = own === undefined ? stored.state?.lastCompletedAt : isoInstant(own);
	return {
		...(completedAt === undefined ? {} : { lastSyncRun: { completedAt } }),
		...(reconciled === undefined
			? {}
			: { lastReconciliation: { completedAt: reconciled.completedAt } }),
		pendingEvents: stored.pending,
		parkedEvents: stored.parked.map((event) => ({
			eventId: event.id,
			type: event.type,
			code: event.lastFailure?.code ?? '',
			message: event.lastFailure?.message ?? '',
		})),
		...(services.loop.lastFailure === undefined ? {} : { lastFailure: services.loop.lastFailure }),
		...(ending === undefined ? {} : { paused: pauseOf(ending) }),
		pushConnected: services.loop.push.isConnected,
		push: stored.push,
		unresolvedSends: unresolved.length,
	};
}
