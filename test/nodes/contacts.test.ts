import type { IDataObject } from 'n8n-workflow';
import { systemClock } from '../../core/base/clock';
import { silentLogger } from '../../core/base/logger';
import { systemRandom } from '../../core/base/random';
import { parseGatewayConfig } from '../../core/config';
import { learnVersion } from '../../core/domain/peer-version';
import type { Evidence } from '../../core/model/content/version-evidence';
import { openStore } from '../../core/store/open-store';
import { judged } from '../../core';
import { toGatewayConfig } from '../../nodes/Enmeshed/gateway/acquire-gateway';
import { methods } from '../../nodes/Enmeshed/methods';
import { settle } from '../support/gateways';
import { loadOptionsFunctions } from '../support/n8n/n8n-functions';
import { NodeBench } from './support/node-bench';
import { loosely } from '../support/loosely';

jest.setTimeout(60_000);

let bench: NodeBench;
let lin: string;
let relationshipId: string;
const stranger = `did:e:localhost:dids:${'0'.repeat(22)}`;

beforeAll(async () => {
	bench = await NodeBench.open();
	({ relationshipId, address: lin } = await bench.connect());
	await bench.run('relationship', 'accept', {
		relationship: { __rl: true, mode: 'id', value: relationshipId },
	});
	await settle(bench.wallet);
	await share({ '@type': 'GivenName', value: 'Lin 🦊' });
	await share({ '@type': 'Surname', value: 'Чен' });
	await share({ '@type': 'EMailAddress', value: 'Lin@Example.com' });
	await keepCustomerNumber('A-1042');
});

afterAll(async () => {
	await bench?.close();
});

/** The wallet shares a value about its person. */
async function share(value: IDataObject): Promise<void> {
	const item = {
		'@type': 'ReadAttributeRequestItem' as const,
		mustBeAccepted: true,
		query: { '@type': 'IdentityAttributeQuery' as const, valueType: value['@type'] },
	};
	const newAttribute = {
		'@type': 'IdentityAttribute' as const,
		owner: (await bench.wallet.account.getIdentity()).address,
		value,
	};
	await answer(item, { accept: true, newAttribute });
}

async function keepCustomerNumber(value: string): Promise<void> {
	const { address: owner } = await bench.one('account', 'getIdentity');
	const attribute = {
		'@type': 'RelationshipAttribute' as const,
		owner,
		key: 'customerNumber',
		confidentiality: 'public' as const,
		isTechnical: false,
		value: { '@type': 'ProprietaryString' as const, title: 'Customer Number', value },
	};
	await answer(
		{ '@type': 'CreateAttributeRequestItem', mustBeAccepted: true, attribute },
		{ accept: true },
	);
}

async function answer(item: IDataObject, answered: IDataObject): Promise<void> {
	const lease = await bench.gateway();
	try {
		const content = { items: [item] };
		const request = await lease.gateway.outgoingRequests.create({
			content: loosely(content),
			peer: lin,
		});
		await lease.gateway.messages.send({ recipients: [lin], content: request.content });
		await settle(bench.wallet);
		await bench.wallet.incomingRequests.accept(request.id, judged({ items: [answered] }));
		await settle(lease.gateway);
	} finally {
		lease.release();
	}
}

const contact = (value: string) => ({ contact: { __rl: true, mode: 'address', value } });

const find = async (parameters: IDataObject): Promise<unknown[]> =>
	(await bench.run('contact', 'find', parameters)).map(({ json }) => json['peer']);

describe('a contact', () => {
	it('is one flat item with what both sides have shared', async () => {
		expect(await bench.one('contact', 'get', contact(lin))).toEqual({
			peer: lin,
			peerName: 'Lin 🦊 Чен',
			status: 'Active',
			since: expect.stringMatching(/^\d{4}-.*Z$/),
			wallet: 'not known yet',
			relationshipId,
			templateId: expect.stringMatching(/^RLT/),
			attributes: { GivenName: 'Lin 🦊', Surname: 'Чен', EMailAddress: 'Lin@Example.com' },
			relationshipAttributes: { customerNumber: 'A-1042' },
			sharedAttributes: {},
		});
	});

	it('shows what is known of its wallet', async () => {
		const base = { clock: systemClock, random: systemRandom, logger: silentLogger };
		const store = await openStore(parseGatewayConfig(toGatewayConfig(bench.credential)), base);
		const learn = async (evidence: Evidence): Promise<unknown> => {
			await store.transact((tx) => learnVersion(tx, lin, evidence));
			return (await bench.one('contact', 'get', contact(lin)))['wallet'];
		};
		try {
			expect(await learn({ version: 6 })).toBe('version 6');
			expect(await learn({ version: 7 })).toBe('version 7');
			expect(await learn({ version: 7.2 })).toBe('version 7.2 or later');
			expect(await learn({ before: 7 })).toBe('not known yet');
		} finally {
			await store.close();
		}
	});

	it.each<[string, IDataObject]>([
		['its email address', { emailAddress: ' lin@example.COM' }],
		['an attribute', { findBy: 'attribute', attributeType: 'Surname', value: 'ЧЕН' }],
		['a part of its name', { findBy: 'name', name: '🦊 ч' }],
		[
			'its customer number',
			{ findBy: 'relationshipAttribute', key: 'customerNumber', value: 'A-1042' },
		],
		['a part of its name, in a list', { findBy: 'name', name: 'lin', ifSeveral: 'list' }],
	])('is found by %s', async (_what, parameters) => {
		expect(await find(parameters)).toEqual([lin]);
	});

	it.each<[string, IDataObject]>([
		['email address', { emailAddress: '%' }],
		['name', { findBy: 'name', name: '_in' }],
		['key', { findBy: 'relationshipAttribute', key: 'orderNumber', value: 'A-1042' }],
	])('is not found by another %s, and nothing comes out', async (_what, parameters) => {
		expect(await find(parameters)).toEqual([]);
	});

	it.each<[string, IDataObject]>([
		['Email Address', {}],
		['Name', { findBy: 'name', name: '  ' }],
		['Value', { findBy: 'attribute' }],
		['Key', { findBy: 'relationshipAttribute', value: 'A-1042' }],
	])('cannot be found with an empty field %s', async (field, parameters) => {
		await expect(bench.run('contact', 'find', parameters)).rejects.toMatchObject({
			message: expect.stringContaining(`'${field}'`) as string,
			description: 'It is empty',
		});
	});

	it('that does not exist is an error with a code and a remedy', async () => {
		await expect(bench.run('contact', 'get', contact(stranger))).rejects.toMatchObject({
			message: 'There is no contact with this address in this account',
			description: expect.stringContaining('choose the contact from the list') as string,
			context: { code: 'error.gateway.contacts.notFound' },
		});
	});

	it('stands in the list by its name', async () => {
		const search = async (filter?: string) => {
			const functions = loadOptionsFunctions({ credentials: bench.credential });
			const found = await methods.listSearch?.['searchContacts']?.call(functions, filter);
			return found?.results;
		};
		const entry = { name: `Lin 🦊 Чен …${lin.slice(-8)} (active)`, value: lin };
		expect(await search()).toEqual([entry]);
		expect(await search('чен')).toEqual([entry]);
		expect(await search('Ada')).toEqual([]);
	});
});

let impostor: string;

describe('an impostor', () => {
	const search = { emailAddress: 'lin@example.com' };

	beforeAll(async () => {
		const eve = await bench.network.gateway();
		const template = await bench.one('relationshipTemplate', 'create', {
			title: 'For everybody',
			purpose: 'newsletter',
			requestItems: { items: [{ kind: 'askFor', valueType: 'EMailAddress' }] },
		});
		const reference = String(template['truncatedReference']);
		await eve.templates.loadPeer({ reference });
		const [request] = await eve.incomingRequests.list();
		({ address: impostor } = await eve.account.getIdentity());
		const newAttribute = {
			'@type': 'IdentityAttribute' as const,
			owner: impostor,
			value: { '@type': 'EMailAddress' as const, value: 'lin@example.com' },
		};
		const accepted = { items: [{ accept: true, newAttribute }] };
		await eve.incomingRequests.accept(request?.id ?? '', accepted);
		await bench.settle();
		const [pending] = await eve.relationships.list();
		await bench.run('relationship', 'accept', {
			relationship: { __rl: true, mode: 'id', value: pending?.id },
		});
	});

	it('who shares the email address of another person makes the search fail, and is not found', async () => {
		await expect(bench.run('contact', 'find', search)).rejects.toMatchObject({
			message: '2 people say that they have this email address',
			description: expect.stringContaining("'If Several Fit'") as string,
			context: { code: 'error.gateway.contacts.several' },
		});
		expect(await find({ ...search, ifSeveral: 'firstConnected' })).toEqual([lin]);
		const number = { findBy: 'relationshipAttribute', key: 'customerNumber', value: 'A-1042' };
		expect(await find(number)).toEqual([lin]);
	});

	it('is told apart by when and by which template the address was shared', async () => {
		const items = await bench.run('contact', 'find', { ...search, ifSeveral: 'list' });
		expect(items.map(({ json }) => json)).toMatchObject([
			{
				peer: impostor,
				peopleFound: 2,
				found: [{ value: 'lin@example.com', owner: 'peer', templateTitle: 'For everybody' }],
			},
			{ peer: lin, peopleFound: 2, found: [{ value: 'Lin@Example.com', owner: 'peer' }] },
		]);
		expect(await find({ ...search, ifSeveral: 'list', limit: 1 })).toEqual([impostor]);
	});
});

describe('the list of contacts', () => {
	it('is filtered by status and template, and has no more than its limit', async () => {
		const list = async (parameters: IDataObject) =>
			(await bench.run('contact', 'getAll', parameters)).map(({ json }) => json['peer']);
		const { templateId } = await bench.one('contact', 'get', contact(lin));
		const template = (value: unknown) => ({ template: { __rl: true, mode: 'id', value } });
		expect(await list({ limit: 1 })).toHaveLength(1);
		expect(await list({ filters: { statuses: ['Active'] }, returnAll: true })).toContain(lin);
		expect(await list({ filters: { statuses: ['Pending'] } })).toEqual([]);
		expect(await list({ filters: template(templateId) })).toEqual([lin]);
		expect(await list({ filters: template('RLT00000000000000001') })).toEqual([]);
		const purpose = (value: string) => ({ purpose: { __rl: true, mode: 'name', value } });
		expect(await list({ filters: purpose('newsletter') })).toEqual([impostor]);
		expect(await list({ filters: purpose('another') })).toEqual([]);
	});
});
