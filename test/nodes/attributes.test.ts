import { settle } from '../support/gateways';
import type { IDataObject } from 'n8n-workflow';
import { EnmeshedTrigger } from '../../nodes/Enmeshed/EnmeshedTrigger.node';
import { methods } from '../../nodes/Enmeshed/methods';
import { triggerFields } from '../../nodes/Enmeshed/trigger/trigger-fields';
import {
	defaultsOf,
	loadOptionsFunctions,
	triggerFunctions,
	type TriggerStub,
} from '../support/n8n/n8n-functions';
import { until } from '../support/until';
import { NodeBench } from './support/node-bench';

jest.setTimeout(60_000);

let bench: NodeBench;
let own: string;
let peer: string;
const open: Array<{ closeFunction?: () => Promise<void> }> = [];

beforeAll(async () => {
	bench = await NodeBench.open();
	const { relationshipId, address } = await bench.connect();
	peer = address;
	await bench.run('relationship', 'accept', { relationship: locator(relationshipId) });
	await settle(bench.wallet);
	own = String((await bench.one('account', 'getIdentity'))['address']);
});

afterEach(async () => {
	for (const trigger of open.splice(0)) await trigger.closeFunction?.();
});

afterAll(async () => {
	await bench?.close();
});

const locator = (value: unknown) => ({ __rl: true, mode: 'id', value });
const toPeer = () => ({ __rl: true, mode: 'address', value: peer });

const createName = (value: string) =>
	bench.one('attribute', 'create', { valueType: 'DisplayName', value });

async function search(method: string, filter = '') {
	const list = methods.listSearch?.[method];
	const functions = loadOptionsFunctions({ credentials: bench.credential });
	return (await list?.call(functions, filter))?.results ?? [];
}

async function listen(events: string[]): Promise<TriggerStub> {
	const stub = triggerFunctions({
		credentials: bench.credential,
		node: { id: events.join() },
		parameters: { ...defaultsOf(triggerFields), events },
	});
	stub.onEmit = (emission) => emission.settle({ status: 'success' });
	const started = await new EnmeshedTrigger().trigger.call(stub.functions);
	open.push(started as { closeFunction?: () => Promise<void> });
	return stub;
}

const emitted = (stub: TriggerStub): IDataObject[] =>
	stub.emissions.flatMap(({ items }) => items.map(({ json }) => json));

/** Shares it, and the wallet takes it. */
async function shareWithWallet(id: unknown): Promise<void> {
	const request = await bench.one('message', 'sendRequest', {
		to: toPeer(),
		requestItems: { items: [{ kind: 'share', attribute: locator(id) }] },
		options: { title: 'Who we are' },
	});
	expect(request).toMatchObject({ status: 'Open', peer, title: 'Who we are' });
	await settle(bench.wallet);
	const items = [{ accept: true }];
	await bench.wallet.incomingRequests.accept(String(request['id']), { items });
	await bench.settle();
}

describe('an own attribute', () => {
	it('with several parts is created, found by its type, and updated', async () => {
		const parts = { city: 'Heidelberg', zipCode: '69115', country: 'DE', recipient: 'Office' };
		const created = await bench.one('attribute', 'create', {
			valueType: 'StreetAddress',
			...parts,
			street: 'Main Street',
			houseNo: '1',
			options: { tags: 'x:work' },
		});
		expect(created).toMatchObject({ type: 'StreetAddress', tags: ['x:work'] });
		const updated = await bench.one('attribute', 'update', {
			attribute: locator(created['id']),
			valueType: 'StreetAddress',
			...parts,
			street: 'New Street',
			houseNo: '2',
		});
		expect(updated).toMatchObject({
			type: 'StreetAddress',
			value: { ...parts, street: 'New Street', houseNo: '2' },
			tags: ['x:work'],
			predecessorId: created['id'],
			previousValue: { street: 'Main Street' },
		});
		const versions = await bench.run('attribute', 'get', {
			attribute: locator(created['id']),
			versions: 'all',
		});
		expect(versions.map(({ json }) => json['id'])).toEqual([updated['id'], created['id']]);
		const addresses = (filters: IDataObject) =>
			bench.run('attribute', 'getAll', { filters: { valueTypes: ['StreetAddress'], ...filters } });
		expect(await addresses({})).toHaveLength(1);
		expect(await addresses({ includeOld: true })).toHaveLength(2);
	});

	it.each([
		[
			'BankAccount',
			{ accountHolder: 'Ada', iban: 'DE79100000000000424242' },
			{ text: 'Ada, DE79100000000000424242', accountHolder: 'Ada', iban: 'DE79100000000000424242' },
		],
		['MaritalStatus', {}, 'single'],
		['SchematizedJSON', { jsonValue: '{"room":"B12"}' }, { room: 'B12' }],
		[
			'SchematizedJSON',
			{ jsonValue: [1], schemaUrl: 'https://schemas.example/visit' },
			{ value: [1], schemaURL: 'https://schemas.example/visit' },
		],
		[
			'VerifiableCredential',
			{ value: 'e30.e30.c2ln~' },
			{ value: 'e30.e30.c2ln~', type: 'dc+sd-jwt' },
		],
		[
			'VerifiableCredential',
			{ value: 'e30.e30.c2ln~a', displayInformation: '[{"name":"Staff card"}]' },
			{
				text: 'Staff card',
				value: 'e30.e30.c2ln~a',
				type: 'dc+sd-jwt',
				displayInformation: [{ name: 'Staff card' }],
			},
		],
	])('of the type %s is entered in the form, and shown', async (valueType, entered, value) => {
		const created = await bench.one('attribute', 'create', { valueType, ...entered });
		expect(created).toMatchObject({ type: valueType });
		expect(created['value']).toEqual(value);
	});

	it('with an IBAN that does not exist is refused by the name of the field', async () => {
		const account = { valueType: 'BankAccount', accountHolder: 'Ada', iban: 'DE00' };
		await expect(bench.one('attribute', 'create', account)).rejects.toMatchObject({
			message: expect.stringContaining('IBAN') as string,
		});
	});

	it('is shared, updated, and the peer is told of the new version', async () => {
		const name = await createName('Example Org');
		await shareWithWallet(name['id']);
		const changed = await bench.one('attribute', 'update', {
			attribute: locator(name['id']),
			value: 'Example Inc',
		});
		expect(changed).not.toHaveProperty('notifiedPeers');
		const [copy, ...others] = await bench.run('attribute', 'get', {
			attribute: locator(changed['id']),
			versions: 'shared',
		});
		expect(others).toEqual([]);
		expect(copy?.json).toMatchObject({ value: 'Example Org', peer });
		expect(await search('searchSharedAttributes', 'example')).toEqual([
			{
				name: `Display Name: Example Org (shared with …${peer.slice(-8)})`,
				value: copy?.json['id'],
			},
		]);
		const notified = await bench.one('attribute', 'update', {
			attribute: locator(changed['id']),
			value: 'Example Ltd',
			options: { notifyPeers: true },
		});
		expect(notified).toMatchObject({
			value: 'Example Ltd',
			previousValue: 'Example Inc',
			predecessorId: changed['id'],
			notifiedPeers: [peer],
		});
		const shared = { attribute: locator(notified['id']), versions: 'shared' };
		const options = { includeOld: true, peer };
		expect(await bench.run('attribute', 'get', { ...shared, options })).toHaveLength(2);
		const [latest] = await bench.run('attribute', 'get', shared);
		expect(latest?.json).toMatchObject({ value: 'Example Ltd', peer });
		await settle(bench.wallet);
		const atWallet = await bench.wallet.attributes.get(String(latest?.json['id']));
		expect(atWallet.content).toMatchObject({ value: { value: 'Example Ltd' } });
	});

	it('is created or updated by its type, and peers that have it are notified once', async () => {
		const website = (value: string, options: IDataObject = {}) =>
			bench.one('attribute', 'upsert', { valueType: 'Website', value, options });
		const created = await website('https://example.com');
		expect(created).toMatchObject({ type: 'Website', result: 'created' });
		expect(await website('https://example.com')).toMatchObject({
			id: created['id'],
			result: 'unchanged',
		});
		await shareWithWallet(created['id']);
		const updated = await website('https://example.org', { tags: 'x:new' });
		expect(updated).toMatchObject({
			result: 'updated',
			value: 'https://example.org',
			previousValue: 'https://example.com',
			tags: ['x:new'],
		});
		expect(updated).not.toHaveProperty('notifiedPeers');
		const notify = { notifyPeers: true };
		expect(await website('https://example.org', notify)).toMatchObject({
			id: updated['id'],
			result: 'unchanged',
			notifiedPeers: [peer],
		});
		expect(await website('https://example.org', notify)).toMatchObject({ notifiedPeers: [] });
		await settle(bench.wallet);
		const [atWallet] = await bench.wallet.attributes.list({
			where: [{ field: 'valueType', op: 'eq', value: 'Website' }],
			onlyLatestVersions: true,
		});
		expect(atWallet?.content).toMatchObject({ value: { value: 'https://example.org' } });
	});

	it('is offered for a new version, its parts and the copies that peers have are not', async () => {
		const name = await createName('Offered Once');
		await shareWithWallet(name['id']);
		expect(await search('searchAllAttributes', 'offered once')).toHaveLength(2);
		expect(await search('searchOwnAttributes', 'offered once')).toEqual([
			{ name: 'Display Name: Offered Once', value: name['id'] },
		]);
		const parts = { valueType: 'BirthPlace' as const, city: 'Zagreb', country: 'HR' };
		await bench.one('attribute', 'create', parts);
		const offered = await search('searchOwnAttributes', 'zagreb');
		expect((await search('searchAllAttributes', 'zagreb')).length).toBeGreaterThan(offered.length);
		expect(offered).toHaveLength(1);
	});

	it('is deleted, and a peer that has it is told', async () => {
		const unshared = await createName('Not shared');
		expect(await bench.one('attribute', 'delete', { attribute: locator(unshared['id']) })).toEqual({
			deleted: true,
		});
		const shared = await bench.one('attribute', 'create', { valueType: 'JobTitle', value: 'x' });
		await shareWithWallet(shared['id']);
		const [copy] = await bench.run('attribute', 'get', {
			attribute: locator(shared['id']),
			versions: 'shared',
		});
		const attribute = locator(copy?.json['id']);
		expect(await bench.one('attribute', 'delete', { attribute })).toEqual({
			deleted: true,
			notificationId: expect.stringMatching(/^NOT/),
		});
		await settle(bench.wallet);
		expect(await bench.wallet.attributes.get(String(copy?.json['id']))).toMatchObject({
			deletionInfo: { deletionStatus: 'DeletedByOwner' },
		});
	});
});

describe('an attribute of a relationship', () => {
	it('is created with the peer, found by its key, and updated', async () => {
		const sent = await bench.one('message', 'sendRequest', {
			to: toPeer(),
			requestItems: {
				items: [
					{
						kind: 'createRelationshipAttribute',
						key: 'customerNumber',
						attributeTitle: 'Customer number',
						owner: 'me',
						confidentiality: 'public',
						relationshipValueType: 'ProprietaryString',
						value: '4711',
					},
				],
			},
		});
		await settle(bench.wallet);
		await bench.wallet.incomingRequests.accept(String(sent['id']), { items: [{ accept: true }] });
		await bench.settle();
		const [listed] = await bench.run('attribute', 'getAll', {
			kind: 'sharedWithPeers',
			filters: { valueTypes: ['ProprietaryString'] },
		});
		const found = listed?.json ?? {};
		expect(found).toMatchObject({ type: 'customerNumber', owner: own, peer });
		const offered = await search('searchOwnAttributes', '4711');
		expect(offered.map(({ value }) => value)).toEqual([found['id']]);
		const updated = await bench.one('attribute', 'update', {
			attribute: locator(found['id']),
			attributeKind: 'relationship',
			value: '4712',
		});
		expect(updated).toMatchObject({
			predecessorId: found['id'],
			value: { title: 'Customer number', value: '4712' },
			notificationId: expect.stringMatching(/^NOT/),
		});
	});
});

describe('an attribute of a peer', () => {
	it('starts workflows when it is shared, changed and deleted', async () => {
		const shared = await listen(['peer.attributeShared']);
		const changed = await listen(['peer.attributeChanged']);
		const deleted = await listen(['peer.attributeDeleted']);
		const value = (name: string) => ({ value: { '@type': 'GivenName' as const, value: name } });
		const name = await bench.wallet.attributes.create({ content: value('Ada') });
		const request = await bench.wallet.attributes.share(name.id, { peer: own });
		await bench.settle();
		await bench.run('incomingRequest', 'accept', { request: locator(request.id) });
		await until(() => shared.emissions.length === 1);
		const { attributeId } = emitted(shared)[0] ?? {};
		expect(emitted(shared)).toMatchObject([
			{ peer, peerName: 'Ada', attributeType: 'GivenName', value: 'Ada' },
		]);
		expect(await search('searchAllAttributes', 'given name: ada')).toEqual([
			{ name: `Given Name: Ada (of Ada …${peer.slice(-8)})`, value: attributeId },
		]);
		expect(await search('searchOwnAttributes', 'given name: ada')).toEqual([]);

		await settle(bench.wallet);
		const succeeded = await bench.wallet.attributes.succeed(name.id, {
			successorContent: value('Augusta'),
		});
		await bench.wallet.attributes.notifyPeer(succeeded.successor.id, { peer: own });
		await bench.settle();
		await until(() => changed.emissions.length === 1);
		expect(emitted(changed)).toMatchObject([
			{ peer, attributeType: 'GivenName', value: 'Augusta', previousValue: 'Ada' },
		]);
		const [copy] = await bench.wallet.attributes.sharedVersions(succeeded.successor.id);
		await bench.wallet.attributes.deleteOwnShared(String(copy?.id));
		await bench.settle();
		await until(() => deleted.emissions.length === 1);
		expect(emitted(deleted)).toMatchObject([
			{ peer, attributeId: copy?.id, attributeType: 'GivenName', value: 'Augusta' },
		]);
		expect(shared.emissions).toHaveLength(1);

		const attribute = locator(copy?.id);
		expect(await bench.one('attribute', 'delete', { attribute })).toMatchObject({ deleted: true });
	});
});

describe('the lists of codes', () => {
	it('show countries and languages by their names', async () => {
		expect(await search('searchCountries', 'germ')).toEqual([{ name: 'Germany', value: 'DE' }]);
		expect(await search('searchLanguages', 'german')).toEqual([{ name: 'German', value: 'de' }]);
		expect(await search('searchCountries')).toHaveLength(249);
	});
});
