import { isoInstant } from '../../base/clock';
import { isGatewayError } from '../../base/errors';
import type { Cancellable } from '../../base/abort';
import { readRequestSecrets } from '../../crypto/relationship-secrets-schema';
import type { JsonObject } from '../../model/json';
import type {
	RelationshipIntentRecord,
	RelationshipIntentSecrets,
} from '../../model/record/relationship';
import type { Entry, ReadTransaction, WriteTransaction } from '../../store/store';
import type { RelationshipContext } from './relationship-context';
import { openOwnCreationContent } from './relationship-envelope';

type CreationIntent = Entry<RelationshipIntentRecord, RelationshipIntentSecrets>;

/** far more than can be on their way at once; the oldest goes when a creation is tried for ever */
const maxPerTemplate = 20;
/** whether anything can still come of a creation is asked no sooner, and no more often */
const checkEveryMs = 24 * 3_600_000;
const ownerIsGone = 'error.transport.relationships.deletedOwnerOfRelationshipTemplate';

/**
 * Creations whose answer we have not seen. They come back with no external event before the peer
 * answers them, and the Backbone cannot be asked for a relationship by its template, so each is kept
 * until it is refused, arrives, or can come no more.
 */
export async function beginCreation(
	tx: WriteTransaction,
	creation: {
		/** of the creation: its own public key, which no other one has */
		readonly id: string;
		readonly templateId: string;
		readonly creationContent: JsonObject;
		readonly request: JsonObject;
	},
	{ clock }: Pick<RelationshipContext, 'clock'>,
): Promise<void> {
	const { id, templateId, creationContent, request } = creation;
	const before = await openCreations(tx, templateId);
	const oldest = before.length < maxPerTemplate ? undefined : before[0];
	if (oldest !== undefined) await tx.relationshipIntents.delete(oldest.record.id);
	const createdAt = isoInstant(clock.now());
	await tx.relationshipIntents.insert({ id, templateId, createdAt, creationContent }, { request });
}

/** Oldest first. */
export async function openCreations(
	tx: ReadTransaction,
	templateId: string,
): Promise<CreationIntent[]> {
	return await tx.relationshipIntents.list({
		where: [{ field: 'templateId', op: 'eq', value: templateId }],
	});
}

/**
 * The creation that the Backbone has taken: only its secrets open what was sent. All are tried when the
 * Backbone names no template, because its owner has deleted it.
 */
export async function findCreation(
	tx: ReadTransaction,
	templateId: string | undefined,
	creationContent: string,
): Promise<CreationIntent | undefined> {
	const intents =
		templateId === undefined
			? await tx.relationshipIntents.list()
			: await openCreations(tx, templateId);
	return intents.find(({ secrets }) => {
		try {
			openOwnCreationContent(creationContent, readRequestSecrets(secrets.request));
			return true;
		} catch (error) {
			if (!isGatewayError(error)) throw error;
			return false;
		}
	});
}

/** A template that was forgotten meanwhile, and hidden for this, is forgotten with the last one. */
export async function endCreation(tx: WriteTransaction, id: string): Promise<void> {
	const intent = await tx.relationshipIntents.get(id);
	if (intent === undefined) return;
	const { templateId } = intent.record;
	await tx.relationshipIntents.delete(id);
	const template = (await tx.templates.get(templateId))?.record;
	const isForgotten = template?.isOwn === false && template.deletedAt !== undefined;
	if (!isForgotten || (await openCreations(tx, templateId)).length > 0) return;
	await tx.templates.delete(templateId);
}

/**
 * Housekeeping: when the Backbone would take a new creation for the peer, none of ours is pending
 * there; it never arrived, or its end was told by an event that has been applied.
 */
export async function endLostCreations(
	context: RelationshipContext,
	options: Cancellable,
): Promise<void> {
	const { store, clock, logger } = context;
	const now = clock.now();
	const due = await store.read(async (tx) => {
		const intents = (await tx.relationshipIntents.list()).map(({ record }) => record);
		const old = intents.filter(
			({ createdAt, checkedAt = createdAt }) => now - Date.parse(checkedAt) >= checkEveryMs,
		);
		if (old.length === 0) return [];
		const pending = await tx.inbox.count({
			where: [{ field: 'state', op: 'eq', value: 'pending' }],
		});
		return pending === 0 ? old : [];
	}, options);
	for (const intent of due) {
		const canCome = await canStillCome(intent, context, options);
		await store.transact(async (tx) => {
			const current = (await tx.relationshipIntents.get(intent.id))?.record;
			if (current === undefined) return;
			if (!canCome) await endCreation(tx, intent.id);
			else await tx.relationshipIntents.update({ ...current, checkedAt: isoInstant(now) });
		}, options);
		const { templateId, createdAt } = intent;
		if (!canCome) logger.info('a creation never arrived', { templateId, createdAt });
	}
}

/** in which the event that tells of an end arrives, also after an outage of the server's queues */
const eventPatienceMs = 2 * 60_000;

/**
 * How long to wait before a creation whose answer was lost may be made again, in milliseconds: a peer who
 * has rejected it must not be asked a second time. When nothing of it is pending at the Backbone, either it
 * was never taken, or the event that tells of its end is on its way.
 */
export async function waitBeforeCreatingAgainMs(
	templateId: string,
	{ store, clock, backbone }: RelationshipContext,
	options: Cancellable,
): Promise<number> {
	const { open, peer, pending } = await store.read(
		async (tx) => ({
			open: (await openCreations(tx, templateId)).map(({ record }) => record),
			peer: (await tx.templates.get(templateId))?.record.createdBy,
			pending: await tx.inbox.count({ where: [{ field: 'state', op: 'eq', value: 'pending' }] }),
		}),
		options,
	);
	const newest = open.at(-1);
	if (newest === undefined || peer === undefined) return 0;
	// A pending one refuses another, and the Backbone says so to its caller.
	if (!(await backbone.relationships.canCreate(peer, options)).canCreate) return 0;
	const { absentSince } = newest;
	if (absentSince === undefined) {
		await store.transact(async (tx) => {
			const current = (await tx.relationshipIntents.get(newest.id))?.record;
			if (current === undefined) return;
			await tx.relationshipIntents.update({ ...current, absentSince: isoInstant(clock.now()) });
		}, options);
		return eventPatienceMs;
	}
	const waitedMs = clock.now() - Date.parse(absentSince);
	// An event that has arrived, and is not applied yet, may be the one.
	return pending > 0 ? eventPatienceMs : Math.max(0, eventPatienceMs - waitedMs);
}

/** Where the Backbone gives no answer, it is asked again another day. */
async function canStillCome(
	{ templateId }: RelationshipIntentRecord,
	{ store, backbone, logger }: RelationshipContext,
	options: Cancellable,
): Promise<boolean> {
	const template = await store.read((tx) => tx.templates.get(templateId), options);
	if (template === undefined) return false;
	try {
		const { canCreate } = await backbone.relationships.canCreate(
			template.record.createdBy,
			options,
		);
		return !canCreate;
	} catch (error) {
		if (!isGatewayError(error)) throw error;
		if (error.code === ownerIsGone) return false;
		logger.debug('it is not known whether a creation arrived', { templateId, code: error.code });
		return true;
	}
}
