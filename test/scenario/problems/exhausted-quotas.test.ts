import { workIn } from '../../support/records';
import { ownText } from '../../../core/model/json';
import type { Gateway } from '../../../core';
import { partsOf } from '../../../core/gateway/gateway-parts';
import { failureOf } from '../../core/backbone/fixture-server';
import { inOneHour, mailTo, relate, SandboxNetwork, settle } from '../../support/gateways';

jest.setTimeout(60_000);

const code = 'error.platform.quotaExhausted';
const once = { idempotencyKey: 'once' };
const posts = /\/Messages$/;
const outcomeUnknown = 'error.gateway.messages.outcomeUnknown';

let network: SandboxNetwork;
let a: Gateway;
let b: Gateway;
let addressA: string;
let addressB: string;

beforeEach(async () => {
	network = await SandboxNetwork.open({ behaviour: 'kind' });
	a = await network.gateway();
	b = await network.gateway();
	({ addressA, addressB } = await relate(a, b));
	await a.messages.send(mailTo(addressB, 'before'));
});
afterEach(() => network.close());

/** Replaces the quotas of the gateway. */
const limit = async (...metricKeys: string[]): Promise<void> => {
	const address = addressA;
	const quotas = metricKeys.map((metricKey) => ({ metricKey, period: 'Day', max: 0, address }));
	const answer = await fetch(`${network.backbone.localUrl}/admin/quotas`, {
		method: 'PUT',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify({ quotas }),
	});
	expect(answer.status).toBe(204);
};

const posted = (): number => network.backbone.calls.count('POST', posts);

const template = () =>
	a.templates.create({
		expiresAt: inOneHour(),
		content: { '@type': 'ArbitraryRelationshipTemplateContent', value: 1 },
	});

const upload = () =>
	a.files.upload(
		{ filename: 'a.txt', mimetype: 'text/plain', expiresAt: inOneHour() },
		Buffer.from('a'),
	);

describe('a call that an exhausted quota refuses', () => {
	it('to send a mail has sent nothing and leaves nothing, and the same key sends later', async () => {
		await limit('NumberOfSentMessages');
		const refused = await failureOf(a.messages.send(mailTo(addressB, 'later'), once));
		expect(refused).toMatchObject({
			code,
			facts: {
				metricKeys: ['NumberOfSentMessages'],
				isExhaustedUntil: expect.stringMatching(/^\d{4}-.*Z$/) as string,
			},
			message: expect.stringMatching(/quota.*NumberOfSentMessages.*renewed at \d{4}-/) as string,
		});
		expect((await a.account.getSyncStatus()).unresolvedSends).toBe(0);
		expect(await a.problems.list()).toEqual([]);
		await limit();
		await a.messages.send(mailTo(addressB, 'later'), once);
		await settle(b);
		expect((await b.messages.list()).map(({ content }) => ownText(content, 'subject'))).toEqual([
			...['before', 'later'],
		]);
	});

	it.each([
		['NumberOfFiles', upload],
		['NumberOfRelationshipTemplates', template],
		[
			'NumberOfTokens',
			() => a.tokens.create({ content: { value: 1 }, expiresAt: inOneHour(), ephemeral: true }),
		],
	])('%s, says so and leaves nothing', async (metric, call: () => Promise<unknown>) => {
		await limit(metric);
		expect(await failureOf(call())).toMatchObject({ code, facts: { metricKeys: [metric] } });
		expect(await a.problems.list()).toEqual([]);
		await limit();
		await call();
	});

	it('to accept a relationship leaves it pending, without an open operation', async () => {
		const { truncatedReference: reference } = await template();
		const c = await network.gateway();
		const loaded = await c.templates.loadPeer({ reference });
		const { id } = await c.relationships.create({
			templateId: loaded.id,
			creationContent: { '@type': 'ArbitraryRelationshipCreationContent', value: 1 },
		});
		await settle(a);
		await limit('NumberOfRelationships');
		expect(await failureOf(a.relationships.accept(id))).toMatchObject({ code });
		const { store } = partsOf(a);
		expect(await workIn(store, id)).toBeUndefined();
		await limit();
		expect(await a.relationships.accept(id)).toMatchObject({ status: 'Active' });
	});

	it('to answer a request keeps the answer, which is sent once the quota is renewed', async () => {
		const item = {
			'@type': 'AuthenticationRequestItem' as const,
			mustBeAccepted: true,
			title: 'Log in',
		};
		const request = await b.outgoingRequests.create({ content: { items: [item] }, peer: addressA });
		await b.messages.send({ recipients: [addressA], content: request.content });
		await settle(a);
		await limit('NumberOfSentMessages');
		await a.incomingRequests.accept(request.id, { items: [{ accept: true }] });
		expect(await a.incomingRequests.get(request.id)).toMatchObject({ status: 'Decided' });
		await limit();
		await settle(a);
		await settle(b);
		expect(await b.outgoingRequests.get(request.id)).toMatchObject({ status: 'Completed' });
	});
});

it('an identity that is to be deleted is told so before the call, until the deletion is cancelled', async () => {
	await a.identityDeletion.initiate();
	const before = posted();
	const leaving = 'error.gateway.identity.toBeDeleted';
	for (const call of [
		() => a.messages.send(mailTo(addressB, 'after'), once),
		template,
		upload,
	] as Array<() => Promise<unknown>>) {
		expect(await failureOf(call())).toMatchObject({
			code: leaving,
			message: expect.stringContaining('to be deleted') as string,
			remedy: expect.stringContaining('cancel its deletion') as string,
			facts: { gracePeriodEndsAt: expect.any(String) as string },
		});
	}
	expect(posted()).toBe(before);
	expect(await a.problems.list()).toEqual([]);
	await a.identityDeletion.cancel();
	await a.messages.send(mailTo(addressB, 'after'), once);
	await template();
});

it('a deletion that support has started is named after the refusal', async () => {
	network.backbone.deletions.start(
		network.backbone.state.identities.get(addressA) as never,
		'support',
	);
	expect(await failureOf(a.messages.send(mailTo(addressB, 'after')))).toMatchObject({
		code: 'error.gateway.identity.toBeDeleted',
	});
	expect(await a.problems.list()).toEqual([]);
});

it.each([
	['408', 408],
	['429', 429],
])('a %s without a code of the Backbone proves nothing', async (_, status) => {
	const { faults } = network.backbone;
	faults.add({ method: 'POST', path: posts, action: { kind: 'statusAfter', status } });
	expect(await failureOf(a.messages.send(mailTo(addressB, 'odd'), once))).toMatchObject({
		code: outcomeUnknown,
	});
	const before = posted();
	await a.messages.send(mailTo(addressB, 'odd'), once);
	expect(posted()).toBe(before);
	expect(await a.problems.list()).toEqual([]);
});
