import type { ObserverTable } from '../../../../core/domain/observers';
import type { PeerVersion } from '../../../../core/model/peer-version';
import { ownText } from '../../../../core/model/json';
import { failureOf, result } from '../../backbone/fixture-server';
import { mailTo, peers, SendBench, type SendingProcess } from './send-bench';

let bench: SendBench;
afterEach(() => bench.close());

const [bob] = peers as [string];

const start = async (...routes: Parameters<typeof SendBench.open>): Promise<SendingProcess> => {
	bench = await SendBench.open(...routes);
	return await bench.start();
};

describe('a prepared message', () => {
	it('has an ID of its own, and the time of the Backbone', async () => {
		const { messages } = await start();
		// The last answer of the Backbone tells how far its clock is behind.
		bench.backbone.date = 'Mon, 31 Dec 2029 23:00:00 GMT';
		await messages.send(mailTo(bob));
		bench.backbone.reception = 'losesCall';
		await failureOf(messages.send(mailTo(bob)));
		expect(await bench.intent()).toMatchObject({
			id: expect.stringMatching(/^SND[A-Za-z0-9]{17}$/),
			createdAt: '2030-01-01T00:00:00.000Z',
			// The own clock is in another year; time passes since the answer with the date.
			preparedAt: expect.stringMatching(/^2029-12-31T23:0\d:\d\d\.\d{3}Z$/) as string,
		});
	});

	it('is observed with its send, and can be refused', async () => {
		const { messages } = await start();
		const observed: object[] = [];
		const refusal = new Error('no');
		const observe = (_tx: unknown, prepared: object) => {
			observed.push(prepared);
			return Promise.resolve(refusal);
		};
		bench.observers.connect({
			messagePrepared: [{ messagePrepared: observe }],
		} as unknown as ObserverTable);
		expect(await failureOf(messages.send(mailTo(bob)))).toBe(refusal);
		const { content, recipients } = mailTo(bob);
		const intentId: unknown = expect.stringMatching(/^SND/);
		expect(observed).toMatchObject([{ content, recipients, intentId }]);
		expect(await bench.state()).toBe('absent');
	});

	it.each<[PeerVersion | undefined, boolean]>([
		[undefined, true],
		[6, false],
		[7, true],
		[7.5, true],
	])('is written for a wallet of version %s: with its members %s', async (version, has) => {
		const { messages, store } = await start();
		await store.transact(async (tx) => {
			const where = [{ field: 'peer', op: 'eq', value: bob }] as const;
			const entry = await tx.relationships.first({ where });
			if (entry !== undefined && version !== undefined)
				await tx.relationships.update({ ...entry.record, peerVersion: version });
		});
		const items = [{ '@type': 'AuthenticationRequestItem', mustBeAccepted: true }];
		const content = { '@type': 'Request', id: 'REQ1', items };
		await messages.send({ recipients: [bob], content });
		const opened = bench.openedBy().content as unknown as { items: [object] };
		expect('title' in opened.items[0]).toBe(has);
	});
});

it.each([
	['one recipient', peers.slice(0, 1), 'PlainText'],
	['recipients of whom one is not known', peers.slice(0, 2), undefined],
])('a mail to %s of version 7 names its format as this version does', async (_, to, format) => {
	const { messages, store } = await start();
	await store.transact(async (tx) => {
		const where = [{ field: 'peer', op: 'eq', value: bob }] as const;
		const entry = await tx.relationships.first({ where });
		if (entry !== undefined) await tx.relationships.update({ ...entry.record, peerVersion: 7 });
	});
	const content = { '@type': 'Mail' as const, to, cc: [], subject: '', body: '' };
	await messages.send({ recipients: to, content });
	expect(ownText(bench.openedBy().content, 'bodyFormat')).toBe(format);
});

it('a call that begins too late is claimed again', async () => {
	let tokens = 0;
	const { messages } = await start({
		'POST /connect/token': (request, response) => {
			// The process was suspended while it waited for its token.
			if (tokens++ === 0) bench.clock.advance(31_000);
			const token = { access_token: 'token', token_type: 'Bearer', expires_in: 300 };
			response.writeHead(200, { 'content-type': 'application/json' });
			response.end(JSON.stringify(token));
			void request;
		},
		'GET /api/v2/Version': result({ majorVersion: '6' }),
	});
	await messages.send(mailTo(bob), { idempotencyKey: 'once' });
	expect(bench.backbone.posted).toHaveLength(1);
	expect((await bench.intent())?.triedAt).toBe('2030-01-01T00:00:31.000Z');
});
