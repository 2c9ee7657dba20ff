import type { Gateway, GatewayConfigInput } from '../../../core';
import { TestClock } from '../../support/clock';
import { inOneHour, SandboxNetwork, settle } from '../../support/gateways';
import { until } from '../../support/until';

describe('an automatic acceptance', () => {
	let network: SandboxNetwork;
	let clock: TestClock;
	let config: GatewayConfigInput;
	let gateway: Gateway;
	let relationshipId: string;
	let reported: string[];

	beforeEach(async () => {
		network = await SandboxNetwork.open();
		clock = new TestClock(Date.now());
		config = network.config();
		gateway = await network.gateway(config, { clock });
		reported = [];
		const { truncatedReference: reference } = await gateway.templates.create({
			expiresAt: inOneHour(),
			content: { '@type': 'ArbitraryRelationshipTemplateContent', value: 1 },
		});
		const peer = await network.gateway();
		const { id: templateId } = await peer.templates.loadPeer({ reference });
		({ id: relationshipId } = await peer.relationships.create({
			templateId,
			creationContent: { '@type': 'ArbitraryRelationshipCreationContent', value: 1 },
		}));
		await settle(gateway);
	});

	afterEach(() => network.close());

	const answerAccept = (status: number, code: string): void =>
		void network.backbone.faults.add({
			method: 'PUT',
			path: /Accept$/,
			times: Infinity,
			action: { kind: 'status', status, body: { error: { code } } },
		});

	const begin = () =>
		gateway.events.autoAccept({ onProblem: (problem) => problem && reported.push(problem.code) });

	it('that the Backbone does not answer is tried again later, and is not a problem', async () => {
		answerAccept(503, 'error.platform.unexpected');
		begin();
		await until(() => network.backbone.faults.taken > 0);
		network.backbone.faults.clear();
		await gateway.close();
		clock.advance(30_000);
		gateway = await network.gateway(config, { clock });
		begin();
		await until(async () => (await gateway.relationships.get(relationshipId)).status === 'Active');
		expect(reported).toEqual([]);
		expect(await gateway.problems.list()).toEqual([]);
	});

	it('that the Backbone refuses is reported, and listed as a problem', async () => {
		const code = 'error.platform.validation.invalidPropertyValue';
		answerAccept(400, code);
		begin();
		await until(async () => (await gateway.problems.list()).length > 0);
		expect(reported).toEqual([code]);
		expect((await gateway.relationships.get(relationshipId)).status).toBe('Pending');
	});
});
