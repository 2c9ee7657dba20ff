import { silentLogger } from '../../../core/base/logger';
import { startModules } from '../../../core/server';
import { modulesSchema } from '../../../core/server/config/modules-config';
import { TestNetwork } from '../../support/gateways';
import { until } from '../../support/until';
import { ok, Receiver } from '../webhooks/support/receiver';
import { atOnce } from '../webhooks/support/webhook-bench';
import { HttpGateway } from './support/http-gateway';

/* docs/protocol/http-api.md 11.2 */
let network: TestNetwork;
let http: HttpGateway;
let receiver: Receiver;
let modules: { close(): Promise<void> };
let isRepaired = false;

beforeAll(async () => {
	network = await TestNetwork.open();
	http = await HttpGateway.open(network);
	receiver = await Receiver.open(() => (isRepaired ? ok : { status: 400 }));
	modules = await startModules(
		{ facade: http.gateway, logger: silentLogger },
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
		await http.gateway.attributes.create({ content: { value: { '@type': 'DisplayName', value } } });
	}
	await until(async () => (await http.gateway.events.listParked()).length === 3);
});
afterAll(async () => {
	await modules.close();
	await http.close();
	await receiver.down();
	await network.close();
});

describe('parked deliveries over HTTP', () => {
	it('are listed, all or of one consumer', async () => {
		const { status, result } = await http.ask('GET /ParkedDeliveries');
		expect(status).toBe(200);
		expect(result).toHaveLength(3);
		expect(result[0]).toMatchObject({
			consumer: 'webhook:crm',
			event: 'consumption.attributeCreated',
			reason: 'answered 400',
			isSentAgain: false,
		});
		const of = async (consumer: string): Promise<unknown[]> =>
			(await http.ask(`GET /ParkedDeliveries?consumer=${consumer}`)).result as unknown[];
		expect(await of('webhook:crm')).toHaveLength(3);
		expect(await of('webhook:other')).toEqual([]);
	});

	it('are discarded by their ids', async () => {
		const [{ eventId }] = (await http.ask('GET /ParkedDeliveries')).result as [{ eventId: string }];
		const { status } = await http.ask('POST /ParkedDeliveries/Discard', {
			json: { eventIds: [eventId] },
		});
		expect(status).toBe(200);
		expect((await http.ask('GET /ParkedDeliveries')).result).toHaveLength(2);
		const again = await http.ask('POST /ParkedDeliveries/Discard', {
			json: { eventIds: [eventId] },
		});
		expect([again.status, again.error.code]).toEqual([400, 'error.gateway.events.nothingParked']);
	});

	it('are sent again, and are gone when they were taken', async () => {
		isRepaired = true;
		const before = receiver.received.length;
		const { status, result } = await http.ask('POST /ParkedDeliveries/SendAgain', { json: {} });
		expect([status, result.length]).toEqual([200, 2]);
		await until(async () => (await http.gateway.events.listParked()).length === 0);
		const values = receiver.received.slice(before).map(({ body }) => body.data.content.value.value);
		expect(values).toEqual(['b', 'c']);
	});

	it.each([{ unknown: 1 }, { eventIds: 'EVT1' }, { consumer: 5 }])(
		'cannot be selected by %j',
		async (json) => {
			const { status, error } = await http.ask('POST /ParkedDeliveries/SendAgain', { json });
			expect([status, error.code]).toEqual([400, 'error.runtime.validation.invalidPropertyValue']);
		},
	);
});
