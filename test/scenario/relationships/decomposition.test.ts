import type { CreationContent } from '../../../core/model/content/creation-content';
import type { Request } from '../../../core/model/content/requests/requests';
import { loosely } from '../../support/loosely';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { HttpBackbone } from '../../../core/backbone/http/http-backbone';
import { systemClock } from '../../../core/base/clock';
import { systemRandom } from '../../../core/base/random';
import { parseGatewayConfig } from '../../../core/config';
import { deletedIdentityPseudonyms } from '../../../core/model/address';
import type { AttributeRecord } from '../../../core/model/record/attribute';
import { collections, type CollectionName } from '../../../core/store/collections/collections';
import { openStore } from '../../../core/store/open-store';
import type { WriteTransaction } from '../../../core/store/store';
import type { Gateway, GatewayConfigInput, GatewayDependencies } from '../../../core';
import {
	arrivals,
	inOneHour,
	mailTo,
	relate,
	SandboxNetwork,
	settle,
} from '../../support/gateways';
import { watchBackbone } from '../../support/backbone/watched-backbone';

/* docs/protocol/transport.md 6.4, consumption.md 8.14 */

const wrongStatus = 'error.transport.relationships.wrongRelationshipStatus';
const unknown = 'error.runtime.recordNotFound';
const decomposed = 'transport.relationshipDecomposedBySelf';

let network: SandboxNetwork;
let config: GatewayConfigInput;
let folder: string;
let passedMs = 0;
let a: Gateway;
let b: Gateway;
let id: string;
let addressA: string;
let addressB: string;

async function open(dependencies: GatewayDependencies = {}): Promise<void> {
	passedMs = 0;
	network = await SandboxNetwork.open({ maxMessageRecipients: 2 });
	folder = network.newFolder();
	// In clear, because traces are looked for in the rows.
	config = { ...network.config(folder), sealContents: false };
	const clock = { now: () => Date.now() + passedMs };
	a = await network.gateway(config, { clock, ...dependencies });
	b = await network.gateway();
	({ relationshipId: id, addressA, addressB } = await relate(a, b));
}
afterEach(() => network.close());

const eventNames = async (gateway: Gateway): Promise<string[]> =>
	(await gateway.events.recent({}, 100)).map(({ event }) => event);

/** Writes what this version has no use case for yet into the store of the first gateway. */
async function inStore(work: (tx: WriteTransaction) => Promise<unknown>): Promise<void> {
	const dependencies = { clock: systemClock, random: systemRandom };
	const store = await openStore(parseGatewayConfig(config), dependencies);
	await store.transact(work);
	await store.close();
}

const attribute = (
	attributeId: string,
	owner: string,
	parts: Partial<AttributeRecord> = {},
): AttributeRecord => ({
	id: attributeId,
	createdAt: '2030-01-01T00:00:00.000Z',
	content: { '@type': 'IdentityAttribute', owner, value: { '@type': 'GivenName', value: 'Ada' } },
	shareInfo: { peer: addressB },
	...parts,
});

/** Every row of every table in which one of the texts stands, as `table: row`. */
function rowsWith(...texts: string[]): string[] {
	const files = readdirSync(folder).filter((name) => name.endsWith('.sqlite'));
	return files.flatMap((name) => {
		const database = new DatabaseSync(join(folder, name), { readOnly: true });
		const tables = database.prepare("select name from sqlite_master where type = 'table'").all();
		const found = tables.flatMap(({ name: table }) =>
			database
				.prepare(`select * from "${String(table)}"`)
				.all()
				.map((row) => `${String(table)}: ${JSON.stringify(row)}`)
				.filter((text) => texts.some((wanted) => text.includes(wanted))),
		);
		database.close();
		return found;
	});
}

describe('decomposing a relationship', () => {
	beforeEach(() => open());

	it('is refused while it is active, and for an unknown one, without asking the Backbone', async () => {
		const calls = () => network.backbone.calls.count('PUT', /decompose/i);
		await expect(a.relationships.decompose(id)).rejects.toMatchObject({ code: wrongStatus });
		await expect(a.relationships.decompose('REL00000000000000000')).rejects.toMatchObject({
			code: unknown,
		});
		expect(calls()).toBe(0);
		expect(await a.relationships.get(id)).toMatchObject({ status: 'Active' });
	});

	it('leaves no trace of the peer but the event that says so', async () => {
		await fillWithTraces();
		expect(rowsWith(addressB, id).length).toBeGreaterThan(15);
		await a.relationships.terminate(id);
		await a.relationships.decompose(id);
		expect(rowsWith(addressB)).toEqual([]);
		// Of events that were erased the position stays, so that no reader is led astray.
		const named = rowsWith(id).filter((row) => !/^outbox: .*"peer":null.*"data":"\{\}"/.test(row));
		expect(named).toEqual([expect.stringMatching(`^outbox: .*${decomposed}`)]);
		const [told] = await a.events.recent({ names: [decomposed] }, 10);
		expect(told?.data).toEqual({ relationshipId: id });
		expect(told?.peer).toBeUndefined();
		await expect(a.relationships.get(id)).rejects.toMatchObject({ code: unknown });
	});

	/** Something of everything that can be kept because of a peer. */
	async function fillWithTraces(): Promise<void> {
		await a.messages.send(mailTo(addressB), { idempotencyKey: 'welcome' });
		await b.messages.send(mailTo(addressA, 'Back'));
		const [received] = (await arrivals(a)).messages;
		await a.messages.markAsRead(received?.id ?? '');
		const content = { '@type': 'ArbitraryRelationshipTemplateContent' as const, value: addressB };
		const template = await b.templates.create({ expiresAt: inOneHour(), content });
		const { id: loaded } = await a.templates.loadPeer({ reference: template.truncatedReference });
		const token = await b.tokens.create({ content: { of: addressB }, expiresAt: inOneHour() });
		await a.tokens.loadPeer({ reference: token.truncatedReference });
		network.backbone.events.add(addressA, 'PeerToBeDeleted', { relationshipId: id });
		expect((await arrivals(a)).pendingFailures).toHaveLength(1);
		network.backbone.faults.add({
			method: 'POST',
			path: /Messages/,
			action: { kind: 'cutBefore' },
		});
		await expect(a.messages.send(mailTo(addressB, 'lost'))).rejects.toThrow();
		await inStore(async (tx) => {
			await tx.attributes.insert(attribute('ATT1', addressB), undefined);
			await tx.outbox.append({
				name: 'consumption.attributeCreated',
				createdAt: '2030-01-01T00:00:00.000Z',
				peer: addressB,
				subject: 'ATT1',
				data: { shareInfo: { peer: addressB } },
			});
			const statusLog: never[] = [];
			const content = loosely<Request>({});
			const request = { status: 'Completed', content, statusLog, peer: addressB } as const;
			const createdAt = '2030-01-01T00:00:00.000Z';
			await tx.requests.insert({ id: 'REQ1', isOwn: true, createdAt, ...request }, undefined);
			const creationContent = loosely<CreationContent>({ of: addressB });
			const intent = { id: 'RCI1', templateId: loaded, createdAt, creationContent };
			await tx.relationshipIntents.insert(intent, { request: {} });
		});
	}

	it('keeps own templates that others may still use, and removes one made for this peer', async () => {
		const c = await network.gateway();
		const content = { '@type': 'ArbitraryRelationshipTemplateContent' as const, value: 1 };
		const once = await a.templates.create({
			expiresAt: inOneHour(),
			content,
			maxNumberOfAllocations: 1,
		});
		const { id: templateId } = await c.templates.loadPeer({ reference: once.truncatedReference });
		const creationContent = { '@type': 'ArbitraryRelationshipCreationContent' as const, value: 2 };
		const second = await c.relationships.create({ templateId, creationContent });
		await settle(a);
		await a.relationships.accept(second.id);
		for (const one of [id, second.id]) {
			await a.relationships.terminate(one);
			await a.relationships.decompose(one);
		}
		const kept = (await a.templates.list()).map(({ maxNumberOfAllocations }) => ({
			maxNumberOfAllocations,
		}));
		expect(kept).toEqual([{ maxNumberOfAllocations: undefined }]);
	});

	it('puts a pseudonym into what was sent to others, too, until no recipient is left', async () => {
		const c = await network.gateway();
		const { relationshipId: second, addressB: addressC } = await relate(a, c);
		const recipients = [addressB, addressC];
		const content = { '@type': 'Mail' as const, to: recipients, subject: 'Both', body: 'x' };
		const sent = await a.messages.send({ recipients, content });
		await a.relationships.terminate(id);
		await a.relationships.decompose(id);
		expect((await a.messages.get(sent.id)).recipients).toEqual([
			{ address: deletedIdentityPseudonyms('localhost').client },
			{ address: addressC, relationshipId: second },
		]);
		expect(await eventNames(a)).toContain(decomposed);
		expect(await a.events.recent({ names: ['transport.messageSent'] }, 10)).toEqual([]);
		await a.relationships.terminate(second);
		await a.relationships.decompose(second);
		expect(await a.messages.list()).toEqual([]);
	});

	it('is seen by the peer, who keeps everything and can leave as well; then both begin anew', async () => {
		await a.messages.send(mailTo(addressB));
		await settle(b);
		await a.relationships.terminate(id);
		await a.relationships.decompose(id);
		await settle(b);
		const left = await b.relationships.get(id);
		expect(left.status).toBe('DeletionProposed');
		expect(left.auditLog.at(-1)).toMatchObject({ reason: 'Decomposition', createdBy: addressA });
		expect((await b.events.recent({}, 1))[0]?.event).toBe('transport.relationshipChanged');
		expect(await b.messages.list()).toHaveLength(1);
		await expect(b.messages.send(mailTo(addressA))).rejects.toMatchObject({
			code: 'error.transport.messages.missingOrInactiveRelationship',
		});
		await expect(b.relationships.requestReactivation(id)).rejects.toMatchObject({
			code: wrongStatus,
		});
		await expect(relate(b, a)).rejects.toMatchObject({
			code: 'error.transport.relationships.relationshipNotYetDecomposedByPeer',
		});
		await expect(relate(a, b)).rejects.toMatchObject({
			code: 'error.transport.relationships.relationshipCurrentlyExists',
		});
		await b.relationships.decompose(id);
		expect(await b.relationships.list()).toEqual([]);
		expect(await b.messages.list()).toEqual([]);
		const before = await eventNames(a);
		expect(await arrivals(a)).toMatchObject({ relationships: [], pendingFailures: [] });
		expect(await eventNames(a)).toEqual(before);
		const { relationshipId } = await relate(a, b);
		expect(relationshipId).not.toBe(id);
		await a.messages.send(mailTo(addressB, 'Anew'));
		expect((await arrivals(b)).messages).toMatchObject([{ content: { subject: 'Anew' } }]);
	});

	it('by the peer is noted on what both had shared, not on what belongs to others', async () => {
		await inStore(async (tx) => {
			await tx.attributes.insert(attribute('ATT1', addressA), undefined);
			await tx.attributes.insert(attribute('ATT2', addressB), undefined);
			await tx.attributes.insert(attribute('ATT3', 'did:e:localhost:dids:third'), undefined);
			const earlier = { deletionStatus: 'DeletedByOwner', deletionDate: '2031-01-01' };
			await tx.attributes.insert(attribute('ATT4', addressB, { deletionInfo: earlier }), undefined);
		});
		await b.relationships.terminate(id);
		await b.relationships.decompose(id);
		await settle(a);
		const deletionDate = (await a.relationships.get(id)).auditLog.at(-1)?.createdAt;
		const shown = await a.attributes.list();
		expect(shown.map(({ deletionInfo }) => deletionInfo)).toEqual([
			{ deletionStatus: 'DeletedByPeer', deletionDate },
			{ deletionStatus: 'DeletedByOwner', deletionDate },
			undefined,
			{ deletionStatus: 'DeletedByOwner', deletionDate: '2031-01-01' },
		]);
	});
});

describe('decomposing when something goes wrong', () => {
	const gone = async () => {
		expect(await a.relationships.list()).toEqual([]);
		expect((await eventNames(a)).filter((name) => name === decomposed)).toHaveLength(1);
		expect(network.backbone.state.relationships.get(id)?.status).toBe('DeletionProposed');
	};
	const cut = (kind: 'cutAfter' | 'cutBefore') =>
		network.backbone.faults.add({ method: 'PUT', path: /decompose/i, action: { kind } });
	beforeEach(async () => {
		await open();
		await a.relationships.terminate(id);
	});

	it('is finished by the next sync when the answer is lost', async () => {
		cut('cutAfter');
		await expect(a.relationships.decompose(id)).rejects.toMatchObject({ kind: 'unavailable' });
		await settle(a);
		await gone();
	});

	it('is finished by a repetition when the answer is lost', async () => {
		cut('cutAfter');
		await expect(a.relationships.decompose(id)).rejects.toMatchObject({ kind: 'unavailable' });
		await a.relationships.decompose(id);
		await gone();
	});

	it('removes nothing when the Backbone never heard of it', async () => {
		cut('cutBefore');
		await expect(a.relationships.decompose(id)).rejects.toMatchObject({ kind: 'unavailable' });
		await a.account.sync();
		passedMs = 120_000;
		await a.account.sync();
		expect(await a.relationships.get(id)).toMatchObject({ status: 'Terminated' });
		const looks = () => network.backbone.calls.count('GET', /Relationships/);
		const before = looks();
		await a.account.sync();
		expect(looks()).toBe(before);
		await a.relationships.decompose(id);
		await gone();
	});

	it('removes it, too, when the Backbone has forgotten it', async () => {
		network.backbone.state.relationships.delete(id);
		await a.relationships.decompose(id);
		expect(await a.relationships.list()).toEqual([]);
	});

	it('asks no more for the end of another action when the Backbone has forgotten it', async () => {
		network.backbone.faults.add({
			method: 'PUT',
			path: /reactivate/i,
			action: { kind: 'cutBefore' },
		});
		await expect(a.relationships.requestReactivation(id)).rejects.toThrow();
		network.backbone.state.relationships.delete(id);
		passedMs = 120_000;
		await settle(a);
		const looks = () => network.backbone.calls.count('GET', /Relationships/);
		const before = looks();
		await settle(a);
		expect(looks()).toBe(before);
		expect(await a.relationships.get(id)).toMatchObject({ status: 'Terminated' });
	});

	it('is done once when it is asked for twice at the same time', async () => {
		await Promise.all([a.relationships.decompose(id), a.relationships.decompose(id)]);
		await gone();
	});

	it('says what the peer has done meanwhile', async () => {
		await a.relationships.requestReactivation(id);
		await settle(b);
		await b.relationships.acceptReactivation(id);
		await expect(a.relationships.decompose(id)).rejects.toMatchObject({ code: wrongStatus });
		expect(await a.relationships.get(id)).toMatchObject({ status: 'Active' });
	});

	it('is done by any other action on a backup that does not know of it', async () => {
		const row = network.backbone.state.relationships.get(id);
		row?.decomposedBy.push(addressA);
		if (row !== undefined) row.status = 'DeletionProposed';
		const request = a.relationships.requestReactivation(id);
		await expect(request).rejects.toMatchObject({ code: unknown });
		expect(await a.relationships.list()).toEqual([]);
	});
});

describe('decomposing while something is under way', () => {
	/** Opens everything with a Backbone whose calls of one kind are held back once they are answered. */
	async function openHeld(
		name: string,
	): Promise<{ hold(): { readonly answered: Promise<void>; release(): void } }> {
		let answer: () => void = () => undefined;
		let held: Promise<void> | undefined;
		const around = async (called: string, call: () => Promise<unknown>): Promise<unknown> => {
			const result = await call();
			if (called !== name) return result;
			answer();
			await held;
			return result;
		};
		await open({ openBackbone: (settings) => watchBackbone(HttpBackbone.open(settings), around) });
		return {
			hold: () => {
				let release: () => void = () => undefined;
				held = new Promise((resolve) => (release = resolve));
				const answered = new Promise<void>((resolve) => (answer = resolve));
				return { answered, release };
			},
		};
	}

	it('keeps the relationship away that a sync has just fetched', async () => {
		const backbone = await openHeld('relationships.get');
		await a.relationships.terminate(id);
		await settle(b);
		await b.relationships.requestReactivation(id);
		const { answered, release } = backbone.hold();
		const syncing = arrivals(a);
		await answered;
		await a.relationships.decompose(id);
		release();
		expect(await syncing).toMatchObject({ relationships: [], pendingFailures: [] });
		expect(await a.relationships.list()).toEqual([]);
	});

	it('keeps the message away that is just being sent', async () => {
		const backbone = await openHeld('messages.send');
		const { answered, release } = backbone.hold();
		const sending = a.messages.send(mailTo(addressB));
		await answered;
		await a.relationships.terminate(id);
		await a.relationships.decompose(id);
		release();
		expect(await sending).toMatchObject({ isOwn: true });
		expect(await a.messages.list()).toEqual([]);
		expect(rowsWith(addressB)).toEqual([]);
	});
});

describe('the collections of the store', () => {
	/** What decomposing does with each; a new one has to be thought of. */
	const fates: Readonly<Record<CollectionName, string>> = {
		accessKeys: 'are our own',
		attributeListeners: 'attributeHoldings',
		attributes: 'attributeHoldings',
		auditChain: 'is about no peer',
		auditEntries: 'keep ids and addresses, no contents, until their retention (docs/adr/0051)',
		deletionProcesses: 'are our own',
		drafts: 'are our own',
		files: 'stay (docs/protocol/transport.md 6.4)',
		hostedAccounts: 'are our own',
		idempotencyKeys: 'IdempotencyService',
		identity: 'is our own',
		identityMetadata: 'IdentityMetadataService',
		inbox: 'leaveRelationship',
		localNotifications: 'LocalNotificationService',
		messages: 'messageHoldings',
		relationshipIntents: 'templateHoldings',
		relationships: 'leaveRelationship',
		requests: 'RequestExchange',
		sendIntents: 'messageHoldings',
		settings: 'SettingService',
		syncState: 'is about no peer',
		templates: 'templateHoldings',
		tokens: 'TokenService',
		waits: 'WaitService',
		webhooks: 'name people whom a client has chosen; an erasure replaces their names',
		work: 'ends with the record that it is about',
	};

	it('are all thought of when a relationship is decomposed', () => {
		expect(Object.keys(collections).sort()).toEqual(Object.keys(fates));
	});
});
