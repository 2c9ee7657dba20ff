import type { Gateway, GatewayConfigInput } from '../../../core';
import { systemClock } from '../../../core/base/clock';
import { systemRandom } from '../../../core/base/random';
import { parseGatewayConfig } from '../../../core/config';
import { deletedIdentityPseudonyms } from '../../../core/model/address';
import type { AttributeRecord } from '../../../core/model/record/attribute';
import { openStore } from '../../../core/store/open-store';
import { arrivals, inOneHour, mailTo, SandboxNetwork, settle } from '../../support/gateways';
import { describeWithPostgres, TestDatabase } from '../../support/postgres/postgres';
import { dumpPostgres, dumpSqlite, foundIn } from '../at-rest/dumps';
import { ask, makeForPerson, meetPeople, sendFile, type People } from './people';

jest.setTimeout(120_000);

/* docs/operations.md, 'What an account has about a person' */

const stranger = `did:e:localhost:dids:${'0'.repeat(22)}`;
const pseudonym = deletedIdentityPseudonyms('localhost').client;

let network: SandboxNetwork;
let folder: string;
let config: GatewayConfigInput;
let gateway: Gateway;
let people: People;

async function open(store: Partial<GatewayConfigInput> = {}): Promise<void> {
	network = await SandboxNetwork.open({ maxMessageRecipients: 2 });
	folder = network.newFolder();
	// In clear, because traces are looked for in the rows.
	config = { ...network.config(folder), sealContents: false, ...store };
	gateway = await network.gateway(config);
	people = await meetPeople(gateway, await network.gateway(), await network.gateway());
}

afterEach(() => network.close());

const erase = (input = {}) => gateway.contacts.erase(people.addressOfLin, input);

async function end(): Promise<void> {
	await gateway.relationships.terminate(people.relationshipOfLin);
}

/** Something of everything that names the person, beside what is about the other one. */
async function leaveTraces(): Promise<Readonly<Record<string, string>>> {
	const { lin, addressOfLin, addressOfOther, own } = people;
	await sendFile(gateway, addressOfLin, 'certificate of Lin');
	await sendFile(lin, own, 'photo of Lin');
	await settle(gateway);
	const consent = {
		'@type': 'ConsentRequestItem',
		mustBeAccepted: true,
		consent: 'newsletter for Lin',
	};
	await ask(gateway, lin, addressOfLin, consent, { accept: true });
	const recipients = [addressOfLin, addressOfOther];
	const group = { '@type': 'Mail' as const, to: recipients, subject: 'to both', body: 'x' };
	await gateway.messages.send({ recipients, content: group });
	await makeForPerson(gateway, addressOfLin);
	await gateway.identityMetadata.upsert({
		reference: addressOfLin,
		key: 'note',
		value: 'note on Lin',
	});
	await gateway.settings.create({ key: 'favourite', value: { address: addressOfLin } });
	await gateway.drafts.create({ type: 'later', content: { to: addressOfLin } });
	await gateway.messages.send(mailTo(addressOfLin, 'a question'), {
		wait: {
			...{ id: 'node', key: 'key', note: {}, resumeUrl: 'http://127.0.0.1:1/resume' },
			reminder: { at: inOneHour(), subject: 'Lin, an answer?', body: 'remember, Lin' },
		},
	});
	await loadFrom(lin);
	await forward(addressOfLin, addressOfOther);
	await settle(lin, people.otherLin);
	await arrivals(gateway);
	return {
		address: addressOfLin,
		'file of this account': 'certificate of Lin',
		'file of the person': 'photo of Lin',
		consent: 'newsletter for Lin',
		metadata: 'note on Lin',
		template: 'only for one person',
		'question that waits': 'a question',
		'reminder of a wait': 'remember, Lin',
		'template of the person': 'template by Lin',
		'attribute that was forwarded': 'number of Lin',
	};
}

/** What the person has made and this account has loaded. */
async function loadFrom(person: Gateway): Promise<void> {
	const content = {
		'@type': 'ArbitraryRelationshipTemplateContent' as const,
		value: 'template by Lin',
	};
	const template = await person.templates.create({ expiresAt: inOneHour(), content });
	await gateway.templates.loadPeer({ reference: template.truncatedReference });
	const token = await person.tokens.create({ content: { of: 'Lin' }, expiresAt: inOneHour() });
	await gateway.tokens.loadPeer({ reference: token.truncatedReference, ephemeral: false });
}

/** A copy of an attribute of one relationship that another person has. */
async function forward(thirdPartyAddress: string, peer: string): Promise<void> {
	const store = await openStore(parseGatewayConfig(config), {
		clock: systemClock,
		random: systemRandom,
	});
	const record: AttributeRecord = {
		id: 'ATT00000000000000001',
		createdAt: '2030-01-01T00:00:00.000Z',
		content: {
			'@type': 'RelationshipAttribute',
			owner: thirdPartyAddress,
			key: 'number',
			confidentiality: 'public',
			isTechnical: false,
			value: { '@type': 'ProprietaryString', title: 'Number', value: 'number of Lin' },
		},
		shareInfo: { peer, thirdPartyAddress, sourceAttribute: 'ATT00000000000000002' },
	};
	await store.transact((tx) => tx.attributes.insert(record, undefined));
	await store.close();
}

async function expectGone(dump: () => Promise<readonly string[]>): Promise<void> {
	const { relationshipOfLin, addressOfOther } = people;
	const traces = await leaveTraces();
	await gateway.messages.send(mailTo(addressOfOther, 'to the other Lin'));
	await gateway.relationships.terminate(relationshipOfLin);
	const receipt = await erase({ decomposeIfEnded: true, deleteSentFiles: true });
	expect(receipt.remains.map(({ kind }) => kind)).toEqual(
		expect.arrayContaining(['decomposition', 'events', 'messages', 'settings', 'drafts', 'waits']),
	);
	await gateway.close();
	const left = await dump();
	expect(foundIn(left, traces)).toEqual([]);
	expect(foundIn(left, { other: 'to the other Lin', both: 'to both', name: 'Lin Chen' })).toEqual([
		'both',
		'name',
		'other',
	]);
}

describe('the erasure of a person', () => {
	it('is refused while the relationship is active, and says what to do', async () => {
		await open();
		await expect(erase({ decomposeIfEnded: true })).rejects.toMatchObject({
			code: 'error.gateway.contacts.notEnded',
			facts: { status: 'Active', relationshipId: people.relationshipOfLin },
		});
		await end();
		await expect(erase()).rejects.toMatchObject({ code: 'error.gateway.contacts.notDecomposed' });
		expect((await gateway.contacts.get(people.addressOfLin)).status).toBe('Terminated');
	});

	it('leaves nothing of the person in a database in SQLite, and all of another of the same name', async () => {
		await open();
		await expectGone(() => Promise.resolve(dumpSqlite(folder)));
	});

	it.each([
		['in clear', false],
		['sealed', true],
	])(
		'tells what it has erased and what remains, with contents %s, and the same when it is repeated',
		async (_how, sealContents) => {
			await open({ sealContents });
			const { addressOfLin, addressOfOther, relationshipOfLin } = people;
			await leaveTraces();
			await end();
			await gateway.relationships.decompose(relationshipOfLin);
			const receipt = await erase();
			expect(receipt).toMatchObject({
				address: addressOfLin,
				erasedAt: expect.any(String) as string,
			});
			expect(receipt.erased).toEqual([
				{ kind: 'tokens', count: 1 },
				{ kind: 'files', count: 1 },
				{ kind: 'templates', count: 1 },
				{ kind: 'attributes', count: 1 },
			]);
			expect(receipt.remains).toEqual([
				{ kind: 'messages', count: 1, reason: expect.stringContaining('pseudonym') as string },
				{ kind: 'settings', count: 1, reason: expect.any(String) as string },
				{ kind: 'drafts', count: 1, reason: expect.any(String) as string },
				{
					kind: 'decomposition',
					count: 1,
					reason: expect.stringContaining('hash') as string,
					until: expect.stringMatching(/Z$/) as string,
				},
			]);
			const again = await erase();
			expect({ ...again, erasedAt: receipt.erasedAt }).toEqual(receipt);
			const [toBoth] = await gateway.messages.list({ query: { 'content.subject': 'to both' } });
			expect(toBoth?.content).toMatchObject({ to: [pseudonym, addressOfOther] });
			expect(await gateway.contacts.get(addressOfOther)).toMatchObject({ name: 'Lin Chen' });
			expect(JSON.stringify(await gateway.events.recent({}, 1000))).not.toContain(addressOfLin);
		},
	);

	it('keeps own files that the person got, unless they are to be deleted', async () => {
		await open();
		const { fileId } = await sendFile(gateway, people.addressOfLin, 'for Lin only');
		const shared = await sendFile(gateway, people.addressOfLin, 'for both');
		await gateway.messages.send({
			...mailTo(people.addressOfOther),
			attachments: [shared.fileId],
		});
		await end();
		const receipt = await erase({ decomposeIfEnded: true });
		expect(receipt.remains).toContainEqual(
			expect.objectContaining({ kind: 'sentFiles', count: 1 }),
		);
		expect(receipt.erased).toEqual(
			expect.arrayContaining([
				{ kind: 'messages', count: 4 },
				{ kind: 'requests', count: 1 },
				{ kind: 'attributes', count: 1 },
				{ kind: 'relationships', count: 1 },
			]),
		);
		expect((await gateway.files.list()).map(({ id }) => id).sort()).toEqual(
			[fileId, shared.fileId].sort(),
		);
	});

	it('deletes own files that only the person got, here and at the Backbone', async () => {
		await open();
		const { fileId } = await sendFile(gateway, people.addressOfLin, 'for Lin only');
		const shared = await sendFile(gateway, people.addressOfLin, 'for both');
		await gateway.messages.send({ ...mailTo(people.addressOfOther), attachments: [shared.fileId] });
		await end();
		await erase({ decomposeIfEnded: true, deleteSentFiles: true });
		expect((await gateway.files.list()).map(({ id }) => id)).toEqual([shared.fileId]);
		expect(network.backbone.state.files.has(fileId)).toBe(false);
	});

	it('is completed by a repetition when it was interrupted', async () => {
		await open();
		const traces = await leaveTraces();
		await end();
		network.backbone.faults.add({
			method: 'DELETE',
			path: /Tokens/,
			action: { kind: 'cutBefore' },
			times: 100,
		});
		await expect(erase({ decomposeIfEnded: true })).rejects.toMatchObject({ kind: 'unavailable' });
		expect(foundIn(dumpSqlite(folder), { address: traces['address'] ?? '' })).toEqual(['address']);
		network.backbone.faults.clear();
		await erase();
		await gateway.close();
		const { 'file of this account': _kept, ...others } = traces;
		expect(foundIn(dumpSqlite(folder), others)).toEqual([]);
	});

	it('is possible for a person who was rejected, whom a later sync does not bring back', async () => {
		await open();
		const eve = await network.gateway();
		const content = { '@type': 'ArbitraryRelationshipTemplateContent' as const, value: 1 };
		const template = await gateway.templates.create({ expiresAt: inOneHour(), content });
		const { id: templateId } = await eve.templates.loadPeer({
			reference: template.truncatedReference,
		});
		const creationContent = {
			'@type': 'ArbitraryRelationshipCreationContent' as const,
			value: 'story of Eve',
		};
		const { id } = await eve.relationships.create({ templateId, creationContent });
		await settle(gateway);
		const { address } = await eve.account.getIdentity();
		await expect(gateway.contacts.erase(address, { decomposeIfEnded: true })).rejects.toMatchObject(
			{
				code: 'error.gateway.contacts.notEnded',
			},
		);
		await gateway.relationships.reject(id);
		await gateway.contacts.erase(address, { decomposeIfEnded: true });
		network.backbone.events.add(people.own, 'RelationshipStatusChanged', { relationshipId: id });
		await settle(gateway);
		await expect(gateway.contacts.get(address)).rejects.toMatchObject({
			code: 'error.gateway.contacts.notFound',
		});
		await gateway.close();
		expect(foundIn(dumpSqlite(folder), { address, story: 'story of Eve' })).toEqual([]);
	});

	it('does not bring the person back when its messages arrive late', async () => {
		await open();
		const { lin, own } = people;
		await lin.messages.send(mailTo(own, 'late mail of Lin'));
		await end();
		await erase({ decomposeIfEnded: true });
		await settle(gateway);
		expect(
			await gateway.messages.list({ query: { 'content.subject': 'late mail of Lin' } }),
		).toEqual([]);
		await gateway.close();
		expect(
			foundIn(dumpSqlite(folder), { late: 'late mail of Lin', address: people.addressOfLin }),
		).toEqual([]);
	});

	it.each([
		['unknown', () => stranger],
		['this account', () => people.own],
		['the pseudonym of deleted identities', () => pseudonym],
	])('of an address that is %s is refused', async (_what, address) => {
		await open();
		await expect(gateway.contacts.erase(address())).rejects.toMatchObject({
			code: 'error.gateway.contacts.notFound',
		});
	});
});

describeWithPostgres('the erasure of a person in PostgreSQL', () => {
	it('leaves nothing of the person', async () => {
		const database = await TestDatabase.create();
		try {
			await open({ store: database.config, passphrase: 'correct horse' });
			await expectGone(() => dumpPostgres(database));
		} finally {
			await database.drop();
		}
	});
});
