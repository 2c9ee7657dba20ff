import type { IDataObject } from 'n8n-workflow';
import type { EventFilter } from '../../core';
import { readableValue } from '../../nodes/Enmeshed/output/readable-value';
import { toEventItems } from '../../nodes/Enmeshed/trigger/event-items';
import { settle } from '../support/gateways';
import { NodeBench } from './support/node-bench';
import { loosely } from '../support/loosely';

jest.setTimeout(60_000);

const birthDate = { '@type': 'BirthDate' as const, day: 10, month: 2, year: 1815 };
const address = {
	'@type': 'StreetAddress' as const,
	recipient: 'Ada Lovelace',
	street: 'Main Street',
	houseNo: '12a',
	zipCode: '69115',
	city: 'Heidelberg',
	country: 'DE',
};
const { '@type': _type, ...parts } = address;
const readable = {
	BirthDate: '1815-02-10',
	StreetAddress: { text: 'Ada Lovelace, Main Street 12a, 69115 Heidelberg, DE', ...parts },
};

/* Values as data tables and columns of text take them. */
describe('values of several parts in the output of the nodes', () => {
	let bench: NodeBench;
	let person: string;
	let requestId: string;

	beforeAll(async () => {
		bench = await NodeBench.open();
		const connected = await bench.connect();
		person = connected.address;
		const relationship = { __rl: true, mode: 'id', value: connected.relationshipId };
		await bench.run('relationship', 'accept', { relationship });
		await settle(bench.wallet);
		requestId = await answeredRequest();
	});

	afterAll(() => bench.close());

	/** The person answers with a date of birth and an address. */
	async function answeredRequest(): Promise<string> {
		const { gateway, release } = await bench.gateway();
		try {
			const values = [birthDate, address];
			const items = values.map((value) => ({
				'@type': 'ReadAttributeRequestItem',
				mustBeAccepted: true,
				query: { '@type': 'IdentityAttributeQuery', valueType: value['@type'] },
			}));
			const request = await gateway.outgoingRequests.create({
				content: { items: loosely(items) },
				peer: person,
			});
			await gateway.messages.send({ recipients: [person], content: request.content });
			await settle(bench.wallet);
			const answers = values.map((value) => ({
				accept: true,
				newAttribute: { '@type': 'IdentityAttribute', owner: person, value },
			}));
			await bench.wallet.incomingRequests.accept(request.id, { items: answers });
			await settle(gateway);
			return request.id;
		} finally {
			release();
		}
	}

	it('are dates and texts with parts in answers', async () => {
		const request = { request: { __rl: true, mode: 'id', value: requestId } };
		expect(await bench.one('outgoingRequest', 'get', request)).toMatchObject({ answers: readable });
	});

	it('are the same for contacts, relationships and attributes', async () => {
		const contact = { contact: { __rl: true, mode: 'address', value: person } };
		expect(await bench.one('contact', 'get', contact)).toMatchObject({ attributes: readable });
		const [relationship] = await bench.run('relationship', 'getAll');
		expect(relationship?.json).toMatchObject({ sharedAttributes: readable });
		const attributes = await bench.run('attribute', 'getAll', { kind: 'sharedByPeers' });
		const values = attributes.map(({ json }) => [json['type'], json['value']]);
		expect(Object.fromEntries(values)).toEqual(readable);
	});

	it('are the same in the items of the trigger', async () => {
		const { gateway, release } = await bench.gateway();
		try {
			const filter: EventFilter = { names: ['consumption.outgoingRequestStatusChanged'] };
			const events = await gateway.events.recent(filter, 10);
			const { signal } = new AbortController();
			const items = await toEventItems(events, gateway, { signal, simplify: true });
			const answers = items
				.map(({ json }) => json['answers'])
				.filter((found) => found !== undefined);
			expect(answers[0]).toEqual(readable);
		} finally {
			release();
		}
	});

	it('stay as they are in whole records', async () => {
		const whole = { kind: 'sharedByPeers', simplify: false };
		const attributes = await bench.run('attribute', 'getAll', whole);
		const values = attributes.map(({ json }) => (json['content'] as IDataObject)['value']);
		expect(values).toEqual(expect.arrayContaining([birthDate, address]));
	});

	it.each<[string, object, string]>([
		['BirthPlace', { country: 'HR', city: 'Zagreb', state: '21' }, 'Zagreb, 21, HR'],
		['PersonName', { surname: 'Lovelace', givenName: 'Ada' }, 'Ada Lovelace'],
		['Affiliation', { organization: 'Post', role: 'Clerk', unit: 'Stamps' }, 'Clerk, Stamps, Post'],
		['BankAccount', { iban: 'HR1', accountHolder: 'Ada', bic: 'B' }, 'Ada, HR1, B'],
		[
			'DeliveryBoxAddress',
			{ recipient: 'Ada', deliveryBoxId: '7', userId: '3', zipCode: '1', city: 'X', country: 'DE' },
			'Ada, 3 7, 1 X, DE',
		],
		[
			'PostOfficeBoxAddress',
			{ recipient: 'Ada', boxId: '7', zipCode: '1', city: 'X', country: 'DE', state: 'S' },
			'Ada, 7, 1 X, S, DE',
		],
	])('have their parts in the usual order: %s', (type, value, text) => {
		expect(readableValue(type, value)).toEqual({ ...value, text });
	});

	it('stay as they are where the numbers are no date', () => {
		const value = { day: 31, month: 2, year: 1815 };
		expect(readableValue('BirthDate', value)).toBe(value);
	});
});
