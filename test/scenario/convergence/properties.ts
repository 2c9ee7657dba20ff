import { ownText } from '../../../core/model/json';
import type { AnyEvent, MessageDto, RelationshipDto } from '../../../core';
import { isoInstant } from '../../../core/base/clock';
import type { RelationshipRow } from '../../../sandbox/state/records';
import { Findings } from '../../support/findings';
import { countersUsedBy } from '../../support/accounts/used-counters';
import { consumers, type Party } from './party';
import type { World } from './world';

/** What must hold when both have synced and nothing is new; each sentence that does not is returned. */
export async function checkAll(world: World): Promise<string[]> {
	const findings = new Findings();
	for (const party of world.parties) {
		await checkQuiet(party, findings);
		await checkRelationships(world, party, findings);
		await checkMessages(world, party, findings);
		await checkEvents(party, findings);
		await checkObjects(world, party, findings);
		checkCounters(world, party, findings);
	}
	return findings.found;
}

/** Nothing is parked, waits, or is still to be found out. */
async function checkQuiet(party: Party, findings: Findings): Promise<void> {
	const status = await party.gateway.account.getSyncStatus();
	findings.expectEqual(status.parkedEvents, [], `${party.name} has parked events`);
	findings.expectEqual(status.pendingEvents, 0, `${party.name} has pending events`);
	findings.expectEqual(status.unresolvedSends, 0, `${party.name} has unresolved sends`);
	// A repeated creation whose relationship has arrived is looked at a day later.
	const others = [{ field: 'kind', op: 'ne', value: 'createRelationship' }] as const;
	const open = await party.store.read((tx) => tx.work.list({ where: others }));
	findings.expectEqual(open, [], `${party.name} has unfinished work`);
}

async function checkRelationships(
	{ backbone }: World,
	party: Party,
	findings: Findings,
): Promise<void> {
	const rows = backbone.state.relationshipsOf.get(party.address) ?? [];
	const stored = await party.gateway.relationships.list();
	findings.expectEqual(
		stored.map(summaryOfDto).sort(),
		rows.map(summaryOfRow).sort(),
		`${party.name} has other relationships than the Backbone`,
	);
}

function summaryOfDto({ id, status, auditLog }: RelationshipDto): string {
	const entries = auditLog.map((entry) => [
		entry.createdAt,
		entry.createdBy,
		entry.reason,
		entry.newStatus,
	]);
	return JSON.stringify([id, status, entries]);
}

function summaryOfRow({ id, status, auditLog }: RelationshipRow): string {
	const entries = auditLog.map((entry) => [
		// The Backbone keeps microseconds, we milliseconds.
		isoInstant(Date.parse(entry.createdAt)),
		entry.createdBy,
		entry.reason,
		entry.newStatus,
	]);
	return JSON.stringify([id, status, entries]);
}

/** What the party has sent is at the Backbone and at the peer, each once, and as it was reported. */
async function checkMessages(world: World, party: Party, findings: Findings): Promise<void> {
	const { name, address, sends } = party;
	const sent = await messagesOf(party, true);
	const received = await messagesOf(world.peerOf(party), false);
	const rows = [...world.backbone.state.messages.values()];
	const ids = rows.filter(({ createdBy }) => createdBy === address).map(({ id }) => id);
	findings.expectEqual(idsOf(sent), ids.sort(), `${name} knows other sent messages than there are`);
	findings.expectEqual(idsOf(received), ids, `the peer of ${name} has received other messages`);
	await checkReceived(world.peerOf(party), received, party, findings);
	findings.expectEqual(
		contentsOf(received),
		contentsOf(sent),
		`the peer of ${name} has received other contents`,
	);
	for (const [subject, { outcomes }] of sends) {
		const times = sent.filter(({ content }) => ownText(content, 'subject') === subject).length;
		const statuses = outcomes.map(({ status }) => status);
		if (statuses.includes('done')) {
			findings.expect(times === 1, `${subject} was reported as sent and is there ${times} times`);
		} else if (statuses.includes('unknown')) {
			findings.expect(times <= 1, `${subject} is there ${times} times`);
		} else findings.expect(times === 0, `${subject} was refused and is there ${times} times`);
	}
}

/** A recipient of a message can read its files, and a message marked as read stays so. */
async function checkReceived(
	receiver: Party,
	received: readonly MessageDto[],
	sender: Party,
	findings: Findings,
): Promise<void> {
	for (const { id, attachments, wasReadAt } of received) {
		const wasRead = wasReadAt !== undefined;
		if (receiver.read.has(id)) findings.expect(wasRead, `${id} was marked as read and is not`);
		for (const fileId of attachments) {
			const { content } = await receiver.gateway.messages.downloadAttachment(id, fileId);
			const text = Buffer.from(content).toString();
			findings.expectEqual(text, sender.files.get(fileId), `the attachment ${fileId} of ${id}`);
		}
	}
}

async function messagesOf(party: Party, isOwn: boolean): Promise<MessageDto[]> {
	return await party.gateway.messages.list({ where: [{ field: 'isOwn', op: 'eq', value: isOwn }] });
}

function idsOf(messages: readonly MessageDto[]): string[] {
	return messages.map(({ id }) => id).sort();
}

function contentsOf(messages: readonly MessageDto[]): unknown[] {
	return messages
		.map(({ id, content, attachments }) => JSON.stringify([id, content, attachments]))
		.sort();
}

/** Each change is told once, and every consumer got all of it in order. */
async function checkEvents(party: Party, findings: Findings): Promise<void> {
	const { name, gateway, deliveries } = party;
	const events = await gateway.events.recent({}, 500);
	const sequences = events.map(({ sequence }) => sequence);
	const all = events.map((_, index) => index + 1);
	findings.expectEqual(sequences, all, `the outbox of ${name} has gaps`);
	for (const consumer of consumers) {
		const delivered = [...new Set(deliveries.get(consumer.name) ?? [])];
		findings.expectEqual(delivered, all, `the consumer ${consumer.name} of ${name} missed events`);
	}
	const once = [
		['transport.messageReceived', await messagesOf(party, false)],
		['transport.messageSent', await messagesOf(party, true)],
	] as const;
	for (const [event, messages] of once) {
		const told = subjectsOf(events, event).sort();
		findings.expectEqual(told, idsOf(messages), `${name} was told ${event} for other messages`);
	}
	const own = party.templates.map(({ id }) => id);
	const used = subjectsOf(events, 'transport.relationshipTemplateAllocationsExhausted');
	findings.expect(
		new Set(used).size === used.length && used.every((id) => own.includes(id)),
		`${name} was told that these templates are used up: ${used.join(' ')}`,
	);
	for (const { id, auditLog } of await gateway.relationships.list()) {
		checkChanges(events, { id, auditLog }, name, findings);
	}
}

/** Every change is told with more of the audit log than the one before, the last with all of it. */
function checkChanges(
	events: readonly AnyEvent[],
	{ id, auditLog }: Pick<RelationshipDto, 'id' | 'auditLog'>,
	name: string,
	findings: Findings,
): void {
	const about = events.filter(({ data }) => data['id'] === id);
	const lengths = about
		.filter(({ event }) => event === 'transport.relationshipChanged')
		.map(({ data }) => (data['auditLog'] as unknown[]).length);
	const isGrowing = lengths.every((length, index) => length > (lengths[index - 1] ?? 0));
	findings.expect(isGrowing, `${name} was told a change of ${id} twice: ${lengths.join(' ')}`);
	findings.expectEqual(lengths.at(-1), auditLog.length, `${name} was not told the end of ${id}`);
	const asked = auditLog.filter(({ reason }) => reason === 'ReactivationRequested').length;
	const answered = auditLog.filter(({ reason }) => reason.endsWith('OfReactivation')).length;
	const told = (event: string): number => about.filter((other) => other.event === event).length;
	findings.expectEqual(
		[
			told('transport.relationshipReactivationRequested'),
			told('transport.relationshipReactivationCompleted'),
		],
		[asked, answered],
		`${name} was told of other reactivations of ${id}`,
	);
}

function subjectsOf(events: readonly AnyEvent[], name: string): string[] {
	return events.filter(({ event }) => event === name).map(({ data }) => String(data['id']));
}

/** Files, tokens and templates are here as the Backbone has them. */
async function checkObjects({ backbone }: World, party: Party, findings: Findings): Promise<void> {
	const { name, gateway, files } = party;
	const { state } = backbone;
	for (const [id, content] of files) {
		const downloaded = await gateway.files.download(id);
		findings.expectEqual(Buffer.from(downloaded.content).toString(), content, `the file ${id}`);
	}
	const isOwn = { where: [{ field: 'isOwn', op: 'eq', value: true } as const] };
	const tokens = (await gateway.tokens.list(isOwn)).map(({ id }) => id);
	const templates = (await gateway.templates.list(isOwn)).map(({ id }) => id);
	for (const id of tokens) findings.expect(state.tokens.has(id), `${name} keeps the token ${id}`);
	for (const id of templates) {
		findings.expect(state.templates.has(id), `${name} keeps the deleted template ${id}`);
	}
	for (const { id } of party.tokens) {
		findings.expect(
			tokens.includes(id) === state.tokens.has(id),
			`${name} has lost the token ${id}`,
		);
	}
	for (const id of party.deletedTokens) {
		findings.expect(!state.tokens.has(id), `${name} has not deleted the token ${id}`);
	}
	const own = new Set(party.templates.map(({ id }) => id));
	for (const id of party.deletedTemplates.filter((deleted) => own.has(deleted))) {
		findings.expect(!state.templates.has(id), `${name} has not deleted the template ${id}`);
	}
}

/** One number never encrypts two texts with the keys of one relationship. */
function checkCounters({ backbone }: World, party: Party, findings: Findings): void {
	for (const [id, counters] of countersUsedBy(party.address, backbone.state)) {
		const isOnce = new Set(counters).size === counters.length;
		findings.expect(
			isOnce,
			`${party.name} has used a counter of ${id} twice: ${counters.join(' ')}`,
		);
		findings.expect(counters.every(Number.isInteger), `a counter of ${id} is missing`);
	}
}
