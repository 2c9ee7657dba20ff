import { silentLogger } from '../../../core/base/logger';
import { startModules } from '../../../core/server';
import { modulesSchema } from '../../../core/server/config/modules-config';
import { mailTo, relate, SandboxNetwork, settle } from '../../support/gateways';
import { until } from '../../support/until';
import { ok, Receiver } from '../publish/webhooks/support/receiver';
import { atOnce } from '../publish/webhooks/support/webhook-bench';
import { HttpGateway } from './support/http-gateway';

let network: SandboxNetwork;
let a: HttpGateway;
let peer: string;

beforeAll(async () => {
	network = await SandboxNetwork.open();
	a = await HttpGateway.open(network);
	({ addressB: peer } = await relate(a.gateway, await network.gateway()));
});
afterAll(async () => {
	await a.close();
	await network.close();
});

const invalid = 'error.runtime.validation.invalidPropertyValue';

/* docs/protocol/http-api.md 8.18 */
describe('problems', () => {
	it('are listed, and solved by another try', async () => {
		await a.gateway.messages.send(mailTo(peer, 'before'));
		network.backbone.faults.add({
			method: 'POST',
			path: /Messages/,
			action: { kind: 'cutAfter' },
		});
		const content = mailTo(peer, 'lost').content;
		await a.ask('POST /Messages', { json: { recipients: [peer], content } });
		const { result } = await a.ask('GET /Account/Problems?kind=sending');
		expect(result).toMatchObject([{ kind: 'sending', recipients: [peer] }]);
		expect((await a.ask('GET /Account/Problems?kind=delivery')).result).toEqual([]);
		const [{ id }] = result as [{ id: string }];
		const retried = await a.ask('POST /Account/Problems/Retry', { json: { ids: [id] } });
		expect([retried.status, retried.result]).toEqual([
			200,
			[{ id, kind: 'sending', outcome: 'solved' }],
		]);
		expect((await a.ask('GET /Account/Problems')).result).toEqual([]);
	});

	it.each([
		[{ ids: ['SND0000000000000000'] }, 400, 'error.gateway.problems.unknown'],
		[{ ids: 'SND0000000000000000' }, 400, invalid],
		[{ ids: [] }, 400, invalid],
		[{}, 400, invalid],
		[{ all: false }, 400, invalid],
		[{ kind: 'delivery' }, 400, invalid],
		[{ ids: ['SND0000000000000000'], all: true }, 400, invalid],
		[{ all: true, unknown: 1 }, 400, invalid],
		[{ all: true, consumer: 5 }, 400, invalid],
	])('named as %j are refused', async (json, status, code) => {
		for (const what of ['Retry', 'Discard']) {
			const answer = await a.ask(`POST /Account/Problems/${what}`, { json });
			expect([answer.status, answer.error?.code]).toEqual([status, code]);
		}
	});

	it('of an unknown kind are refused', async () => {
		expect((await a.ask('GET /Account/Problems?kind=other')).status).toBe(400);
	});

	it('that cannot be given up are refused', async () => {
		const { address } = await a.gateway.account.getIdentity();
		const sender = await network.gateway();
		await relate(a.gateway, sender);
		const { id } = await sender.messages.send(mailTo(address, 'odd'));
		const answer = { status: 200, body: { result: { id: 'none of this' } } };
		network.backbone.faults.add({
			method: 'GET',
			path: new RegExp(`Messages.*${id}`),
			times: 100,
			action: { kind: 'status', ...answer },
		});
		await settle(a.gateway);
		const listed = (await a.ask('GET /Account/Problems')).result as [{ id: string }];
		expect(listed).toMatchObject([{ kind: 'receivedEvent', isDiscardable: false }]);
		const json = { ids: [listed[0].id] };
		const { status, error } = await a.ask('POST /Account/Problems/Discard', { json });
		expect([status, error.code]).toEqual([400, 'error.gateway.problems.notDiscardable']);
		network.backbone.faults.clear();
		await a.ask('POST /Account/Problems/Retry', { json });
		expect((await a.ask('GET /Account/Problems')).result).toEqual([]);
	});
});

describe('deliveries that a webhook did not take', () => {
	let receiver: Receiver;
	let modules: { close(): Promise<void> };
	let isRepaired = false;

	const list = async (query = ''): Promise<Array<{ id: string }>> =>
		(await a.ask(`GET /Account/Problems?kind=delivery${query}`)).result as Array<{ id: string }>;

	beforeAll(async () => {
		receiver = await Receiver.open(() => (isRepaired ? ok : { status: 400 }));
		modules = await startModules(
			{ facade: a.gateway, logger: silentLogger },
			modulesSchema.parse({
				webhooks: {
					enabled: true,
					targets: { crm: { url: receiver.url } },
					webhooks: [{ triggers: ['consumption.attributeCreated'], target: 'crm' }],
					retry: { ...atOnce, maxAttempts: 1 },
				},
			}),
		);
		for (const value of ['a', 'b', 'c']) {
			await a.gateway.attributes.create({ content: { value: { '@type': 'DisplayName', value } } });
		}
		await until(async () => (await a.gateway.problems.list()).length === 3);
	});
	afterAll(async () => {
		await modules.close();
		await receiver.down();
	});

	it('are listed, all, of one consumer, or by their ids', async () => {
		const all = await list();
		expect(all).toHaveLength(3);
		expect(all[0]).toMatchObject({
			consumer: 'webhook:crm',
			subject: 'consumption.attributeCreated',
			message: 'answered 400',
			isRetriedAutomatically: false,
			isErased: false,
		});
		expect(await list('&consumer=webhook:crm')).toEqual(all);
		expect(await list('&consumer=webhook:other')).toEqual([]);
		const [first, second] = all.map(({ id }) => encodeURIComponent(id));
		expect(await list(`&ids=${first}`)).toEqual([all[0]]);
		expect(await list(`&ids=${first}&ids=${second}`)).toEqual([all[0], all[1]]);
	});

	it('are discarded by their ids', async () => {
		const [first] = await list();
		const json = { ids: [first?.id] };
		const { status, result } = await a.ask('POST /Account/Problems/Discard', { json });
		expect([status, result]).toEqual([200, [{ ...first, outcome: 'discarded' }]]);
		expect(await list()).toHaveLength(2);
		const again = await a.ask('POST /Account/Problems/Discard', { json });
		expect([again.status, again.error.code]).toEqual([400, 'error.gateway.problems.unknown']);
	});

	it('are sent again, and are gone when they were taken', async () => {
		isRepaired = true;
		const before = receiver.received.length;
		const json = { all: true, consumer: 'webhook:crm' };
		const { status, result } = await a.ask('POST /Account/Problems/Retry', { json });
		expect([status, result.length]).toEqual([200, 2]);
		await until(async () => (await list()).length === 0);
		const values = receiver.received.slice(before).map(({ body }) => body.data.content.value.value);
		expect(values).toEqual(['b', 'c']);
	});
});
