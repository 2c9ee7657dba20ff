import { settle } from '../support/gateways';
import type { IDataObject, INodeExecutionData, NodeExecutionHint } from 'n8n-workflow';
import type { RequestDto } from '../../core';
import { mapAnswers } from '../../nodes/Enmeshed/methods/resource-mapping';
import { methods } from '../../nodes/Enmeshed/methods';
import { loadOptionsFunctions } from '../support/n8n/n8n-functions';
import { NodeBench } from './support/node-bench';
import { loosely } from '../support/loosely';

jest.setTimeout(60_000);

let bench: NodeBench;
let peer: string;
let own: string;

beforeAll(async () => {
	bench = await NodeBench.open();
	const { relationshipId, address } = await bench.connect();
	peer = address;
	await bench.run('relationship', 'accept', { relationship: locator(relationshipId) });
	await settle(bench.wallet);
	own = String((await bench.one('account', 'getIdentity'))['address']);
});

afterAll(async () => {
	await bench?.close();
});

const locator = (value: unknown) => ({ __rl: true, mode: 'id', value });
const toPeer = () => ({ __rl: true, mode: 'address', value: peer });

const ask = (...items: IDataObject[]): IDataObject => ({ requestItems: { items } });

/** What the wallet was asked last. */
async function receivedByWallet(): Promise<RequestDto> {
	await settle(bench.wallet);
	const [newest] = await bench.wallet.incomingRequests.list({
		orderBy: { field: 'inserted', direction: 'desc' },
		limit: 1,
	});
	if (newest === undefined) throw new Error('The wallet was asked nothing');
	return newest;
}

const newAttribute = (type: string, value: string) => ({
	accept: true,
	newAttribute: {
		'@type': 'IdentityAttribute' as const,
		owner: peer,
		value: { '@type': type, value },
	},
});

describe('a request to a peer', () => {
	it('is sent, answered, and its outcome read by what was asked for', async () => {
		const sent = await bench.one('message', 'sendRequest', {
			to: toPeer(),
			...ask(
				{ kind: 'askFor', valueType: 'GivenName', group: 'You' },
				{ kind: 'askFor', valueType: 'EMailAddress', mustBeAccepted: false, group: 'You' },
				{ kind: 'askFor', valueType: 'EMailAddress', mustBeAccepted: false },
				{ kind: 'askFor', valueType: 'PhoneNumber', mustBeAccepted: false },
				{ kind: 'formField', title: 'Age', fieldType: 'integer' },
				{ kind: 'askForConsent', consent: 'I agree.' },
			),
			options: { title: 'Your data' },
		});
		expect(sent).toMatchObject({
			status: 'Open',
			peer,
			title: 'Your data',
			messageId: expect.stringMatching(/^MSG/),
		});
		const received = await receivedByWallet();
		expect(received.id).toBe(sent['id']);
		await bench.wallet.incomingRequests.accept(received.id, {
			items: [
				{
					items: [
						newAttribute('GivenName', 'Ada'),
						newAttribute('EMailAddress', 'ada@example.com'),
					],
				},
				newAttribute('EMailAddress', 'lovelace@example.com'),
				{ accept: false },
				{ accept: true, response: 36 },
				{ accept: true },
			],
		});
		await bench.settle();
		const request = locator(sent['id']);
		const answered = await bench.one('outgoingRequest', 'get', { request });
		expect(answered).toMatchObject({
			status: 'Completed',
			result: 'Accepted',
			answers: {
				GivenName: 'Ada',
				EMailAddress: ['ada@example.com', 'lovelace@example.com'],
				PhoneNumber: null,
				Age: 36,
				Consent: true,
			},
		});
		expect(answered).not.toHaveProperty('content');
		const [listed, ...others] = await bench.run('outgoingRequest', 'getAll', {
			filters: { peer, requestStatuses: ['Completed'] },
		});
		expect(others).toEqual([]);
		expect(listed?.json).toEqual(answered);
		const raw = await bench.one('outgoingRequest', 'get', { request, simplify: false });
		expect(raw).toMatchObject({
			isOwn: true,
			source: { type: 'Message' },
			content: { items: expect.any(Array) },
			response: { content: { '@type': 'Response' } },
		});
	});

	it('is sent once when the node runs again after a failure', async () => {
		const parameters = { to: toPeer(), ...ask({ kind: 'logIn', title: 'Once' }) };
		const options = { executionId: 'execution1' };
		const [first] = await bench.run('message', 'sendRequest', parameters, options);
		const [second] = await bench.run('message', 'sendRequest', parameters, options);
		expect(second?.json).toEqual(first?.json);
		const drafts = await bench.run('outgoingRequest', 'getAll', {
			filters: { requestStatuses: ['Draft'] },
		});
		expect(drafts).toEqual([]);
	});

	it('hands over a file for each entry, also if they are the same file of the input', async () => {
		const entry = { kind: 'handOverFile', fileSource: 'input', binaryPropertyName: 'data' };
		const data = { data: Buffer.from('Hello').toString('base64'), mimeType: 'text/plain' };
		const parameters = { to: toPeer(), ...ask(entry, entry) };
		const options = { executionId: 'execution2', items: [{ json: {}, binary: { data } }] };
		const before = (await bench.run('file', 'getAll', {})).length;
		await bench.run('message', 'sendRequest', parameters, options);
		expect(await bench.run('file', 'getAll', {})).toHaveLength(before + 2);
	});

	it('that the Backbone refuses leaves no draft', async () => {
		const stranger = 'did:e:localhost:dids:00000000000000000000aa';
		const to = { __rl: true, mode: 'address', value: stranger };
		await expect(
			bench.run('message', 'sendRequest', { to, ...ask({ kind: 'logIn', title: 'x' }) }),
		).rejects.toMatchObject({
			context: { code: expect.stringContaining('error.consumption.') },
		});
		const withdraw = bench.network.backbone.faults.add({
			method: 'POST',
			path: /\/Messages/,
			action: { kind: 'status', status: 400 },
		});
		await expect(
			bench.run('message', 'sendRequest', {
				to: toPeer(),
				...ask({ kind: 'logIn', title: 'Refused' }),
			}),
		).rejects.toThrow();
		withdraw();
		const filters = { requestStatuses: ['Draft'] };
		expect(await bench.run('outgoingRequest', 'getAll', { filters })).toEqual([]);
	});

	it('is checked before, with each problem at its item', async () => {
		const check = { onlyCheck: true, to: { __rl: true, mode: 'list', value: '' } };
		const good = ask({ kind: 'askFor', valueType: 'Surname' });
		expect(await bench.one('message', 'sendRequest', { ...good, ...check })).toEqual({
			isSuccess: true,
			problems: [],
			hints: [],
		});
		expect(
			await bench.one('message', 'sendRequest', { ...good, ...check, simplify: false }),
		).toMatchObject({ isSuccess: true, items: [{ isSuccess: true }] });
		const bad = ask(
			{ kind: 'askFor', valueType: 'Surname' },
			{ kind: 'formField', title: 'x', fieldType: 'selection', choices: 'A\nA', group: 'G' },
		);
		expect(await bench.one('message', 'sendRequest', { ...bad, ...check })).toMatchObject({
			isSuccess: false,
			problems: [{ item: '2.1', code: 'error.consumption.requests.invalidRequestItem' }],
		});
	});

	it('warns beside the output of characters that wallets of version 7 refuse', async () => {
		const value = { '@type': 'DisplayName' as const, value: 'K\u20134711' };
		const item = {
			'@type': 'CreateAttributeRequestItem' as const,
			mustBeAccepted: true,
			attribute: { '@type': 'IdentityAttribute' as const, owner: '', value },
		};
		const request = { contentMode: 'json', content: JSON.stringify({ items: [item] }) };
		const message =
			"Wallets of version 7 do not accept 'attribute.value.value', because of these characters: '\u2013' (U+2013).";
		const hints: NodeExecutionHint[] = [];
		await bench.run('message', 'sendRequest', { to: toPeer(), ...request }, { hints });
		const onNewRelationship = { '@type': 'Request' as const, items: [item] };
		const content = { '@type': 'RelationshipTemplateContent' as const, onNewRelationship };
		const template = { contentMode: 'json', content: JSON.stringify(content) };
		await bench.run('relationshipTemplate', 'create', template, { hints });
		const shown = { message: `Item 1: ${message}`, type: 'warning', location: 'outputPane' };
		expect(hints).toEqual([shown, shown]);
		expect(
			await bench.one('message', 'sendRequest', { ...request, onlyCheck: true, to: '' }),
		).toMatchObject({
			isSuccess: true,
			hints: [{ item: '1', message }],
		});
	});
});

/** The wallet asks; the id of what arrives. */
async function askedByWallet(...items: object[]): Promise<string> {
	const content = { '@type': 'Request' as const, title: 'From the wallet', items };
	const request = await bench.wallet.outgoingRequests.create({
		peer: own,
		content: loosely(content),
	});
	await bench.wallet.messages.send({ recipients: [own], content: request.content });
	await bench.settle();
	return request.id;
}

const read = (valueType: string, mustBeAccepted = true) => ({
	'@type': 'ReadAttributeRequestItem' as const,
	mustBeAccepted,
	query: { '@type': 'IdentityAttributeQuery' as const, valueType },
});

const consent = {
	'@type': 'ConsentRequestItem' as const,
	mustBeAccepted: true,
	consent: 'You agree.',
};

async function search(method: string, filter = '') {
	const list = methods.listSearch?.[method];
	const functions = loadOptionsFunctions({ credentials: bench.credential });
	return (await list?.call(functions, filter))?.results;
}

/** The outcome as the wallet sees it. */
async function answersAtWallet(id: string) {
	await settle(bench.wallet);
	return await bench.wallet.outgoingRequests.answers(id);
}

describe('a request of a peer', () => {
	it('is listed by its title and answered item by item', async () => {
		await bench.one('attribute', 'create', { valueType: 'DisplayName', value: 'Example Org' });
		const id = await askedByWallet(
			read('DisplayName'),
			{
				'@type': 'RequestItemGroup' as const,
				items: [read('EMailAddress'), read('PhoneNumber', false), consent],
			},
			{ '@type': 'FreeTextRequestItem' as const, mustBeAccepted: true, freeText: 'How are you?' },
			read('StreetAddress', false),
		);
		const request = locator(id);
		expect((await search('searchIncomingRequests', 'wallet'))?.[0]?.value).toBe(id);
		const [listed] = await bench.run('incomingRequest', 'getAll', {
			filters: { requestStatuses: ['ManualDecisionRequired', 'DecisionRequired'] },
		});
		expect(listed?.json).toEqual(await bench.one('incomingRequest', 'get', { request }));
		expect(listed?.json).toMatchObject({ id, peer, title: 'From the wallet' });

		const address = {
			recipient: 'Example Org',
			street: 'Main Street',
			houseNo: '1',
			zipCode: '69115',
			city: 'Heidelberg',
			country: 'DE',
		};
		const value = {
			EMailAddress: 'office@example.org',
			FreeText: 'Fine, thank you.',
			StreetAddress: JSON.stringify(address),
		};
		const answers = { mappingMode: 'defineBelow', value };
		const check = { request, answers, onlyCheck: true };
		expect(await bench.one('incomingRequest', 'accept', check)).toEqual({
			isSuccess: true,
			problems: [],
			hints: [],
		});
		expect(await bench.one('incomingRequest', 'accept', { request, answers })).toMatchObject({
			id,
			result: 'Accepted',
		});
		expect(await answersAtWallet(id)).toEqual({
			DisplayName: 'Example Org',
			EMailAddress: 'office@example.org',
			PhoneNumber: null,
			Consent: true,
			FreeText: 'Fine, thank you.',
			StreetAddress: address,
		});
	});

	it('is answered with the fields of the input, or with JSON', async () => {
		const fromInput = await askedByWallet(read('JobTitle'), read('Nationality'));
		const items: INodeExecutionData[] = [
			{ json: { JobTitle: 'Clerk', Nationality: 'AT', other: 'ignored' } },
		];
		const parameters = {
			request: locator(fromInput),
			answers: { mappingMode: 'autoMapInputData', value: null },
		};
		await bench.run('incomingRequest', 'accept', parameters, { items });
		expect(await answersAtWallet(fromInput)).toEqual({ JobTitle: 'Clerk', Nationality: 'AT' });

		const byJson = await askedByWallet(read('Website', false));
		await bench.run('incomingRequest', 'accept', {
			request: locator(byJson),
			answerMode: 'json',
			answer: '{ "items": [{ "accept": false, "code": "x.notNow" }] }',
		});
		expect(await answersAtWallet(byJson)).toEqual({ Website: null });
	});

	it('may have optional items accepted or rejected without a value', async () => {
		const share = async () =>
			await askedByWallet(
				{ ...consent, mustBeAccepted: false },
				{ '@type': 'AuthenticationRequestItem' as const, title: 'Log in', mustBeAccepted: false },
				read('Pseudonym', false),
			);
		const first = await share();
		await bench.run('incomingRequest', 'accept', {
			request: locator(first),
			emptyItems: 'accept',
			rejectedItems: ['Consent'],
		});
		expect(await answersAtWallet(first)).toEqual({
			Consent: null,
			Authentication: true,
			Pseudonym: null,
		});
		const second = await share();
		await bench.run('incomingRequest', 'accept', { request: locator(second) });
		expect(await answersAtWallet(second)).toEqual({
			Consent: null,
			Authentication: null,
			Pseudonym: null,
		});
	});

	it('cannot be accepted while an answer is missing, and says which', async () => {
		const id = await askedByWallet(read('Affiliation'), read('JobTitle'));
		await expect(
			bench.run('incomingRequest', 'accept', { request: locator(id) }),
		).rejects.toMatchObject({
			message: "The entry 'Affiliation' has no answer",
			context: { itemIndex: 0 },
		});
		const answers = { mappingMode: 'defineBelow', value: { Affiliation: { role: 'x' } } };
		expect(
			await bench.one('incomingRequest', 'accept', {
				request: locator(id),
				answers,
				onlyCheck: true,
			}),
		).toMatchObject({ isSuccess: false, problems: [{ item: '1', code: expect.any(String) }] });
	});

	it('is rejected with a reason', async () => {
		const id = await askedByWallet(read('Surname'), {
			'@type': 'RequestItemGroup' as const,
			items: [consent],
		});
		const rejected = await bench.one('incomingRequest', 'reject', {
			request: locator(id),
			options: { code: 'example.no', message: 'Not now' },
		});
		expect(rejected).toMatchObject({ result: 'Rejected' });
		await settle(bench.wallet);
		const { response } = await bench.wallet.outgoingRequests.get(id);
		const item = { '@type': 'RejectResponseItem' as const, code: 'example.no', message: 'Not now' };
		expect(response?.content['items']).toMatchObject([item, { items: [item] }]);
	});

	it('becomes a form without expressions of the peer, and answers in the words of the peer', async () => {
		const evil = '={{ $env.SECRET }}';
		const options = [evil, "'=x", "'", 'M'];
		const id = await askedByWallet(
			{
				'@type': 'FormFieldRequestItem' as const,
				title: `\u202e${evil}`,
				mustBeAccepted: true,
				settings: { '@type': 'SelectionFormFieldSettings' as const, options },
			},
			{ ...consent, consent: '=consent' },
		);
		const functions = {
			...loadOptionsFunctions({ credentials: bench.credential }),
			getNodeParameter: () => id,
		};
		const { fields } = await mapAnswers.call(functions as never);
		const [field] = fields;
		const stored = fields.flatMap(({ id: name, displayName, options: choices = [] }) => [
			name,
			displayName,
			...choices.flatMap((choice) => [choice.name, choice.value]),
		]);
		expect(stored.filter((text) => /^\s*=|\u202e/.test(String(text)))).toEqual([]);
		expect(new Set(field?.options?.map(({ value }) => value)).size).toBe(options.length);
		for (const [index, choice] of (field?.options ?? []).entries()) {
			const answers = {
				mappingMode: 'defineBelow',
				value: { [field?.id ?? '']: choice.value },
			};
			const checked = await bench.one('incomingRequest', 'accept', {
				onlyCheck: true,
				request: locator(id),
				answers,
			});
			expect([options[index], checked]).toMatchObject([options[index], { isSuccess: true }]);
		}
		const first = { [field?.id ?? '']: field?.options?.[0]?.value };
		await bench.one('incomingRequest', 'accept', {
			request: locator(id),
			answers: { mappingMode: 'defineBelow', value: first },
		});
		await settle(bench.wallet);
		const { response } = await bench.wallet.outgoingRequests.get(id);
		expect(response?.content['items']).toMatchObject([{ response: evil }, { result: 'Accepted' }]);
	});

	it.each([
		['1815-12-10', 1815],
		['1816-12-10T00:00:00', 1816],
		[{ day: 10, month: 12, year: 1817 }, 1817],
	])('for a date is answered with %j', async (date, year) => {
		const id = await askedByWallet(read('BirthDate'));
		await bench.one('incomingRequest', 'accept', {
			request: locator(id),
			answers: { mappingMode: 'defineBelow', value: { BirthDate: date } },
		});
		await settle(bench.wallet);
		const { response } = await bench.wallet.outgoingRequests.get(id);
		expect(response?.content['items']).toMatchObject([
			{ attribute: { value: { '@type': 'BirthDate', day: 10, month: 12, year } } },
		]);
	});

	it('becomes a form with one field per entry', async () => {
		const id = await askedByWallet(
			{ ...read('GivenName'), title: 'Who are you?' },
			read('GivenName', false),
			read('StreetAddress', false),
			read('BirthYear', false),
			read('BirthDate', false),
			consent,
			{
				'@type': 'FormFieldRequestItem' as const,
				title: 'Size',
				mustBeAccepted: false,
				settings: { '@type': 'SelectionFormFieldSettings' as const, options: ['S', 'M'] },
			},
		);
		const functions = {
			...loadOptionsFunctions({ credentials: bench.credential }),
			getNodeParameter: () => id,
		};
		const { fields } = await mapAnswers.call(functions as never);
		expect(fields.map(({ id: name, displayName, type }) => [name, displayName, type])).toEqual([
			['GivenName', 'Who are you? (required)', 'string'],
			['GivenName 2', 'Given Name 2', 'string'],
			['StreetAddress', 'Street Address', 'object'],
			['BirthYear', 'Birth Year', 'number'],
			['BirthDate', 'Birth Date', 'dateTime'],
			['Consent', 'You agree. (required)', 'boolean'],
			['Size', 'Size', 'options'],
		]);
		const entries = await methods.loadOptions['loadRequestEntries']?.call(functions as never);
		expect(entries).toEqual([
			{ name: 'Who are you? (Given Name)', value: 'GivenName' },
			{ name: 'Given Name 2', value: 'GivenName 2' },
			{ name: 'Street Address', value: 'StreetAddress' },
			{ name: 'Birth Year', value: 'BirthYear' },
			{ name: 'Birth Date', value: 'BirthDate' },
			{ name: 'Consent', value: 'Consent' },
			{ name: 'Size', value: 'Size' },
		]);
		expect(fields.at(-1)?.options).toEqual([
			{ name: 'S', value: 'S' },
			{ name: 'M', value: 'M' },
		]);
		const none = { ...functions, getNodeParameter: () => '' };
		expect(await methods.loadOptions['loadRequestEntries']?.call(none as never)).toEqual([]);
		await expect(mapAnswers.call(none as never)).rejects.toThrow('No request is chosen');
	});
});
