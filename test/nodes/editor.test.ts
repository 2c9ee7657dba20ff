import type { Attribute } from '../../core/model/content/attributes';
import { loosely } from '../support/loosely';
import type {
	ICredentialsDecrypted,
	IDataObject,
	INodeListSearchResult,
	INodeProperties,
} from 'n8n-workflow';
import { EnmeshedBackboneApi } from '../../credentials/EnmeshedBackboneApi.credentials';
import { methods } from '../../nodes/Enmeshed/methods';
import { fieldNames } from '../../nodes/Enmeshed/methods/credential-test';
import { toProfile } from '../../core';
import { peerLabel } from '../../nodes/Enmeshed/gateway/peers';
import { settle } from '../support/gateways';
import { loadOptionsFunctions } from '../support/n8n/n8n-functions';
import { NodeBench } from './support/node-bench';

/** Drawing a QR code is slow inside the test runner. */
jest.setTimeout(60_000);

let bench: NodeBench;

beforeAll(async () => {
	bench = await NodeBench.open();
});

afterAll(async () => {
	await bench.close();
});

const search = async (
	method: string,
	filter?: string,
	token?: string,
	credentials: IDataObject = bench.credential,
	parameters: IDataObject = {},
): Promise<INodeListSearchResult> => {
	const list = methods.listSearch?.[method];
	if (list === undefined) throw new Error(`There is no search ${method}`);
	return await list.call(loadOptionsFunctions({ credentials, parameters }), filter, token);
};

/** Values of a list for a field of the operation. */
const offered = async (
	method: string,
	operation: string,
	choice: IDataObject = {},
): Promise<unknown[]> => {
	const parameters = { operation, ...choice };
	const { results } = await search(method, '', undefined, bench.credential, parameters);
	return results.map(({ value }) => value);
};

describe('the lists of the editor', () => {
	it('show own attributes by type and value', async () => {
		const { id } = await bench.one('attribute', 'create', {
			valueType: 'DisplayName',
			value: 'Example Organisation',
		});
		const entry = { name: 'Display Name: Example Organisation', value: id };
		expect(await search('searchAttributes')).toEqual({ results: [entry] });
		expect(await search('searchAttributes', 'organi')).toEqual({ results: [entry] });
		expect(await search('searchAttributes', 'stranger')).toEqual({ results: [] });
	});

	it('show templates by title, page by page', async () => {
		const create = (title: string) =>
			bench.one('relationshipTemplate', 'create', {
				contentMode: 'json',
				content: JSON.stringify({
					'@type': 'RelationshipTemplateContent',
					title,
					onNewRelationship: {
						'@type': 'Request',
						items: [
							{
								'@type': 'ReadAttributeRequestItem',
								mustBeAccepted: true,
								query: { '@type': 'IdentityAttributeQuery', valueType: 'GivenName' },
							},
						],
					},
				}),
				expires: 'onDate',
				expiresAt: '2099-01-31T12:00:00Z',
			});
		const hall = await create('Poster in the hall');
		await create('Newsletter');
		expect(await search('searchTemplates', 'poster')).toEqual({
			results: [{ name: 'Poster in the hall (until 2099-01-31)', value: hall['id'] }],
		});
		const all = await search('searchTemplates');
		expect(all.results).toHaveLength(2);
		expect(all.paginationToken).toBeUndefined();
		expect((await search('searchTemplates', '', '50')).results).toEqual([]);
	});

	it('show relationships and peers by name or address, with their state', async () => {
		const { relationshipId, address } = await bench.connect();
		const name = `Unnamed peer …${address.slice(-8)} (pending)`;
		expect(await search('searchRelationships')).toEqual({
			results: [{ name, value: relationshipId }],
		});
		expect(await search('searchPeers', address.slice(-10))).toEqual({
			results: [{ name, value: address }],
		});
		expect((await search('searchRelationships', relationshipId)).results).toHaveLength(1);
		expect((await search('searchRelationships', 'another person')).results).toEqual([]);
	});

	it('offer only peers that can be reached for mail, and what can be done with a relationship', async () => {
		expect((await search('searchActivePeers')).results).toEqual([]);
		const [relationship] = (await search('searchRelationships')).results;
		const id = relationship?.value;
		const choices: Record<string, IDataObject> = {
			accept: { operation: 'accept' },
			reject: { operation: 'reject' },
			revoke: { operation: 'end', ending: 'revoke' },
			terminate: { operation: 'end', ending: 'terminate' },
			decompose: { operation: 'end', ending: 'decompose' },
			requestReactivation: { operation: 'reactivate', step: 'requestReactivation' },
		};
		const allowed = async (): Promise<string[]> => {
			const lists = await Promise.all(
				Object.entries(choices).map(async ([action, { operation, ...choice }]) => ({
					action,
					ids: await offered('searchRelationships', String(operation), choice),
				})),
			);
			return lists.filter(({ ids }) => ids.includes(id)).map(({ action }) => action);
		};
		expect(await allowed()).toEqual(['accept', 'reject']);
		await bench.run('relationship', 'accept', { relationship: id });
		expect(await allowed()).toEqual(['terminate']);
		expect(await offered('searchRelationships', 'get')).toEqual([id]);
		expect((await search('searchActivePeers')).results).toMatchObject([
			{ name: expect.stringMatching(/\(active\)$/) },
		]);
	});

	it('say in the dropdown why they are empty', async () => {
		const credential = { ...bench.credential, accountName: 'other', clientSecret: 'wrong' };
		await expect(search('searchPeers', '', undefined, credential)).rejects.toMatchObject({
			context: { code: 'error.transport.general.platformClientInvalid' },
		});
	});

	it('offer several people by name', async () => {
		const load = methods.loadOptions['loadActivePeers'];
		const people = await load?.call(loadOptionsFunctions({ credentials: bench.credential }));
		const [{ results }] = [await search('searchActivePeers')];
		const address = String(results[0]?.value);
		expect(people).toEqual([{ name: `Unnamed peer …${address.slice(-8)}`, value: address }]);
	});

	it('show files, whose value is the reference', async () => {
		const { id } = await bench.one('file', 'upload', { source: 'text', text: 'Terms' });
		const { truncatedReference } = await bench.one('file', 'get', {
			file: { __rl: true, mode: 'id', value: id },
		});
		expect(await search('searchFiles')).toEqual({ results: [{ name: 'text.txt', value: id }] });
		expect(await search('searchFileReferences', String(id))).toEqual({
			results: [{ name: 'text.txt', value: truncatedReference }],
		});
		expect(await search('searchFileReferences', 'invoice')).toEqual({ results: [] });
	});

	it('show messages by subject, the newest first', async () => {
		const { results: peers } = await search('searchActivePeers');
		const to = { __rl: true, mode: 'address', value: peers[0]?.value };
		await bench.one('message', 'sendMail', { to, subject: 'First', body: 'b' });
		const second = await bench.one('message', 'sendMail', { to, subject: 'Second', body: 'b' });
		expect(await search('searchMessages', 'sec')).toEqual({
			results: [{ name: expect.stringMatching(/^Second \(to /), value: second['id'] }],
		});
		expect(await offered('searchMessages', 'downloadAttachment')).toEqual([]);
		const all = await search('searchMessages');
		expect(all.results.map((entry) => entry.name.split(' ')[0])).toEqual(['Second', 'First']);
	});
});

describe('the lists of the editor, after some time', () => {
	afterEach(() => {
		jest.useRealTimers();
	});

	it('offer what has expired only to operations that need no valid one', async () => {
		const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
		const expires = { expires: 'onDate', expiresAt };
		const made = {
			searchTemplates: await bench.one('relationshipTemplate', 'create', {
				contentMode: 'json',
				content: '{ "@type": "ArbitraryRelationshipTemplateContent", "value": 1 }',
				...expires,
			}),
			searchFiles: await bench.one('file', 'upload', {
				source: 'text',
				text: 'offer',
				options: { expiresAt },
			}),
		};
		// Timers go on as they are: the Backbone and the gateways need them.
		const doNotFake: FakeableAPI[] = ['nextTick', 'setImmediate', 'setTimeout', 'setInterval'];
		for (const [hours, isOffered] of [
			[0, true],
			[2, false],
		] as const) {
			jest.useFakeTimers({ now: Date.now() + hours * 3_600_000, doNotFake });
			for (const [method, { id }] of Object.entries(made)) {
				const usable = (await offered(method, 'use')).includes(id);
				expect({ method, usable }).toEqual({ method, usable: isOffered });
				expect(await offered(method, 'get')).toContain(id);
			}
			jest.useRealTimers();
		}
	});
});

describe('what peers write', () => {
	it('neither turns the text of a list nor becomes an expression', async () => {
		const { address } = await bench.one('account', 'getIdentity');
		const subject = '=\u202e{{ $env.X }}\u202c\n\u0000 bill\u200f';
		await settle(bench.wallet);
		await bench.wallet.messages.send({
			recipients: [String(address)],
			content: { '@type': 'Mail', to: [String(address)], subject, body: 'b' },
		});
		await bench.settle();
		const { results } = await search('searchMessages', 'bill');
		expect(results.map(({ name }) => name)).toEqual([
			expect.stringMatching(/^'=\{\{ \$env\.X \}\} {2}bill \(from …\w{8}\)$/),
		]);
	});

	it('stands beside the end of the address, where it is a name', () => {
		const address = `did:e:x.example:dids:${'0'.repeat(14)}abcdef12`;
		expect(peerLabel('Ada', address)).toBe('Ada …abcdef12');
		expect(peerLabel(undefined, address)).toBe('…abcdef12');
	});
});

describe('the name of a peer', () => {
	const shared = (type: string, value: string) => ({
		id: 'ATT00000000000000001',
		createdAt: '2030-01-01T00:00:00.000Z',
		owner: 'did:e:x',
		content: loosely<Attribute>({ '@type': 'IdentityAttribute', value: { '@type': type, value } }),
	});

	it.each([
		[[shared('DisplayName', 'Ada L.'), shared('GivenName', 'Ada')], 'Ada L.'],
		[[shared('Surname', 'Lovelace'), shared('GivenName', 'Ada')], 'Ada Lovelace'],
		[[shared('GivenName', 'Ada')], 'Ada'],
		[[shared('DisplayName', ' '), shared('Surname', 'Lovelace')], 'Lovelace'],
		[[shared('EMailAddress', 'ada@example.org')], undefined],
		[[], undefined],
	])('is made from what it shared (%#)', (attributes, expected) => {
		expect(toProfile(attributes).name).toBe(expected);
	});

	it('comes with the newest value of each type', () => {
		const attributes = [shared('GivenName', 'New'), shared('GivenName', 'Old')];
		expect(toProfile(attributes).sharedAttributes).toEqual({ GivenName: 'New' });
	});

	it('is not disturbed by values with several parts', () => {
		const birth = {
			...shared('x', ''),
			content: loosely<Attribute>({
				value: { '@type': 'BirthDate', day: 1, month: 2, year: 1990 },
			}),
		};
		expect(toProfile([birth]).sharedAttributes).toEqual({
			BirthDate: { day: 1, month: 2, year: 1990 },
		});
	});
});

describe('the credential test', () => {
	const test = async (changes: IDataObject) => {
		const data = { ...bench.credential, ...changes };
		const credential: ICredentialsDecrypted = {
			id: '1',
			name: 'Test',
			type: 'enmeshedBackboneApi',
			data: data as NonNullable<ICredentialsDecrypted['data']>,
		};
		return await methods.credentialTest?.['enmeshedBackboneApiTest']?.call({} as never, credential);
	};

	it('says who the account is', async () => {
		const { address } = await bench.one('account', 'getIdentity');
		expect(await test({})).toEqual({
			status: 'OK',
			message: `Connected to Backbone 6 as ${String(address)}`,
		});
	});

	it('creates no identity', async () => {
		const before = bench.network.backbone.calls.count('POST', /Identities/);
		expect(await test({ accountName: 'never-used' })).toEqual({
			status: 'OK',
			message: 'Connected to Backbone 6. No identity yet; it is created on first use.',
		});
		expect(bench.network.backbone.calls.count('POST', /Identities/)).toBe(before);
	});

	it.each([
		[{ backboneUrl: '' }, 'Backbone URL'],
		[{ backboneUrl: 'no address' }, 'Backbone URL'],
		[{ backboneUrl: 'http://localhost:1' }, 'Backbone URL'],
		[{ clientId: '' }, 'Client ID'],
		[{ clientId: 'wrong-id' }, 'Client ID or Client Secret'],
		[{ clientSecret: '' }, 'Client Secret'],
		[{ clientSecret: 'wrong-secret-value' }, 'Client ID or Client Secret'],
		[{ accountName: 'no/slashes' }, 'Account Name'],
		[{ options: { sqliteFolder: 'not/absolute' } }, 'SQLite Folder'],
		[{ options: { pushAddress: 'no address' } }, 'Push Address'],
	])('begins with the field to correct for %j', async (changes, field) => {
		const result = await test(changes);
		expect(result?.status).toBe('Error');
		expect(result?.message).toMatch(new RegExp(`^${field}: .+ \\(error\\.[A-Za-z.]+\\)$`));
		expect(result?.message).not.toContain('wrong-secret-value');
	});

	it('blames no field for a Backbone that has a problem of its own', async () => {
		const action = { kind: 'status', status: 500 } as const;
		const withdraw = bench.network.backbone.faults.add({
			method: 'POST',
			path: /\/connect\/token/,
			times: 10,
			action,
		});
		const result = await test({});
		withdraw();
		expect(result?.status).toBe('Error');
		expect(result?.message).toMatch(/^The token endpoint of the Backbone answered 500/);
	});

	it('calls the fields what the form calls them', () => {
		const { properties } = new EnmeshedBackboneApi();
		const inOptions = properties.flatMap(({ options }) => (options ?? []) as INodeProperties[]);
		const labels = [...properties, ...inOptions].map(({ displayName }) => displayName);
		expect(labels).toEqual(expect.arrayContaining(Object.values(fieldNames)));
	});
});
