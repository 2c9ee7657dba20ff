import { ownText } from '../../core/model/json';
import { arrivals, settle } from '../support/gateways';
import jsQR from 'jsqr';
import type { IDataObject, INodeExecutionData, NodeExecutionHint } from 'n8n-workflow';
import { PNG } from 'pngjs';
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

const locator = (value: unknown) => ({ __rl: true, mode: 'id', value });

/** A relationship as the list shows it. */
async function shownRelationship(id: string): Promise<IDataObject | undefined> {
	const items = await bench.run('relationship', 'getAll', { returnAll: true });
	return items.find(({ json }) => json['id'] === id)?.json;
}

describe('the account', () => {
	it('has an identity from the first use on, always the same', async () => {
		const first = await bench.one('account', 'getIdentity');
		expect(first).toEqual({
			address: expect.stringMatching(/^did:e:localhost:dids:[0-9a-f]{22}$/),
			publicKey: expect.any(String),
			syncStatus: expect.objectContaining({ pendingEvents: 0 }),
		});
		expect(await bench.one('account', 'getIdentity')).toEqual(first);
	});

	it('tells when it was in step last', async () => {
		await bench.settle();
		const { syncStatus } = await bench.one('account', 'getIdentity');
		expect(syncStatus).toEqual({
			lastSyncAt: expect.stringMatching(/^\d{4}-/),
			pushConnected: false,
			push: { state: 'off', message: expect.stringContaining('next sync') },
			pendingEvents: 0,
			unresolvedSends: 0,
			parkedEvents: [],
			consumers: [],
			problemCounts: { receivedEvent: 0, delivery: 0, sending: 0, unfinishedChange: 0, wait: 0 },
		});
	});
});

describe('stopping the execution', () => {
	it('stops the work, also with continue on fail', async () => {
		const stop = new AbortController();
		bench.network.backbone.faults.add({
			method: 'POST',
			path: /RelationshipTemplates/,
			action: { kind: 'delay', durationMs: 3_000 },
		});
		const arrived = bench.network.backbone.faults.onNext('POST', /RelationshipTemplates/);
		const parameters = {
			title: 'x',
			requestItems: { items: [{ kind: 'askFor', valueType: 'Surname' as const }] },
		};
		const running = bench.run('relationshipTemplate', 'create', [parameters, parameters], {
			signal: stop.signal,
			continueOnFail: true,
		});
		const failure = expect(running).rejects.toMatchObject({
			message: 'The execution was canceled',
		});
		await arrived;
		stop.abort();
		await failure;
	});
});

describe('attributes', () => {
	it('are created with type and value, found by id, and listed', async () => {
		const created = await bench.one('attribute', 'create', {
			valueType: 'DisplayName',
			value: ' Example Organisation ',
		});
		expect(created).toMatchObject({ type: 'DisplayName', value: 'Example Organisation' });
		const id = created['id'];
		expect(await bench.one('attribute', 'get', { attribute: locator(id) })).toEqual(created);
		const listed = await bench.run('attribute', 'getAll', {
			filters: { valueTypes: ['DisplayName'] },
		});
		expect(listed).toEqual([{ json: created, pairedItem: { item: 0 } }]);
	});

	it('come as the whole record when it is not to be simplified', async () => {
		const { id } = await bench.one('attribute', 'create', {
			valueType: 'EMailAddress',
			value: 'office@example.org',
		});
		const raw = await bench.one('attribute', 'get', { attribute: locator(id), simplify: false });
		expect(raw).toMatchObject({
			content: { '@type': 'IdentityAttribute', value: { '@type': 'EMailAddress' } },
		});
	});

	it('with a value that breaks the rules are refused with the exact code', async () => {
		await expect(
			bench.run('attribute', 'create', { valueType: 'EMailAddress', value: 'not an address' }),
		).rejects.toMatchObject({
			context: { itemIndex: 0, code: 'error.runtime.requestDeserialization' },
		});
	});
});

describe('relationship templates', () => {
	it('are created from a form, with link and a QR code that a scanner reads', async () => {
		const attribute = await bench.one('attribute', 'create', {
			valueType: 'GivenName',
			value: 'Office',
		});
		const [item] = await bench.run('relationshipTemplate', 'create', {
			title: 'Newsletter',
			requestItems: {
				items: [
					{ kind: 'share', attribute: locator(attribute['id']), mustBeAccepted: false, group: '' },
					{ kind: 'askFor', valueType: 'EMailAddress', mustBeAccepted: true, group: 'Contact' },
					{ kind: 'askFor', valueType: 'Surname', mustBeAccepted: false, group: 'Contact' },
				],
			},
			options: { maxNumberOfAllocations: 2 },
			simplify: false,
		});
		const { json, binary } = item as INodeExecutionData;
		expect(json).toMatchObject({
			title: 'Newsletter',
			link: expect.stringMatching(/^http:\/\/localhost:\d+\/r\/RLT/),
			maxNumberOfAllocations: 2,
			content: {
				onNewRelationship: {
					items: [
						{ '@type': 'ShareAttributeRequestItem', sourceAttributeId: attribute['id'] },
						{
							'@type': 'RequestItemGroup',
							title: 'Contact',
							items: [
								{ query: { valueType: 'EMailAddress' } },
								{ query: { valueType: 'Surname' }, mustBeAccepted: false },
							],
						},
					],
				},
			},
		});
		expect(binary?.['data']).toMatchObject({ mimeType: 'image/png' });
		expect(decode(binary?.['data']?.data)).toBe(json['link']);
	});

	it('give what shows their QR code, and no more', async () => {
		const created = await bench.one('relationshipTemplate', 'create', {
			title: 'Newsletter',
			requestItems: { items: [{ kind: 'askFor', valueType: 'Surname' }] },
		});
		const names = ['id', 'title', 'link', 'truncatedReference', 'expiresAt'];
		expect(Object.keys(created)).toEqual(names);
	});

	it('expire after the days given, or at a time of the workflow', async () => {
		const form = {
			title: 'x',
			requestItems: { items: [{ kind: 'askFor', valueType: 'Surname' as const }] },
		};
		const inDays = await bench.one('relationshipTemplate', 'create', { ...form, expiresInDays: 2 });
		const distance = Date.parse(String(inDays['expiresAt'])) - Date.now();
		expect(Math.round(distance / 3_600_000)).toBe(48);
		const [onDate] = await bench.run(
			'relationshipTemplate',
			'create',
			{ ...form, expires: 'onDate', expiresAt: '2099-06-01T12:00:00' },
			{ timezone: 'Europe/Berlin' },
		);
		expect(onDate?.json['expiresAt']).toBe('2099-06-01T10:00:00.000Z');
	});

	it('can be written as JSON', async () => {
		const content = {
			'@type': 'ArbitraryRelationshipTemplateContent' as const,
			value: { any: 'thing' },
		};
		const created = await bench.one('relationshipTemplate', 'create', {
			contentMode: 'json',
			content: JSON.stringify(content),
			simplify: false,
		});
		expect(created['content']).toEqual(content);
	});

	it('with a password say in the reference whether it is a PIN', async () => {
		const created = await bench.one('relationshipTemplate', 'create', {
			title: 'Protected',
			requestItems: { items: [{ kind: 'askFor', valueType: 'Surname' }] },
			options: { password: '123456', passwordLocationIndicator: 'SMS' },
			simplify: false,
		});
		expect(created['passwordProtection']).toEqual({
			password: '123456',
			passwordIsPin: true,
			passwordLocationIndicator: 'SMS',
		});
	});

	it('that ask for nothing are refused with the fields to fill in', async () => {
		await expect(bench.run('relationshipTemplate', 'create', { title: 'x' })).rejects.toMatchObject(
			{
				message: 'The request is empty',
				description: "Choose something under 'Ask For', or add an entry under 'Entries'",
			},
		);
	});

	it.each([
		[{ title: '' }, "The field 'Title' is not valid"],
		[{ title: 'x', expires: 'onDate', expiresAt: 'soon' }, "The field 'Expires At' is not valid"],
		[{ contentMode: 'json', content: '{' }, "The field 'Content' is not valid"],
		[
			{ title: 'x', options: { maxNumberOfAllocations: 0 } },
			"The field 'Max Number of Uses' is not valid",
		],
	])('with %j are refused: %s', async (parameters, message) => {
		const requestItems = { items: [{ kind: 'askFor', valueType: 'Surname' as const }] };
		await expect(
			bench.run('relationshipTemplate', 'create', { requestItems, ...parameters }),
		).rejects.toThrow(message);
	});

	it('are listed by title, and their QR code is drawn again', async () => {
		const created = await bench.one('relationshipTemplate', 'create', {
			title: 'Poster in the hall',
			requestItems: { items: [{ kind: 'askFor', valueType: 'Surname' }] },
		});
		const [found, ...others] = await bench.run('relationshipTemplate', 'getAll', {
			filters: { title: 'poster', onlyValid: true, createdBy: 'me' },
		});
		expect(others).toEqual([]);
		expect(found?.json).toMatchObject({ id: created['id'], title: 'Poster in the hall' });
		const [drawn] = await bench.run('relationshipTemplate', 'get', {
			drawQrCode: true,
			template: locator(created['id']),
			binaryPropertyName: 'picture',
		});
		expect(decode(drawn?.binary?.['picture']?.data)).toBe(created['link']);
		const [older] = await bench.run('relationshipTemplate', 'get', {
			drawQrCode: true,
			template: locator(created['id']),
			qrCodeFormat: 'reference',
		});
		const text = `nmshd://tr#${String(created['truncatedReference'])}`;
		expect(decode(older?.binary?.['data']?.data)).toBe(text);
	});

	it('are got by id, loaded by another account, and deleted', async () => {
		const created = await bench.one('relationshipTemplate', 'create', {
			title: 'To be deleted',
			requestItems: { items: [{ kind: 'askFor', valueType: 'Surname' }] },
			options: { password: '1234' },
			simplify: false,
		});
		const template = locator(created['id']);
		const shown = await bench.one('relationshipTemplate', 'get', { template });
		expect(shown).toMatchObject({ id: created['id'], title: 'To be deleted', isOwn: true });
		const whole = await bench.one('relationshipTemplate', 'get', { template, simplify: false });
		expect(whole).toMatchObject({ content: created['content'], link: created['link'] });

		const other = { credentials: { ...bench.credential, accountName: 'other' } };
		const reference = { reference: created['link'] };
		const open = { ...reference, password: '1234' };
		await expect(bench.run('account', 'loadFromReference', reference, other)).rejects.toMatchObject(
			{ context: { code: 'error.transport.noPasswordProvided' } },
		);
		const [loaded] = await bench.run('account', 'loadFromReference', open, other);
		expect(loaded?.json).toMatchObject({
			type: 'RelationshipTemplate',
			id: created['id'],
			template: { isOwn: false },
		});

		expect(await bench.one('relationshipTemplate', 'delete', { template })).toEqual({
			deleted: true,
		});
		const code = 'error.runtime.recordNotFound';
		await expect(bench.run('relationshipTemplate', 'get', { template })).rejects.toMatchObject({
			context: { code },
		});
		await expect(bench.run('account', 'loadFromReference', open, other)).rejects.toMatchObject({
			context: { code },
		});
	});
});

describe('relationships and messages', () => {
	it('go from a scanned template to mail in both directions', async () => {
		const { relationshipId, address } = await bench.connect();

		const pending = await shownRelationship(relationshipId);
		expect(pending).toMatchObject({
			status: 'Pending',
			peer: address,
			sharedAttributes: {},
			templateId: expect.stringMatching(/^RLT/),
		});

		const accepted = await bench.one('relationship', 'accept', {
			relationship: locator(relationshipId),
		});
		expect(accepted).toMatchObject({ id: relationshipId, status: 'Active' });

		const mail = { to: locator(address), subject: 'Welcome', body: ' Hello Ada,\nnice. ' };
		const sent = await bench.one('message', 'sendMail', mail);
		expect(sent).toMatchObject({
			type: 'Mail',
			direction: 'sent',
			recipients: [address],
			body: mail.body,
			bodyFormat: 'PlainText',
		});
		const { messages } = await arrivals(bench.wallet);
		expect(messages.map(({ content }) => ownText(content, 'body'))).toEqual([mail.body]);

		const hints: NodeExecutionHint[] = [];
		const inMarkdown = {
			...mail,
			body: 'In **Markdown**',
			additionalFields: { isMarkdown: true },
		};
		const [formatted] = await bench.run('message', 'sendMail', inMarkdown, { hints });
		expect(formatted?.json).toMatchObject({ bodyFormat: 'Markdown' });
		expect(hints).toMatchObject([{ message: expect.stringContaining('plain text') }]);
		expect((await arrivals(bench.wallet)).messages).toMatchObject([
			{ content: { bodyFormat: 'Markdown' } },
		]);

		const ours = String((await bench.one('account', 'getIdentity'))['address']);
		await bench.wallet.messages.send({
			recipients: [ours],
			content: { '@type': 'Mail', to: [ours], subject: 'Thanks', body: 'Hi' },
		});
		bench.network.backbone.queues.deliverAll();
		const synced = await bench.one('account', 'sync');
		expect(synced['messages']).toMatchObject([{ subject: 'Thanks', sender: address }]);
		const received = await bench.run('message', 'getAll', {
			filters: { direction: 'received', peer: locator(address), subject: 'thank' },
		});
		expect(received.map(({ json }) => json['subject'])).toEqual(['Thanks']);
		const message = locator(received[0]?.json['id']);
		expect(await bench.one('message', 'get', { message })).toMatchObject({ isRead: false });
		const read = await bench.one('message', 'get', { message, markAsRead: true });
		expect(read).toMatchObject({ subject: 'Thanks', isRead: true });
		const whole = await bench.one('message', 'get', { message, simplify: false });
		expect(whole).toMatchObject({ wasReadAt: expect.any(String), content: { '@type': 'Mail' } });

		const later = { filters: { since: new Date(Date.now() + 60_000).toISOString() } };
		expect(await bench.run('message', 'getAll', later)).toEqual([]);
		const active = await bench.run('relationship', 'getAll', {
			filters: { statuses: ['Active'], peer: locator(address) },
		});
		expect(active.map(({ json }) => json['id'])).toEqual([relationshipId]);
	});

	it('are ended, brought back and removed, as each side wants', async () => {
		const wallet = bench.wallet.relationships;
		const [active] = await bench.run('relationship', 'getAll', {
			filters: { statuses: ['Active'] },
		});
		const id = String(active?.json['id']);
		const end = (ending: string) =>
			bench.one('relationship', 'end', { relationship: locator(id), ending });
		const reactivate = (step: string) =>
			bench.one('relationship', 'reactivate', { relationship: locator(id), step });
		const atWallet = async () => {
			await settle(bench.wallet);
			const { auditLog } = await wallet.get(id);
			return auditLog.at(-1)?.reason;
		};
		const syncAfter = async (work: Promise<unknown>) => {
			await work;
			await bench.settle();
		};

		expect(await end('terminate')).toMatchObject({ id, status: 'Terminated' });
		expect(await reactivate('requestReactivation')).toMatchObject({
			id,
			status: 'Terminated',
			reactivationRequestedBy: 'me',
		});
		expect(await atWallet()).toBe('ReactivationRequested');
		const revoked = await reactivate('revokeReactivation');
		expect(revoked).toMatchObject({ id, status: 'Terminated' });
		expect(revoked).not.toHaveProperty('reactivationRequestedBy');
		expect(await atWallet()).toBe('RevocationOfReactivation');
		await syncAfter(wallet.requestReactivation(id));
		expect(await shownRelationship(id)).toMatchObject({ reactivationRequestedBy: 'peer' });
		expect(await reactivate('rejectReactivation')).toMatchObject({ id, status: 'Terminated' });
		expect(await atWallet()).toBe('RejectionOfReactivation');
		await syncAfter(wallet.requestReactivation(id));
		expect(await reactivate('acceptReactivation')).toMatchObject({ id, status: 'Active' });
		expect(await atWallet()).toBe('AcceptanceOfReactivation');

		await expect(end('decompose')).rejects.toMatchObject({
			context: { code: 'error.transport.relationships.wrongRelationshipStatus' },
		});
		await end('terminate');
		expect(await end('decompose')).toEqual({ deleted: true });
		expect(await shownRelationship(id)).toBeUndefined();
		await settle(bench.wallet);
		await wallet.decompose(id);
	});

	it('can begin from a template of a peer, and be taken back', async () => {
		const content = { '@type': 'ArbitraryRelationshipTemplateContent' as const, value: 'Come in' };
		const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
		const host = await bench.network.gateway();
		const { truncatedReference: reference } = await host.templates.create({ expiresAt, content });
		const only = await bench.one('account', 'loadFromReference', { reference });
		expect(only).not.toHaveProperty('relationship');
		const loaded = await bench.one('account', 'loadFromReference', { reference, connect: true });
		const created = loaded['relationship'] as IDataObject;
		const peer = (await host.account.getIdentity()).address;
		expect(created).toMatchObject({ status: 'Pending', peer, templateId: only['id'] });
		const { relationships } = await arrivals(host);
		expect(relationships).toMatchObject([
			{ id: created['id'], creationContent: { value: {} }, status: 'Pending' },
		]);
		const relationship = locator(created['id']);
		expect(
			await bench.one('relationship', 'end', { relationship, ending: 'revoke' }),
		).toMatchObject({
			status: 'Revoked',
		});
		await expect(
			bench.run('account', 'loadFromReference', {
				reference,
				connect: true,
				creationContent: 'Hello',
			}),
		).rejects.toThrow("The field 'Creation Content' is not valid");
	});

	it('say when the peer is going to be deleted', async () => {
		const { relationshipId, address } = await bench.connect();
		const relationship = locator(relationshipId);
		const identity = bench.network.backbone.state.identities.get(address);
		if (identity === undefined) throw new Error('The sandbox does not know the wallet');
		const { deletions } = bench.network.backbone;
		const process = deletions.start(identity, { device: 'DVC1' });
		await bench.settle();
		expect(await shownRelationship(relationshipId)).toMatchObject({
			peerDeletionStatus: 'ToBeDeleted',
			peerDeletionDate: process.gracePeriodEndsAt,
		});
		deletions.cancel(identity, process, { device: 'DVC1' });
		await bench.settle();
		await bench.run('relationship', 'reject', { relationship });
		await settle(bench.wallet);
	});

	it('cannot be revoked by the recipient', async () => {
		const { relationshipId } = await bench.connect();
		const relationship = locator(relationshipId);
		await expect(
			bench.run('relationship', 'end', { relationship, ending: 'revoke' }),
		).rejects.toMatchObject({
			context: { code: 'error.transport.relationships.operationOnlyAllowedForPeer' },
		});
		await bench.run('relationship', 'accept', { relationship });
	});

	it('are returned when they are accepted twice, unless the workflow wants an error', async () => {
		const [active] = await bench.run('relationship', 'getAll', {
			filters: { statuses: ['Active'] },
		});
		const relationship = locator(active?.json['id']);
		const again = await bench.one('relationship', 'accept', { relationship });
		expect(again).toMatchObject({ id: active?.json['id'], status: 'Active' });
		await expect(
			bench.run('relationship', 'accept', { relationship, ifActive: 'fail' }),
		).rejects.toMatchObject({
			context: { code: 'error.transport.relationships.wrongRelationshipStatus' },
		});
	});

	it('that are over cannot be accepted, and no error is hidden', async () => {
		const { relationshipId } = await bench.connect(await bench.network.gateway());
		const relationship = locator(relationshipId);
		await bench.run('relationship', 'reject', { relationship });
		await expect(bench.run('relationship', 'accept', { relationship })).rejects.toMatchObject({
			context: { code: 'error.transport.relationships.wrongRelationshipStatus' },
		});
	});

	it('do not allow mail to strangers', async () => {
		const stranger = 'did:e:localhost:dids:00000000000000000000aa';
		await expect(
			bench.run('message', 'sendMail', { to: locator(stranger), subject: 'x', body: 'y' }),
		).rejects.toMatchObject({
			context: { code: 'error.transport.messages.missingOrInactiveRelationship' },
		});
	});

	it('are not listed since a time that is none', async () => {
		await expect(
			bench.run('message', 'getAll', { filters: { since: 'yesterday' } }),
		).rejects.toThrow("The field 'Since' is not valid");
	});

	it('say that an unknown relationship is unknown, with the id', async () => {
		await expect(
			bench.run('relationship', 'reject', { relationship: locator('REL00000000000000000') }),
		).rejects.toThrow(/REL00000000000000000/);
	});
});

describe('several items', () => {
	it('are linked one by one, and a failed one does not stop the others', async () => {
		const values = ['One', '', 'Three'].map((value) => ({ valueType: 'Surname', value }));
		const items = await bench.run('attribute', 'create', values, { continueOnFail: true });
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual([
			{ item: 0 },
			{ item: 1 },
			{ item: 2 },
		]);
		expect(items.map(({ json }) => json['value'] ?? json['error'])).toEqual([
			'One',
			"The field 'Value' is not valid",
			'Three',
		]);
		expect(items[1]?.error).toBeDefined();
		expect(items[1]?.json).toEqual({
			error: "The field 'Value' is not valid",
			message: "The field 'Value' is not valid",
			description: 'It is empty',
			code: 'error.runtime.validation.invalidPropertyValue',
		});
	});

	it('can address different accounts', async () => {
		const credentials = ['first', 'second', 'first'].map((accountName) => ({
			...bench.credential,
			accountName,
		}));
		const items = await bench.run('account', 'getIdentity', [{}, {}, {}], { credentials });
		const [first, second, third] = items.map(({ json }) => json['address']);
		expect(first).not.toEqual(second);
		expect(third).toEqual(first);
	});

	it('all fail at once when the gateway does not open', async () => {
		const tokenCalls = () => bench.network.backbone.calls.count('POST', /connect\/token/);
		const before = tokenCalls();
		const credential: IDataObject = {
			...bench.credential,
			accountName: 'x',
			clientSecret: 'wrong',
		};
		const items = await bench.run('account', 'getIdentity', [{}, {}, {}], {
			credentials: credential,
			continueOnFail: true,
		});
		for (const { json } of items) {
			expect(json['error']).toContain('error.transport.general.platformClientInvalid');
		}
		expect(tokenCalls() - before).toBeLessThanOrEqual(1);
	});
});

function decode(base64: string | undefined): string | undefined {
	const png = PNG.sync.read(Buffer.from(base64 ?? '', 'base64'));
	return jsQR(new Uint8ClampedArray(png.data), png.width, png.height)?.data;
}
