import { isoInstant } from '../../base/clock';
import { isGatewayError } from '../../base/errors';
import type { Cancellable } from '../../base/abort';
import { readRequestSecrets } from '../../crypto/relationship-secrets-schema';
import type { CreationContent } from '../../model/content/creation-content';
import type { JsonObject } from '../../model/json';
import type {
	RelationshipIntentRecord,
	RelationshipIntentSecrets,
} from '../../model/record/relationship';
import type {
	Entry,
	InboxField,
	Query,
	ReadTransaction,
	WriteTransaction,
} from '../../store/store';
import { openWork, postponeWork } from '../unfinished/ledger';
import type { RelationshipDependencies } from './relationship-dependencies';
import { openOwnCreationContent } from './relationship-envelope';
import { matching } from '../query/conditions';

type CreationIntent = Entry<RelationshipIntentRecord, RelationshipIntentSecrets>;

/**
 * far above any realistic number of concurrent creations; the oldest is removed when a caller
 * repeats a creation endlessly
 */
const maxPerTemplate = 20;
/** interval between the checks whether a creation can still arrive */
const checkEveryMs = 24 * 3_600_000;
/** the same while events wait, of which one may tell what became of the creation */
const whileEventsWaitMs = 3_600_000;
const ownerIsGone = 'error.transport.relationships.deletedOwnerOfRelationshipTemplate';

/**
 * Stores the intent of a creation before its call. A creation whose answer was lost causes no
 * external event before the peer answers it, and the Backbone cannot look up a relationship by its
 * template. So each intent is kept until the Backbone refuses the creation, the relationship
 * arrives, or it can no longer arrive.
 */
export async function beginCreation(
	tx: WriteTransaction,
	creation: {
		/** public key of the creation, which is unique */
		readonly id: string;
		readonly templateId: string;
		readonly creationContent: CreationContent;
		readonly request: JsonObject;
	},
	{ clock }: Pick<RelationshipDependencies, 'clock'>,
): Promise<void> {
	const { id, templateId, creationContent, request } = creation;
	const before = await openCreations(tx, templateId);
	const oldest = before.length < maxPerTemplate ? undefined : before[0];
	if (oldest !== undefined) await tx.relationshipIntents.delete(oldest.record.id);
	const since = isoInstant(clock.now());
	await tx.relationshipIntents.insertIfNew(
		{ id, templateId, createdAt: since, creationContent },
		{ request },
	);
	if (before.length > 0) return;
	const dueAt = isoInstant(clock.now() + checkEveryMs);
	await openWork(tx, { id: templateId, kind: 'createRelationship', since, dueAt });
}

/** Open creations for the template, oldest first. */
export async function openCreations(
	tx: ReadTransaction,
	templateId: string,
): Promise<CreationIntent[]> {
	return await tx.relationshipIntents.list({ where: matching({ templateId }) });
}

/**
 * Finds the creation that the Backbone has accepted: only its secrets decrypt the content. All
 * creations are tried when the Backbone names no template, because the owner has deleted it.
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

/**
 * Deletes the intent of a creation; with the last intent of its template also the template, if a
 * caller has deleted it and it was hidden only because of these intents.
 */
export async function endCreation(tx: WriteTransaction, id: string): Promise<void> {
	const intent = await tx.relationshipIntents.get(id);
	if (intent === undefined) return;
	const { templateId } = intent.record;
	await tx.relationshipIntents.delete(id);
	if ((await openCreations(tx, templateId)).length > 0) return;
	await tx.work.delete(templateId);
	const template = (await tx.templates.get(templateId))?.record;
	if (template?.isOwn !== false || template.deletedAt === undefined) return;
	await tx.templates.delete(templateId);
}

/**
 * Ends the creations for a template that never arrived. When the Backbone would accept a new
 * creation for the peer, no creation of this account is pending there: it never arrived, or the
 * event of its end has been applied.
 */
export async function settleCreation(
	templateId: string,
	context: RelationshipDependencies,
	options: Cancellable,
): Promise<void> {
	const { store, clock, logger } = context;
	const hasEvents = (await store.read((tx) => tx.inbox.count(pendingEvents), options)) > 0;
	const isAwaited = hasEvents || (await canStillCome(templateId, context, options));
	const delayMs = hasEvents ? whileEventsWaitMs : checkEveryMs;
	await store.transact(async (tx) => {
		if (isAwaited) return await postponeWork(tx, templateId, delayMs, clock.now());
		for (const { record } of await openCreations(tx, templateId)) await endCreation(tx, record.id);
	}, options);
	if (!isAwaited) logger.info('a creation never arrived', { templateId });
}

const pendingEvents: Query<InboxField> = { where: matching({ state: 'pending' }) };

/** time within which the event of an end arrives, also after an outage of the server's queues */
const eventPatienceMs = 2 * 60_000;

/**
 * Milliseconds to wait before a creation whose answer was lost may be repeated: a peer who has
 * rejected it must not be asked a second time. When no creation is pending at the Backbone, either
 * the first one never arrived, or the event of its end is on its way.
 */
export async function waitBeforeCreatingAgainMs(
	templateId: string,
	{ store, clock, backbone }: RelationshipDependencies,
	options: Cancellable,
): Promise<number> {
	const { open, peer, pending } = await store.read(
		async (tx) => ({
			open: (await openCreations(tx, templateId)).map(({ record }) => record),
			peer: (await tx.templates.get(templateId))?.record.createdBy,
			pending: await tx.inbox.count(pendingEvents),
		}),
		options,
	);
	const newest = open.at(-1);
	if (newest === undefined || peer === undefined) return 0;
	// A pending creation blocks another one, and the Backbone reports that to the caller.
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
	// A received event that is not yet applied may report the end of the creation.
	return pending > 0 ? eventPatienceMs : Math.max(0, eventPatienceMs - waitedMs);
}

/**
 * True when the relationship of the creation can still arrive, or when the Backbone gives no
 * answer; then the next check is a day later.
 */
async function canStillCome(
	templateId: string,
	{ store, backbone, logger }: RelationshipDependencies,
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
