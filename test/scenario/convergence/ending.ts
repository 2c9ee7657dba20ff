import { perform } from './interruption';
import type { Operation } from './operations';
import { consumers, type Party } from './party';
import type { World } from './world';

const patienceMs = 11 * 60_000;
const mostRounds = 8;

/**
 * Everybody starts again and syncs until nothing is new; what was lost is found by a comparison with
 * the Backbone, and what was held back is let through.
 */
export async function bringToAnEnd(world: World): Promise<void> {
	world.loseEvents(0);
	await world.restart();
	await syncAll(world);
	for (const { gateway } of world.parties) await gateway.account.reconcile();
	await syncAll(world);
	await findUnheard(world);
	await findLostCreation(world);
	await releaseHeldBack(world);
	if (world.relationship?.status === 'Active') await greetEachOther(world);
	for (const party of world.parties) {
		for (const consumer of consumers) await party.consume(consumer);
	}
}

/** @throws when there is something new every time */
async function syncAll(world: World): Promise<void> {
	let quiet = 0;
	for (let round = 0; quiet < 2; round++) {
		if (round === mostRounds) throw new Error('There is no end to what syncs find');
		world.jump(patienceMs);
		const touched = [];
		for (const { gateway } of world.parties) {
			const { relationships, messages, files, pendingFailures } = await gateway.account.sync();
			touched.push(...relationships, ...messages, ...files, ...pendingFailures);
		}
		quiet = touched.length === 0 ? quiet + 1 : 0;
	}
}

/**
 * A relationship that one side has accepted or ended before the other had heard of it, and whose events the
 * Backbone has lost or given up: it cannot be asked for, and comes with an event that an operator brings back.
 */
async function findUnheard(world: World): Promise<void> {
	const rows = world.backbone.state.relationshipsOf.get(world.a.address) ?? [];
	for (const { id, status } of rows) {
		if (status === 'Pending' || !world.isGivenUp(id)) continue;
		for (const { address, gateway } of world.parties) {
			const known = await gateway.relationships.list();
			if (known.some((relationship) => relationship.id === id)) continue;
			const payload = { relationshipId: id };
			world.backbone.events.add(address, 'RelationshipStatusChanged', payload);
			await syncAll(world);
		}
	}
}

/**
 * Relationships are read by their ids only. So of a creation whose answer was lost the requestor hears
 * when the templator acts, and of one whose event the Backbone has given up or lost the templator hears when
 * the requestor does.
 */
async function findLostCreation(world: World): Promise<void> {
	const row = world.relationship;
	if (row?.status !== 'Pending') return;
	const [requestor, templator] =
		row.from === world.a.address ? [world.a, world.b] : [world.b, world.a];
	const isKnown = async ({ gateway }: Party): Promise<boolean> =>
		(await gateway.relationships.list()).some(({ id }) => id === row.id);
	const [isKnownToRequestor, isKnownToTemplator] = [
		await isKnown(requestor),
		await isKnown(templator),
	];
	if (!isKnownToTemplator && world.isGivenUp(row.id)) {
		if (isKnownToRequestor) await must(requestor, { kind: 'revoke', id: row.id });
		else {
			// The answer is lost as well: no party can act before the operator brings the event back.
			const payload = { relationshipId: row.id };
			world.backbone.events.add(templator.address, 'RelationshipStatusChanged', payload);
			await syncAll(world);
			await must(templator, { kind: 'accept', id: row.id });
		}
	} else if (!isKnownToRequestor) await must(templator, { kind: 'accept', id: row.id });
	else return;
	await syncAll(world);
}

/** Messages that were sent while the peer had terminated reach it after a reactivation only. */
async function releaseHeldBack(world: World): Promise<void> {
	const row = world.relationship;
	if (row?.status !== 'Terminated') return;
	const held = [...world.backbone.state.openEvents.values()].flat();
	if (!held.some(({ blocked }) => blocked)) return;
	const last = row.auditLog.at(-1);
	const asks = last?.createdBy === world.b.address ? world.b : world.a;
	if (last?.reason !== 'ReactivationRequested') {
		await must(asks, { kind: 'requestReactivation', id: row.id });
		await syncAll(world);
	}
	await must(world.peerOf(asks), { kind: 'acceptReactivation', id: row.id });
	await syncAll(world);
}

/** The keys of both sides fit each other. */
async function greetEachOther(world: World): Promise<void> {
	for (const party of world.parties) {
		const to = world.peerOf(party).address;
		const subject = `the last mail of ${party.name}`;
		await must(party, { kind: 'send', to, subject, attachments: [] });
	}
	await syncAll(world);
}

async function must(party: Party, operation: Operation): Promise<void> {
	const outcome = await perform(party, operation);
	party.note(operation, outcome);
	if (outcome.status === 'done') return;
	const reason = JSON.stringify(outcome);
	throw new Error(
		`${party.name} could not ${operation.kind} although nothing was wrong: ${reason}`,
	);
}
