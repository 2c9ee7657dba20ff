import { loosely } from '../../../support/loosely';
import { anHourEarlier, anHourLater, now, people } from '../request/consumption-fixtures';
import { openMemoryStore } from '../../../support/store';
import { ContactBench } from './contact-bench';

const { B: lin, C: ada, D: eve } = people;
const acceptedAt = '2030-01-15T12:30:00.000Z';

let bench: ContactBench;
beforeEach(async () => {
	bench = new ContactBench(await openMemoryStore());
});
afterEach(() => bench.close());

const acceptance = [
	{ createdAt: now, createdBy: lin, reason: 'Creation', newStatus: 'Pending' },
	{
		createdAt: acceptedAt,
		createdBy: people.A,
		reason: 'AcceptanceOfCreation',
		oldStatus: 'Pending',
		newStatus: 'Active',
	},
] as const;

describe('a contact', () => {
	it('has its name, its relationship and what both sides have shared', async () => {
		const relationship = await bench.relate(lin, { auditLog: [...acceptance] });
		await bench.shared(lin, 'GivenName', 'Lin');
		await bench.shared(lin, 'Surname', 'Chen');
		await bench.shared(lin, 'BirthDate', { day: 1, month: 2, year: 1990 });
		await bench.given(lin, 'DisplayName', 'Shop');
		await bench.keyed(lin, 'customerNumber', 'A-1');
		expect(await bench.contacts.get(lin)).toEqual({
			address: lin,
			name: 'Lin Chen',
			status: 'Active',
			since: acceptedAt,
			relationshipId: relationship.id,
			templateId: relationship.templateId,
			attributes: {
				GivenName: 'Lin',
				Surname: 'Chen',
				BirthDate: { day: 1, month: 2, year: 1990 },
			},
			relationshipAttributes: { customerNumber: 'A-1' },
			sharedAttributes: { DisplayName: 'Shop' },
		});
	});

	it('has the title of its template, and exists since its creation while it is pending', async () => {
		const { template } = await bench.relate(ada);
		const titled = { ...template, content: { title: 'Newsletter' } };
		await bench.relate(lin, {
			status: 'Pending',
			template: titled,
			auditLog: acceptance.slice(0, 1),
		});
		const contact = await bench.contacts.get(lin);
		expect(contact).toMatchObject({ templateTitle: 'Newsletter', since: now, status: 'Pending' });
		expect(contact).not.toHaveProperty('name');
	});

	it('has the newest value of each type', async () => {
		await bench.relate(lin);
		await bench.shared(lin, 'EMailAddress', 'old@example.com');
		await bench.shared(lin, 'EMailAddress', 'new@example.com');
		expect((await bench.contacts.get(lin)).attributes).toEqual({ EMailAddress: 'new@example.com' });
	});

	it('lacks values that were succeeded, deleted, have expired, or are not valid yet', async () => {
		await bench.relate(lin);
		const first = await bench.shared(lin, 'GivenName', 'Lin');
		await bench.change(first, { succeededBy: 'ATT00000000000000001' });
		const deletionInfo = { deletionStatus: 'DeletedByOwner', deletionDate: now };
		await bench.shared(lin, 'Surname', 'Chen', { deletionInfo });
		const byPeer = { deletionStatus: 'DeletedByPeer', deletionDate: now };
		await bench.given(lin, 'DisplayName', 'Shop', { deletionInfo: byPeer });
		for (const period of [{ validTo: anHourEarlier }, { validFrom: anHourLater }]) {
			const value = { '@type': 'JobTitle', value: 'Baker' };
			const content = { '@type': 'IdentityAttribute', owner: lin, value, ...period };
			await bench.shared(lin, 'JobTitle', 'Baker', { content: loosely(content) });
		}
		const { attributes, sharedAttributes } = await bench.contacts.get(lin);
		expect({ attributes, sharedAttributes }).toEqual({ attributes: {}, sharedAttributes: {} });
	});

	it('lacks what another peer has told about it, and copies for third parties', async () => {
		await bench.relate(lin);
		await bench.relate(ada);
		const shareInfo = { peer: ada, requestReference: 'REQ1', thirdPartyAddress: lin };
		await bench.keyed(ada, 'customerNumber', 'A-1', { shareInfo });
		await bench.shared(lin, 'GivenName', 'Lin', {
			shareInfo: { peer: ada, requestReference: 'REQ1' },
		});
		for (const address of [lin, ada]) {
			const contact = await bench.contacts.get(address);
			expect({ ...contact.attributes, ...contact.relationshipAttributes }).toEqual({});
		}
	});

	it('who left and came back has the new relationship', async () => {
		await bench.relate(lin, { status: 'Rejected', createdAt: anHourEarlier });
		const active = await bench.relate(lin, { createdAt: now });
		await bench.relate(lin, { status: 'Revoked', createdAt: anHourLater });
		expect(await bench.contacts.get(lin)).toMatchObject({
			relationshipId: active.id,
			status: 'Active',
		});
		expect(await bench.contacts.list()).toHaveLength(1);
		expect(await bench.contacts.list({ statuses: ['Rejected', 'Revoked'] })).toEqual([]);
	});

	it('whose relationships have all ended has the newest of them', async () => {
		await bench.relate(lin, { status: 'Rejected', createdAt: anHourEarlier });
		const newest = await bench.relate(lin, { status: 'Revoked', createdAt: anHourLater });
		expect(await bench.contacts.list()).toMatchObject([{ relationshipId: newest.id }]);
	});

	it('that is unknown is refused with a remedy', async () => {
		await expect(bench.contacts.get(eve)).rejects.toMatchObject({
			code: 'error.gateway.contacts.notFound',
			remedy: expect.stringContaining('list') as string,
		});
	});

	it.each(['', 'Lin', 'did:e:', undefined])('cannot be asked for with %p', async (address) => {
		await expect(bench.contacts.get(address as string)).rejects.toMatchObject({
			code: 'error.runtime.validation.invalidPropertyValue',
			facts: { field: 'address' },
		});
	});
});

describe('a list of contacts', () => {
	it('begins with the newest, and is filtered by status and template', async () => {
		await bench.relate(lin);
		await bench.relate(ada, { status: 'Terminated' });
		await bench.relate(eve, { templateId: 'RLT00000000000000002' });
		const addresses = async (input?: object) =>
			(await bench.contacts.list(input)).map(({ address }) => address);
		expect(await addresses()).toEqual([eve, ada, lin]);
		expect(await addresses({ statuses: ['Active', 'Pending'] })).toEqual([eve, lin]);
		expect(await addresses({ templateId: 'RLT00000000000000002' })).toEqual([eve]);
		expect(await addresses({ limit: 1, offset: 1 })).toEqual([ada]);
		expect(await addresses({ offset: 3 })).toEqual([]);
	});

	it('is filtered by purpose, of which only the current relationship with a person counts', async () => {
		const { template } = await bench.relate(ada);
		const purposed = (purpose: string) => ({ template: { ...template, purpose } });
		await bench.relate(eve, {
			...purposed('events'),
			status: 'Rejected',
			createdAt: anHourEarlier,
		});
		await bench.relate(eve, { ...purposed('newsletter'), createdAt: now });
		await bench.relate(lin, { ...purposed('events'), status: 'Terminated' });
		const listed = await bench.contacts.list({ purpose: 'events' });
		expect(listed).toMatchObject([{ address: lin, purpose: 'events' }]);
		expect(await bench.contacts.list({ purpose: 'newsletter', statuses: ['Active'] })).toHaveLength(
			1,
		);
		expect(await bench.contacts.list({ purpose: 'events', statuses: ['Active'] })).toEqual([]);
		expect(await bench.contacts.get(ada)).not.toHaveProperty('purpose');
	});

	it('counts each person once in pages, however often it came back', async () => {
		const others = Array.from({ length: 30 }, (_, index) => `${lin.slice(0, -2)}${10 + index}`);
		for (const peer of others) {
			await bench.relate(peer);
			await bench.relate(peer, { status: 'Rejected', createdAt: anHourEarlier });
			await bench.relate(peer, { status: 'Revoked', createdAt: anHourEarlier });
		}
		const found: string[] = [];
		for (let offset = 0; offset < others.length; offset += 7) {
			const page = await bench.contacts.list({ limit: 7, offset });
			found.push(...page.map(({ address }) => address));
		}
		expect(found).toEqual([...others].reverse());
	});

	it.each([{ limit: 0 }, { offset: -1 }, { statuses: 'Active' }, { peer: lin }])(
		'refuses %j',
		async (input) => {
			await expect(bench.contacts.list(input)).rejects.toMatchObject({
				code: 'error.runtime.validation.invalidPropertyValue',
			});
		},
	);
});
