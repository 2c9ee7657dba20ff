import { judged, type Gateway } from '../../../core';
import { failureOf } from '../../core/backbone/fixture-server';
import { arrivals, relate, SandboxNetwork } from '../../support/gateways';

/* Announcements, tags and Backbone notifications (docs/protocol/transport.md 12, backbone-api.md 18) */
const invalidProperty = 'error.runtime.validation.invalidPropertyValue';
const minuteMs = 60_000;
let network: SandboxNetwork;
let gateway: Gateway;
let nowMs: number;

beforeEach(async () => {
	network = await SandboxNetwork.open();
	nowMs = Date.now();
	gateway = await network.gateway(network.config(), { clock: { now: () => nowMs } });
});

afterEach(() => network.close());

const answer = (path: RegExp, result: unknown) =>
	network.backbone.faults.add({
		path,
		times: 10,
		action: { kind: 'status', status: 200, body: { result } },
	});

describe('announcements', () => {
	const texts = { en: { title: 'Hello', body: 'World' }, de: { title: 'Hallo', body: 'Welt' } };

	it('are the ones of the operator, in the language that was asked for', async () => {
		const { operatorTexts } = network.backbone;
		const { address } = await gateway.account.getIdentity();
		const plain = { texts, recipients: [], iqlQuery: null, actions: [] };
		const first = operatorTexts.announce({ ...plain, severity: 'Low', expiresAt: null });
		const expiresAt = new Date(nowMs + minuteMs).toISOString();
		const second = operatorTexts.announce({
			...{ texts, expiresAt, severity: 'High', iqlQuery: 'GivenName', recipients: [address] },
			actions: [{ displayName: { en: 'Read', de: 'Lesen' }, link: 'https://example.com' }],
		});
		operatorTexts.announce({
			...{ ...plain, severity: 'Low', expiresAt: null },
			recipients: [`${address.slice(0, -22)}${'0'.repeat(22)}`],
		});
		expect(await gateway.announcements.list({ language: 'de' })).toEqual([
			{
				...{ id: first.id, createdAt: new Date(first.createdAt).toISOString(), severity: 'Low' },
				...{ title: 'Hallo', body: 'Welt', actions: [] },
			},
			{
				...{
					id: second.id,
					createdAt: new Date(second.createdAt).toISOString(),
					expiresAt,
					severity: 'High',
				},
				...{ title: 'Hallo', body: 'Welt' },
				actions: [{ displayName: 'Lesen', link: 'https://example.com' }],
			},
		]);
		const [english] = await gateway.announcements.list({ language: 'en' });
		expect(english).toMatchObject({ title: 'Hello', body: 'World' });
	});

	it.each([undefined, {}, { language: 'xx' }, { language: 'EN' }, { language: 'en', more: 1 }])(
		'are not asked for with %j',
		async (input) => {
			expect((await failureOf(gateway.announcements.list(judged(input)))).code).toBe(
				invalidProperty,
			);
			expect(network.backbone.calls.count('GET', /Announcements/)).toBe(0);
		},
	);

	it('that cannot be read are left out, and those beside them are shown', async () => {
		const readable = { id: 'ANC2', createdAt: new Date(nowMs).toISOString(), severity: 'Huge' };
		answer(/Announcements/, [{ id: 'ANC1' }, { ...readable, title: 'Hello', body: 'World' }]);
		expect(await gateway.announcements.list({ language: 'en' })).toMatchObject([
			{ ...readable, title: 'Hello' },
		]);
	});
});

describe('the tag collection', () => {
	const asked = (): number => network.backbone.calls.count('GET', /Tags/);
	const statuses = (): number[] =>
		network.backbone.calls.entries
			.filter(({ path }) => path.includes('Tags'))
			.map(({ status }) => status);

	it('is asked for once in five minutes, and sent when it has changed', async () => {
		const first = await gateway.tags.collection();
		expect(first).toEqual(network.backbone.operatorTexts.tags);
		nowMs += 5 * minuteMs - 1;
		expect(await gateway.tags.collection()).toEqual(first);
		expect(asked()).toBe(1);
		nowMs += 1;
		expect(await gateway.tags.collection()).toEqual(first);
		expect(statuses()).toEqual([200, 304]);
		const tags = { supportedLanguages: ['en'], tagsForAttributeValueTypes: {} };
		network.backbone.operatorTexts.tags = tags;
		expect(await gateway.tags.collection()).toEqual(first);
		nowMs += 5 * minuteMs;
		expect(await gateway.tags.collection()).toEqual(tags);
		expect(statuses()).toEqual([200, 304, 200]);
	});

	it('is asked for again after the clock was put back', async () => {
		await gateway.tags.collection();
		nowMs -= 1;
		await gateway.tags.collection();
		expect(asked()).toBe(2);
	});

	it('is one question for all who ask at once, even if one of them gives up', async () => {
		const abort = new AbortController();
		const all = [
			failureOf(gateway.tags.collection({ signal: abort.signal })),
			gateway.tags.collection(),
			gateway.tags.collection(),
		];
		abort.abort(new Error('given up'));
		const [aborted, ...others] = await Promise.all(all);
		expect(aborted).toMatchObject({ message: 'given up' });
		expect(others).toEqual([
			network.backbone.operatorTexts.tags,
			network.backbone.operatorTexts.tags,
		]);
		expect(asked()).toBe(1);
	});

	it('of before is not forgotten when the Backbone fails', async () => {
		const first = await gateway.tags.collection();
		nowMs += 5 * minuteMs;
		answer(/Tags/, { supportedLanguages: 'en' });
		expect((await failureOf(gateway.tags.collection())).code).toBe(
			'error.gateway.backbone.unexpectedAnswer',
		);
		network.backbone.faults.clear();
		expect(await gateway.tags.collection()).toEqual(first);
		expect(statuses().at(-1)).toBe(304);
	});
});

describe('a Backbone notification', () => {
	const codes = 'error.transport.backboneNotifications';
	const stranger = `did:e:localhost:dids:${'a'.repeat(22)}`;

	it('goes to peers, each once, and never twice', async () => {
		const peer = await network.gateway();
		const { addressA: own, addressB: address } = await relate(gateway, peer);
		await gateway.backboneNotifications.send({ recipients: [address, address], code: 'test' });
		expect(network.backbone.operatorTexts.notifications).toMatchObject([
			{ from: own, recipients: [address], code: 'test' },
		]);
		network.backbone.faults.add({
			method: 'POST',
			path: /Notifications/,
			action: { kind: 'cutAfter' },
		});
		const sending = gateway.backboneNotifications.send({ recipients: [address], code: 'test' });
		expect((await failureOf(sending))['kind']).toBe('unavailable');
		expect(network.backbone.operatorTexts.notifications).toHaveLength(2);
		// The peer's gateway is not a phone: nothing reaches it.
		expect(await arrivals(peer)).toMatchObject({ messages: [], pendingFailures: [] });
	});

	it('with a code that is not configured is refused by the Backbone', async () => {
		const { addressB } = await relate(gateway, await network.gateway());
		for (const code of ['test', 'greeting']) {
			network.backbone.operatorTexts.configureNotification(code, {
				en: { title: 'Hi', body: 'Hello' },
			});
		}
		const sending = gateway.backboneNotifications.send({ recipients: [addressB], code: 'other' });
		expect(await failureOf(sending)).toMatchObject({
			code: 'error.platform.validation.notification.codeDoesNotExist',
			message: expect.stringMatching(/configured: .*greeting/) as string,
			remedy: expect.stringContaining('operator') as string,
		});
	});

	it.each([
		[{ recipients: [], code: 'test' }, `${codes}.atLeastOneRecipientRequired`],
		[{ recipients: [stranger], code: '' }, `${codes}.codeMustNotBeEmpty`],
		[{ recipients: [stranger], code: 'test' }, `${codes}.noActiveRelationshipFoundForRecipients`],
		[{ recipients: ['stranger'], code: 'test' }, invalidProperty],
		[{ recipients: Array<string>(101).fill(stranger), code: 'test' }, invalidProperty],
		[{ recipients: [stranger] }, invalidProperty],
		[{ recipients: [stranger], code: 'test', more: 1 }, invalidProperty],
		[undefined, invalidProperty],
	])('is not sent from %j', async (input, code) => {
		expect((await failureOf(gateway.backboneNotifications.send(judged(input)))).code).toBe(code);
		expect(network.backbone.calls.count('POST', /Notifications/)).toBe(0);
	});

	it('goes to no recipient when one of them is no longer a peer', async () => {
		const [one, other] = [await network.gateway(), await network.gateway()];
		const { addressB } = await relate(gateway, one);
		const { addressB: former, relationshipId } = await relate(gateway, other);
		await gateway.relationships.terminate(relationshipId);
		const sending = gateway.backboneNotifications.send({
			recipients: [addressB, former],
			code: 'test',
		});
		expect(await failureOf(sending)).toMatchObject({
			code: `${codes}.noActiveRelationshipFoundForRecipients`,
			facts: { addresses: [former] },
		});
	});
});
