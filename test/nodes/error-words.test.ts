import type { IDataObject } from 'n8n-workflow';
import type { NodeError } from '../../nodes/Enmeshed/errors/to-node-error';
import { testNode, type StubOptions } from '../support/n8n/n8n-functions';
import { NodeBench } from './support/node-bench';

jest.setTimeout(60_000);

const stranger = 'did:e:localhost:dids:4f1c0a2b9d8e7f60513244';

let bench: NodeBench;
let relationshipId: string;
let address: string;

beforeAll(async () => {
	bench = await NodeBench.open();
	const template = await bench.one('relationshipTemplate', 'create', {
		title: 'Onboarding',
		requestItems: { items: [{ kind: 'askFor', valueType: 'GivenName' }] },
	});
	await bench.wallet.templates.loadPeer({ reference: String(template['truncatedReference']) });
	({ address } = await bench.wallet.account.getIdentity());
	const [asked] = await bench.wallet.incomingRequests.list();
	const newAttribute = {
		'@type': 'IdentityAttribute',
		owner: address,
		value: { '@type': 'GivenName', value: 'Lin' },
	};
	await bench.wallet.incomingRequests.accept(asked?.id ?? '', {
		items: [{ accept: true, newAttribute }],
	});
	await bench.settle();
	const [relationship] = await bench.run('relationship', 'getAll');
	relationshipId = String(relationship?.json['id']);
});

afterAll(async () => {
	await bench?.close();
});

type Words = Pick<NodeError, 'message' | 'description'>;

/** Title of an error, and its description without the link of the code. */
async function shown(
	resource: string,
	operation: string,
	parameters: IDataObject,
	options: Omit<StubOptions, 'parameters'> = {},
): Promise<Words> {
	const error = await bench.run(resource, operation, parameters, options).then(
		() => Promise.reject(new Error('No error was thrown')),
		(thrown: unknown) => thrown as NodeError,
	);
	return { message: error.message, description: error.description?.replace(/ ?Code: .*$/, '') };
}

const template = (entry: IDataObject, more: IDataObject = {}): IDataObject => ({
	title: 'Form',
	requestItems: { items: [entry] },
	...more,
});
const name = { kind: 'askFor', valueType: 'GivenName' };
const consent = { kind: 'askForConsent', consent: 'I agree.' };

describe('an error in a form', () => {
	it.each<readonly [string, IDataObject, string, string]>([
		[
			'a link',
			template({ ...consent, link: 'nolink' }),
			"The field 'Link' in entry 1 is not valid",
			'Not a link.',
		],
		[
			'a field of the second entry, in a group',
			template(name, {
				requestItems: {
					items: [
						{ ...name, group: 'A' },
						{ ...consent, link: 'nolink', group: 'A' },
					],
				},
			}),
			"The field 'Link' in entry 2 is not valid",
			'Not a link.',
		],
		[
			'a query',
			template({ ...name, itemOptions: { expression: '((' } }),
			"The field 'Expression (IQL)' in entry 1 is not valid",
			'Not a query from character 2 of line 1 on.',
		],
		[
			'a part of a value',
			template({ kind: 'create', valueType: 'BirthDate', date: 'soon' }),
			"The field 'Date' in entry 1 is not valid",
			'Expected a date, for example 1990-12-31',
		],
		[
			'a value',
			template({ kind: 'create', valueType: 'EMailAddress', value: 'x' }),
			"The field 'Value' in entry 1 is not valid",
			'Expected at least 3 characters.',
		],
		[
			'an entry that no single field spoils',
			template({ kind: 'formField', title: 'Age', fieldType: 'selection' }),
			'Entry 1 is not valid',
			'There are no options to choose from.',
		],
		[
			'an id in an entry',
			template({ kind: 'share', attribute: 'ATTnope' }),
			"The field 'Attribute' in entry 1 is not valid",
			"The ID of an attribute is 'ATT' followed by 17 letters or digits",
		],
		[
			'the type of a switch',
			template({ ...name, mustBeAccepted: 'perhaps' }),
			"The field 'Required' in entry 1 is not valid",
			'Expected true or false',
		],
		[
			'a choice, with all choices',
			template(name, { expires: 'never' }),
			"The field 'Expires' is not valid",
			"Expected one of 'afterDays' (After Some Days), 'onDate' (On a Date)",
		],
		[
			'a number that is too large',
			template(name, { expiresInDays: 99_999 }),
			"The field 'Days Until Expiry' is not valid",
			'At most 36500',
		],
		[
			'a date in the past',
			template(name, { expires: 'onDate', expiresAt: '2001-01-01T00:00:00' }),
			"The field 'Expires At' is not valid",
			'Must be in the future.',
		],
		[
			'the expiry of a request',
			template(name, { options: { expiresAt: '2001-01-01T00:00:00' } }),
			'The request would have expired already at 2001-01-01T00:00:00.000Z',
			"Set 'Expires At' to a time in the future, or leave it empty.",
		],
		[
			'a title that is too long',
			template(name, { options: { title: 'x'.repeat(201) } }),
			"The field 'Title' is not valid",
			'Expected at most 200 characters.',
		],
		[
			'a member of JSON',
			{
				contentMode: 'json',
				content: JSON.stringify({
					'@type': 'RelationshipTemplateContent',
					onNewRelationship: {
						'@type': 'Request',
						items: [{ '@type': 'ConsentRequestItem', mustBeAccepted: true }],
					},
				}),
			},
			"The field 'Content' is not valid at 'onNewRelationship.items.0.consent'",
			'Expected text.',
		],
		[
			'an unknown type in JSON',
			{ contentMode: 'json', content: '{ "@type": "Foo" }' },
			"There is no type 'Foo'",
			"Check the spelling of '@type'; types are case sensitive.",
		],
	])('names %s as the form does', async (_, parameters, message, description) => {
		const words = await shown('relationshipTemplate', 'create', parameters);
		expect(words).toEqual({ message, description });
	});

	it('says which form an address has', async () => {
		const mail = { to: 'lin', subject: 'Hello', body: 'It is me.' };
		expect(await shown('message', 'sendMail', mail)).toEqual({
			message: "The field 'To' is not valid",
			description: "An address starts with 'did:e:' and ends with 22 letters and digits",
		});
	});

	it.each([
		['={{ $json.peer }}', "It is empty: did the step before return 'peer'?"],
		[
			"={{ $('Trigger').item.json['peer name'] }}",
			"It is empty: did the step before return 'peer name'?",
		],
		['={{ undefined }}', 'It is empty: the expression returned nothing'],
		['', 'Choose an entry of the list, or enter an ID'],
	])('asks for what the expression %s did not return', async (value, description) => {
		const to = { __rl: true, mode: 'address', value };
		const words = await shown(
			'message',
			'sendMail',
			{ to: { ...to, value: '' }, subject: 'Hello', body: 'It is me.' },
			{ node: { ...testNode, parameters: { to } } },
		);
		expect(words).toEqual({ message: "The field 'To' is not valid", description });
	});

	it('asks for what an expression in an entry did not return', async () => {
		const items = [name, { kind: 'share', attribute: '={{ $json.id }}' }];
		const words = await shown(
			'relationshipTemplate',
			'create',
			template(name, { requestItems: { items: [name, { kind: 'share', attribute: '' }] } }),
			{ node: { ...testNode, parameters: { requestItems: { items } } } },
		);
		expect(words).toEqual({
			message: "The field 'Attribute' in entry 2 is not valid",
			description: "It is empty: did the step before return 'id'?",
		});
	});
});

describe('an error about a person', () => {
	const mail = (to: string): IDataObject => ({ to, subject: 'Hello', body: 'It is me.' });

	it.each<readonly [string, () => Promise<Words>, string]>([
		[
			'a mail before the relationship is accepted',
			() => shown('message', 'sendMail', mail(address)),
			'The relationship with Lin is not accepted yet',
		],
		[
			'an operation that the status does not allow',
			() => shown('relationship', 'end', { relationship: relationshipId }),
			"The relationship with Lin is not accepted yet; it can only be terminated while it is 'Active'",
		],
		[
			'a mail to an unknown address, which may be misspelled',
			() => shown('message', 'sendMail', mail(stranger)),
			`There is no active relationship with ${stranger}`,
		],
		[
			'a request to an unknown address',
			() => shown('message', 'sendRequest', { to: stranger, requestItems: { items: [consent] } }),
			`There is no relationship with ${stranger}`,
		],
	])('says the name instead of the address: %s', async (_, run, message) => {
		expect(await run()).toMatchObject({ message });
	});

	it('says that the relationship was terminated', async () => {
		const accept = { relationship: relationshipId };
		const accepted = await bench.one('relationship', 'accept', accept);
		// Being right twice is not a failure.
		expect(await bench.one('relationship', 'accept', accept)).toEqual(accepted);
		await bench.run('relationship', 'end', { relationship: relationshipId });
		expect(await shown('message', 'sendMail', mail(address))).toMatchObject({
			message: 'The relationship with Lin was terminated',
		});
	});
});

describe('an error about the Backbone', () => {
	const at = (backboneUrl: string): Omit<StubOptions, 'parameters'> => ({
		credentials: { ...bench.credential, backboneUrl, accountName: 'elsewhere' },
	});

	it('keeps our title where n8n has a guess of its own', async () => {
		const words = await shown('account', 'sync', {}, at('http://127.0.0.1:9'));
		expect(words).toEqual({
			message: expect.stringMatching(
				/^The Backbone at 127\.0\.0\.1:9 could not be called: nothing/,
			),
			description: 'Check the Backbone address and that it can be reached from this machine.',
		});
	});

	it('names the field of the credential', async () => {
		const wrong = { credentials: { ...bench.credential, accountName: 'no/slashes' } };
		expect(await shown('account', 'sync', {}, wrong)).toMatchObject({
			message: "The field 'Account Name' of the credential is not valid",
			description: expect.stringMatching(/^Expected at most 64 letters/),
		});
	});
});

describe('a request that cannot be sent to a person', () => {
	const locator = (value: string): IDataObject => ({ __rl: true, mode: 'address', value });
	const waiting = { signedUrl: () => 'http://localhost/x', putToWait: () => {}, respond: () => {} };
	const ask = (to: string): Promise<Words> =>
		shown('outgoingRequest', 'sendAndWait', { to: locator(to), message: 'May we?' }, { waiting });

	it('says that no peer is connected under the address', async () => {
		expect(await ask(stranger)).toEqual({
			message: `There is no relationship with ${stranger}`,
			description: 'Establish a relationship with the peer first.',
		});
	});

	it('says that the person has left', async () => {
		const leaver = await bench.network.gateway();
		const { relationshipId: id, address: left } = await bench.connect(leaver);
		await bench.run('relationship', 'accept', {
			relationship: { __rl: true, mode: 'id', value: id },
		});
		await bench.network.settle(leaver);
		await leaver.relationships.terminate(id);
		await bench.settle();
		expect(await ask(left)).toEqual({
			message: expect.stringMatching(/^The relationship with .* terminated/),
			description: 'The relationship with the peer must be pending or active.',
		});
	});
});

describe('attachments of another shape than the form gives', () => {
	const files = 'Expected { "files": [ … ] }';
	it.each([
		[['FIL00000000000000000'], files],
		[{ file: [] }, files],
		[{ files: 'FIL00000000000000000' }, files],
		[{ files: [{ id: 'FIL00000000000000000' }] }, 'Expected an entry with fileSource'],
		[{ files: [{ fileSource: 'input', binaryPropertyName: '' }] }, 'It is empty'],
		['FIL00000000000000000', files],
	])('are refused instead of ignored: %j', async (attachments, reason) => {
		const before = bench.network.backbone.calls.count('POST', /Messages/);
		const words = await shown('message', 'sendMail', {
			to: { __rl: true, mode: 'address', value: address },
			subject: 'Files',
			body: 'attached',
			additionalFields: { attachments },
		});
		expect(words.message).toMatch(
			/^The field '(Attachments|File|Input Data Field Name)' is not valid$/,
		);
		expect(words.description).toContain(reason);
		expect(bench.network.backbone.calls.count('POST', /Messages/)).toBe(before);
	});

	it('are refused in the same way for entries of a request', async () => {
		const words = await shown('relationshipTemplate', 'create', {
			...template(name),
			askForTypes: ['Surname'],
			requestItems: [name],
		});
		expect(words.description).toContain('Expected { "items": [ … ] }');
	});
});
