import {
	parseGatewayConfig,
	verifyAccount,
	type Gateway,
	type MessageDto,
	type RelationshipDto,
} from '../../core';
import { partsOf } from '../../core/gateway/gateway-parts';
import type { OutboxEvent } from '../../core/model/record/event';
import { countersUsedBy } from '../../test/support/accounts/used-counters';
import type { Account } from './account';
import type { World } from './world';

/** Message as one party sees it. */
export type MessageView = Pick<MessageDto, 'id' | 'isOwn' | 'createdBy' | 'content'> & {
	readonly attachments: readonly string[];
	readonly wasReadAt?: string | undefined;
};

/** Evidence about one account while no work is in progress. */
export type AccountEvidence = Awaited<ReturnType<typeof evidenceOf>>;

export type Evidence = Awaited<ReturnType<typeof collectViews>> & {
	/**
	 * copies that have sent beside each other, once one of the accounts was restored from a backup
	 */
	readonly copies?: readonly CopyEvidence[];
	/** name of the restored account */
	readonly restored?: string;
};

export interface CopyEvidence {
	readonly name: string;
	/** codes of the listed problems */
	readonly problems: ReadonlyArray<string | undefined>;
}

const eventsPerPage = 2_000;
/** number of files downloaded per check */
const sampledFiles = 10;

/** Reads all views while no process writes. The observing gateways stay open. */
export const collectEvidence = (world: World): Promise<Evidence> => collectViews(world);

async function collectViews(world: World) {
	const accounts: AccountEvidence[] = [];
	for (const account of world.accounts) accounts.push(await evidenceOf(world, account));
	const { messages, relationships } = world.backbone.state;
	const { official } = world;
	const ofOfficial = official && {
		address: official.address,
		messages: (await official.messages()) as unknown as MessageView[],
		/** recipients by subject */
		sends: world.officialSends,
	};
	return {
		accounts,
		messages: [...messages.values()]
			.filter(({ repeats }) => repeats === undefined)
			.map(({ id, createdBy, recipients }) => ({
				id,
				from: createdBy,
				to: recipients.map(({ address }) => address),
			})),
		relationships: [...relationships.values()].map((row) => ({
			id: row.id,
			summary: summaryOf(row),
		})),
		official: ofOfficial,
		complaints: world.complaints,
	};
}

/** Statuses and reasons of all changes. */
export function summaryOf({ status, auditLog }: SummarizedRelationship): string {
	return [status, ...auditLog.map(({ createdBy, reason }) => `${createdBy} ${reason}`)].join(', ');
}

type SummarizedRelationship = Pick<RelationshipDto, 'status'> & {
	readonly auditLog: ReadonlyArray<{ readonly createdBy: string; readonly reason: string }>;
};

async function evidenceOf(world: World, account: Account) {
	const gateway = await world.observer(account);
	const { name, address, ledger } = account;
	const messages: readonly MessageView[] = await gateway.messages.list();
	const attributes = await gateway.attributes.list();
	return {
		name,
		address,
		ledger,
		messages,
		relationships: await gateway.relationships.list(),
		requests: [
			...(await gateway.outgoingRequests.list()),
			...(await gateway.incomingRequests.list()),
		],
		/** relationship attributes by the request that created them, one entry each */
		requestedAttributes: attributes.flatMap(({ shareInfo }) => shareInfo?.requestReference ?? []),
		templates: (await gateway.templates.list()).map(({ id }) => id),
		files: (await gateway.files.list()).map(({ id }) => id),
		events: await eventsOf(gateway),
		status: await gateway.account.getSyncStatus(),
		problems: (await gateway.problems.list()).map((problem) => JSON.stringify(problem)),
		unfinished: await unfinishedIn(gateway),
		counters: countersUsedBy(address, world.backbone.state),
		wrongFiles: await wrongFilesIn(gateway, messages, world.peerOf(account).ledger.files),
		damage: await damageOf(account),
		eventsAtBackbone: eventsToFetch(world, account),
	};
}

/**
 * Number of events to fetch, without events that the Backbone has given up after three lost runs; a
 * reconciliation finds those.
 */
export function eventsToFetch({ backbone }: World, { address }: Account): number {
	const open = backbone.state.openEvents.get(address) ?? [];
	return open.filter(({ blocked, syncErrorCount }) => !blocked && syncErrorCount < 3).length;
}

async function eventsOf(gateway: Gateway): Promise<OutboxEvent[]> {
	const { store } = partsOf(gateway);
	const events: OutboxEvent[] = [];
	for (;;) {
		const position = events.at(-1)?.sequence ?? 0;
		const page = await store.read((tx) => tx.outbox.readAfter(position, eventsPerPage));
		events.push(...page);
		if (page.length < eventsPerPage) return events;
	}
}

/** Unfinished work, which syncs complete without a caller. */
export async function unfinishedIn(gateway: Gateway): Promise<Record<string, number>> {
	const { store } = partsOf(gateway);
	return await store.read(async (tx) => ({
		work: await tx.work.count(),
		'creations of relationships': await tx.relationshipIntents.count(),
		'received events': await tx.inbox.count({
			where: [{ field: 'state', op: 'ne', value: 'done' }],
		}),
	}));
}

async function wrongFilesIn(
	gateway: Gateway,
	messages: readonly MessageView[],
	uploaded: ReadonlyMap<string, string>,
): Promise<string[]> {
	const withFiles = messages.filter(({ isOwn, attachments }) => !isOwn && attachments.length > 0);
	const wrong: string[] = [];
	for (const { id, attachments } of withFiles.slice(-sampledFiles)) {
		for (const fileId of attachments) {
			const { content } = await gateway.messages.downloadAttachment(id, fileId);
			if (Buffer.from(content).toString() !== uploaded.get(fileId))
				wrong.push(`${fileId} of ${id}`);
		}
	}
	return wrong;
}

async function damageOf({ place, config }: Account): Promise<string[]> {
	const { account, store, passphrase, backbone } = parseGatewayConfig(config);
	const { clientSecret } = backbone;
	const copy = { kind: 'store' as const, place: { account, store, passphrase, clientSecret } };
	const damage: string[] = [];
	await verifyAccount([copy], undefined).catch((error: unknown) => damage.push(String(error)));
	if (store.kind !== 'sqlite') return damage;
	const rows = await place.query<Record<string, string>>(() => 'pragma integrity_check');
	const found = rows.flatMap((row) => Object.values(row));
	return [...damage, ...found.filter((line) => line !== 'ok')];
}
