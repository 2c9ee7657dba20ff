import { ownText } from '../../../core/model/json';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Gateway, GatewayConfigInput } from '../../../core';
import { systemRandom } from '../../../core/base/random';
import { usualTimings } from '../../../core/base/timings';
import { parseGatewayConfig } from '../../../core/config';
import { partsOf } from '../../../core/gateway/gateway-parts';
import { openStore } from '../../../core/store/open-store';
import { SandboxBackbone } from '../../../sandbox/sandbox-backbone';
import { TestClock } from '../../support/clock';
import { failureOf } from '../../core/backbone/fixture-server';
import { inOneHour, mailTo, relate, SandboxNetwork, settle } from '../../support/gateways';

jest.setTimeout(60_000);

describe('sending a message', () => {
	let network: SandboxNetwork;
	let sender: Gateway;
	let receiver: Gateway;
	let to: string;

	/** What arrived, in order. */
	const received = async (): Promise<unknown[]> => {
		await settle(receiver);
		return (await receiver.messages.list()).map(({ content }) => ownText(content, 'subject'));
	};

	beforeEach(async () => {
		network = await SandboxNetwork.open();
		sender = await network.gateway();
		receiver = await network.gateway();
		({ addressB: to } = await relate(sender, receiver));
		// The first one of a process also looks for a restored backup.
		await sender.messages.send(mailTo(to, 'before'));
	});

	afterEach(async () => {
		await network.close();
	});

	it.each([
		[503, {}, 'unavailable'],
		[500, {}, 'unavailable'],
		[401, { error: 'invalid_client' }, 'forbidden'],
	])(
		'has sent nothing, and says so, when the token endpoint answers %d',
		async (status, body, kind) => {
			network.backbone.revokeAccessTokens();
			network.backbone.faults.add({
				path: /connect\/token/,
				times: 100,
				action: { kind: 'status', status, body },
			});
			const once = { idempotencyKey: 'once' };
			await expect(sender.messages.send(mailTo(to, 'again'), once)).rejects.toMatchObject({
				code: expect.stringMatching(/^error\.transport\.request\.noAuth/),
				kind,
				remedy: expect.any(String),
			});
			expect(await sender.messages.unresolvedSends()).toEqual([]);
			network.backbone.faults.clear();
			await sender.messages.send(mailTo(to, 'again'), once);
			await sender.messages.send(mailTo(to, 'again'), once);
			expect(await received()).toEqual(['before', 'again']);
		},
	);

	it('has an unknown outcome when the answer is lost, and is still sent once', async () => {
		network.backbone.faults.add({
			method: 'POST',
			path: /Messages/,
			action: { kind: 'cutAfter' },
		});
		const once = { idempotencyKey: 'once' };
		await expect(sender.messages.send(mailTo(to, 'lost'), once)).rejects.toMatchObject({
			code: 'error.gateway.messages.outcomeUnknown',
		});
		expect(await sender.messages.unresolvedSends()).toHaveLength(1);
		await sender.messages.send(mailTo(to, 'lost'), once);
		expect(await sender.messages.unresolvedSends()).toEqual([]);
		expect(await received()).toEqual(['before', 'lost']);
	});
});

it.each([
	['fast', 3_600_000],
	['slow', -3_600_000],
])(
	'a message is found by a host whose clock is an hour %s, and not sent again',
	async (_, offMs) => {
		const network = await SandboxNetwork.open();
		try {
			const clock = { now: () => Date.now() + offMs };
			const peer = await network.gateway();
			const config = network.config();
			const sender = await network.gateway(config);
			const { addressB } = await relate(sender, peer);
			await sender.close();
			const host = await network.gateway(config, { clock });
			network.backbone.faults.add({
				method: 'POST',
				path: /Messages/,
				action: { kind: 'cutAfter' },
			});
			const once = { idempotencyKey: 'once' };
			const sending = host.messages.send(mailTo(addressB, 'once'), once);
			await expect(sending).rejects.toMatchObject({
				code: 'error.gateway.messages.outcomeUnknown',
			});
			await host.messages.send(mailTo(addressB, 'once'), once);
			await settle(peer);
			expect(
				(await peer.messages.list()).map(({ content }) => ownText(content, 'subject')),
			).toEqual(['once']);
		} finally {
			await network.close();
		}
	},
);

describe('the same message by two processes', () => {
	let network: SandboxNetwork;
	let clock: TestClock;
	let config: GatewayConfigInput;
	let gateways: [Gateway, Gateway];
	let peer: Gateway;
	let to: string;
	const once = { idempotencyKey: 'once' };
	const posts = (): number =>
		network.backbone.calls.entries.filter(
			({ method, path }) => method === 'POST' && /\/Messages$/.test(path),
		).length;

	beforeEach(async () => {
		network = await SandboxNetwork.open();
		clock = new TestClock(Date.now());
		config = network.config();
		gateways = [await network.gateway(config, { clock }), await network.gateway(config, { clock })];
		peer = await network.gateway();
		({ addressB: to } = await relate(gateways[0], peer));
		for (const gateway of gateways) await gateway.messages.send(mailTo(to, 'before'));
		network.backbone.calls.clear();
	});

	afterEach(() => network.close());

	it('goes out once when both send it at the same time, and both get it', async () => {
		const action = { kind: 'delay', durationMs: 1_500 } as const;
		network.backbone.faults.add({ method: 'POST', path: /Messages/, action });
		const sent = await Promise.all(
			gateways.map((gateway) => gateway.messages.send(mailTo(to, 'twice'), once)),
		);
		expect(sent[0]?.id).toBe(sent[1]?.id);
		expect(posts()).toBe(1);
	});

	it('goes out once when two repeat what a third has left behind', async () => {
		network.backbone.faults.add({
			method: 'POST',
			path: /Messages/,
			action: { kind: 'cutBefore' },
		});
		const [first, second] = gateways;
		await expect(first.messages.send(mailTo(to, 'lost'), once)).rejects.toMatchObject({
			code: 'error.gateway.messages.outcomeUnknown',
		});
		await first.close();
		const sending = second.messages.send(mailTo(to, 'lost'), once);
		await wait(1_500);
		// The process that has prepared it may still be calling.
		expect(posts()).toBe(0);
		clock.advance(2 * 60_000);
		const third = await network.gateway(config, { clock });
		const sent = await Promise.all([sending, third.messages.send(mailTo(to, 'lost'), once)]);
		expect(sent[0].id).toBe(sent[1].id);
		expect(posts()).toBe(1);
		await settle(peer);
		const subjects = (await peer.messages.list()).map(({ content }) => ownText(content, 'subject'));
		expect(subjects.filter((subject) => subject === 'lost')).toHaveLength(1);
	});
});

it('a message whose call begins late is claimed again, sent, and answered', async () => {
	const network = await SandboxNetwork.open();
	try {
		const { sending, ...others } = usualTimings;
		// Every call is late.
		const timings = { ...others, sending: { ...sending, renewClaimAfterMs: -1 } };
		const sender = await network.gateway(network.config(), { timings });
		const receiver = await network.gateway();
		const { addressB } = await relate(sender, receiver);
		const once = { idempotencyKey: 'once' };
		const sent = await sender.messages.send(mailTo(addressB, 'late'), once);
		expect(sent).toMatchObject({ id: expect.stringMatching(/^MSG/), content: { subject: 'late' } });
		expect(await sender.messages.send(mailTo(addressB, 'late'), once)).toEqual(sent);
		await settle(receiver);
		expect(await receiver.messages.list()).toMatchObject([{ id: sent.id, content: sent.content }]);
	} finally {
		await network.close();
	}
});

it('a message that never reached the Backbone is given up after a while, and can be sent again', async () => {
	const network = await SandboxNetwork.open();
	const config = network.config();
	let elapsedMs = 0;
	const clock = { now: () => Date.now() + elapsedMs };
	const dependencies = { clock, timings: usualTimings };
	const sender = await network.gateway(config, dependencies);
	const receiver = await network.gateway();
	const { addressB } = await relate(sender, receiver);
	await sender.messages.send(mailTo(addressB, 'before'));
	network.backbone.faults.add({
		method: 'POST',
		path: /Messages/,
		action: { kind: 'cutBefore' },
	});
	const once = { idempotencyKey: 'once' };
	await expect(sender.messages.send(mailTo(addressB, 'again'), once)).rejects.toMatchObject({
		code: 'error.gateway.messages.outcomeUnknown',
	});
	const unresolved = async () => (await sender.account.getSyncStatus()).unresolvedSends;
	await settle(sender);
	expect(await unresolved()).toBe(1);
	elapsedMs = 3 * 60_000;
	network.backbone.advanceClock(elapsedMs);
	await settle(sender);
	expect(await unresolved()).toBe(0);
	const store = await openStore(parseGatewayConfig(config), { clock, random: systemRandom });
	const intents = await store.read((tx) => tx.sendIntents.list());
	expect(intents.map(({ record }) => record)).toMatchObject([
		{ state: 'failed', failure: { code: 'error.gateway.messages.notSent' } },
	]);
	await store.close();
	const told = () => sender.events.recent({ names: ['gateway.messageNotSent'] }, 10);
	expect((await told()).map(({ data }) => data)).toEqual([
		{
			intentId: expect.stringMatching(/^SND/) as string,
			idempotencyKey: 'once',
			createdAt: expect.any(String) as string,
			recipients: [addressB],
			content: expect.objectContaining({ '@type': 'Mail', subject: 'again' }) as object,
			attachments: [],
			code: 'error.gateway.messages.notSent',
			message: expect.any(String) as string,
		},
	]);
	await settle(sender);
	expect(await told()).toHaveLength(1);
	await sender.messages.send(mailTo(addressB, 'again'), once);
	await sender.messages.send(mailTo(addressB, 'again'), once);
	await settle(receiver);
	const subjects = (await receiver.messages.list()).map(({ content }) =>
		ownText(content, 'subject'),
	);
	expect(subjects).toEqual(['before', 'again']);
	await network.close();
});

it('a message that was never sent is erased with its relationship, also where it was told', async () => {
	const network = await SandboxNetwork.open();
	let elapsedMs = 0;
	const clock = { now: () => Date.now() + elapsedMs };
	const sender = await network.gateway(network.config(), { clock });
	const { relationshipId, addressB } = await relate(sender, await network.gateway());
	await sender.messages.send(mailTo(addressB, 'before'));
	network.backbone.faults.add({ method: 'POST', path: /Messages/, action: { kind: 'cutBefore' } });
	await expect(sender.messages.send(mailTo(addressB))).rejects.toThrow();
	elapsedMs = 11 * 60_000;
	await settle(sender);
	const told = () => sender.events.recent({ names: ['gateway.messageNotSent'] }, 10);
	expect(await told()).toHaveLength(1);
	await sender.relationships.terminate(relationshipId);
	await sender.relationships.decompose(relationshipId);
	expect(await told()).toEqual([]);
	await network.close();
});

describe('a message to several recipients', () => {
	let network: SandboxNetwork;
	let sender: Gateway;

	const openFor = async (maxMessageRecipients: number): Promise<void> => {
		network = await SandboxNetwork.open({ maxMessageRecipients });
		sender = await network.gateway();
	};
	afterEach(() => network.close());

	const mailToNew = async (peers: number) => {
		const recipients: string[] = [];
		while (recipients.length < peers) {
			recipients.push((await relate(sender, await network.gateway())).addressB);
		}
		const content = { '@type': 'Mail' as const, to: recipients, subject: 's', body: 'b' };
		return { recipients, content };
	};

	it('is refused by a Backbone that allows one, and says what to do', async () => {
		await openFor(1);
		await expect(sender.messages.send(await mailToNew(2))).rejects.toMatchObject({
			code: 'error.platform.validation.invalidPropertyValue',
			message: expect.stringContaining('1 to 1 recipients') as string,
			remedy: expect.stringMatching(/one message to each person.*operator.*limit/) as string,
		});
		expect(await sender.messages.list()).toEqual([]);
		expect(await sender.messages.unresolvedSends()).toEqual([]);
	});

	it('is taken by a Backbone that allows five, up to that number', async () => {
		await openFor(5);
		const toSix = await mailToNew(6);
		const five = toSix.recipients.slice(0, 5);
		const toFive = { recipients: five, content: { ...toSix.content, to: five } };
		const { recipients } = await sender.messages.send(toFive);
		expect(recipients.map(({ address }) => address)).toEqual(five);
		await expect(sender.messages.send(toSix)).rejects.toMatchObject({
			remedy: expect.stringContaining('6 recipients') as string,
		});
	});

	it('has no such advice when the only one is refused for another reason', async () => {
		await openFor(1);
		const body = { error: { id: 'ERR1', code: 'error.platform.validation.invalidPropertyValue' } };
		network.backbone.faults.add({
			method: 'POST',
			path: /Messages/,
			action: {
				kind: 'status',
				status: 400,
				body: { error: { ...body.error, message: 'No.', docs: '', time: inOneHour(), data: null } },
			},
		});
		const error = await failureOf(sender.messages.send(await mailToNew(1)));
		expect(error).toMatchObject({ code: body.error.code });
		expect(error['remedy']).toBeUndefined();
	});
});

it('a message that the Backbone refuses is kept only for its repetition', async () => {
	const network = await SandboxNetwork.open({ maxUnreceivedMessages: 1 });
	const sender = await network.gateway();
	const { addressB } = await relate(sender, await network.gateway());
	await sender.messages.send(mailTo(addressB, 'first'));
	const full = 'error.platform.validation.message.maxNumberOfUnreceivedMessagesReached';
	const intents = async () =>
		(await partsOf(sender).store.read((tx) => tx.sendIntents.list())).map(({ record }) => record);
	await expect(sender.messages.send(mailTo(addressB))).rejects.toMatchObject({ code: full });
	expect(await intents()).toEqual([]);
	const once = { idempotencyKey: 'once' };
	await expect(sender.messages.send(mailTo(addressB), once)).rejects.toMatchObject({ code: full });
	expect(await intents()).toMatchObject([
		{ state: 'failed', content: {}, failure: { code: full } },
	]);
	await network.close();
});

it('a message for a Backbone where nothing listens is not sent, and said to be so', async () => {
	const folder = mkdtempSync(join(tmpdir(), 'enmeshed-sandbox-'));
	const stateFile = join(folder, 'state.json');
	// Kind: the Backbone is another one in the end, which a network knows nothing of.
	const network = await SandboxNetwork.open({ behaviour: 'kind', stateFile });
	const [sender, receiver] = [await network.gateway(), await network.gateway()];
	const { addressB } = await relate(sender, receiver);
	await sender.messages.send(mailTo(addressB, 'before'));
	await network.backbone.close();
	// On a connection whose end has not been noticed yet, no party could tell.
	await wait(200);
	await expect(sender.messages.send(mailTo(addressB, 'meanwhile'))).rejects.toMatchObject({
		code: 'error.transport.request.unknown',
		kind: 'unavailable',
		message: expect.stringContaining('nothing listens there'),
		remedy: expect.stringContaining('Backbone address'),
	});
	expect(await sender.messages.unresolvedSends()).toEqual([]);
	const port = Number(new URL(network.backbone.baseUrl).port);
	const again = await SandboxBackbone.open({ stateFile, port });
	await sender.messages.send(mailTo(addressB, 'after'));
	await receiver.account.sync();
	const subjects = (await receiver.messages.list()).map(({ content }) =>
		ownText(content, 'subject'),
	);
	expect(subjects).toEqual(['before', 'after']);
	await network.close();
	await again.close();
	rmSync(folder, { recursive: true, force: true });
});
