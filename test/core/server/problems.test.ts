import { mailTo, relate, TestNetwork } from '../../support/gateways';
import { HttpGateway } from './support/http-gateway';

let network: TestNetwork;
let a: HttpGateway;
let peer: string;

beforeAll(async () => {
	network = await TestNetwork.open();
	a = await HttpGateway.open(network);
	({ addressB: peer } = await relate(a.gateway, await network.gateway()));
});
afterAll(async () => {
	await a.close();
	await network.close();
});

const invalid = 'error.runtime.validation.invalidPropertyValue';

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
		[{}, 400, invalid],
	])('named as %j are refused', async (json, status, code) => {
		const answer = await a.ask('POST /Account/Problems/Retry', { json });
		expect([answer.status, answer.error?.code]).toEqual([status, code]);
	});

	it('of an unknown kind are refused', async () => {
		expect((await a.ask('GET /Account/Problems?kind=other')).status).toBe(400);
	});
});
