import type { Gateway, GatewayConfigInput } from '../../../core';
import { inOneHour, SandboxNetwork, settle } from '../../support/gateways';
import { until } from '../../support/until';

/* Automatic acceptance: each set of templates has its own place in the stream of events. */
describe('relationships are accepted automatically', () => {
	let network: SandboxNetwork;
	let config: GatewayConfigInput;
	let gateway: Gateway;
	let problems: string[];

	beforeEach(async () => {
		network = await SandboxNetwork.open();
		config = network.config();
		gateway = await network.gateway(config);
		problems = [];
	});

	afterEach(() => network.close());

	async function newTemplate(): Promise<{ id: string; reference: string }> {
		const { id, truncatedReference: reference } = await gateway.templates.create({
			expiresAt: inOneHour(),
			content: { '@type': 'ArbitraryRelationshipTemplateContent', value: 1 },
		});
		return { id, reference };
	}

	/** A new peer asks for a relationship, which has arrived at the gateway afterwards. */
	async function connect({ reference }: { reference: string }): Promise<string> {
		const peer = await network.gateway();
		const loaded = await peer.templates.loadPeer({ reference });
		const { id } = await peer.relationships.create({
			templateId: loaded.id,
			creationContent: { '@type': 'ArbitraryRelationshipCreationContent', value: 1 },
		});
		await peer.close();
		await settle(gateway);
		return id;
	}

	const accept = (...templates: ReadonlyArray<{ id: string }>): { release(): void } =>
		gateway.events.autoAccept({
			templateIds: templates.map(({ id }) => id),
			onProblem: (problem) => problem && problems.push(problem.code),
		});

	async function restart(): Promise<void> {
		await gateway.close();
		gateway = await network.gateway(config);
	}

	const statusOf = async (id: string): Promise<string> =>
		(await gateway.relationships.get(id)).status;

	const becomesActive = (id: string): Promise<void> =>
		until(async () => (await statusOf(id)) === 'Active');

	/** ids of the relationships that the Backbone was asked to accept, one for each call */
	const acceptCalls = (): string[] =>
		network.backbone.calls.entries.flatMap(({ method, path }) => {
			const id = /Relationships\/(REL\w+)\/Accept$/.exec(path)?.[1];
			return method === 'PUT' && id !== undefined ? [id] : [];
		});

	it('by two sets of templates at once, each its own only', async () => {
		const [first, second, other] = [await newTemplate(), await newTemplate(), await newTemplate()];
		accept(first);
		accept(second);
		const toOther = await connect(other);
		const toSecond = await connect(second);
		const toFirst = await connect(first);
		await becomesActive(toFirst);
		await becomesActive(toSecond);
		expect(await statusOf(toOther)).toBe('Pending');
		expect(acceptCalls().sort()).toEqual([toFirst, toSecond].sort());
	});

	it('once, although two sets name the same template', async () => {
		const [shared, second] = [await newTemplate(), await newTemplate()];
		accept(shared);
		accept(second, shared);
		const toShared = await connect(shared);
		await becomesActive(toShared);
		const toSecond = await connect(second);
		await becomesActive(toSecond);
		const { auditLog } = await gateway.relationships.get(toShared);
		expect(auditLog.map(({ reason }) => reason)).toEqual(['Creation', 'AcceptanceOfCreation']);
		expect(problems).toEqual([]);
	});

	it('although another set has moved past them before', async () => {
		const [first, second] = [await newTemplate(), await newTemplate()];
		const onlyFirst = accept(first);
		const toSecond = await connect(second);
		const toFirst = await connect(first);
		await becomesActive(toFirst);
		onlyFirst.release();
		expect(await statusOf(toSecond)).toBe('Pending');
		accept(second);
		await becomesActive(toSecond);
	});

	it('after a restart: nothing is forgotten, and nothing accepted again', async () => {
		const [first, second] = [await newTemplate(), await newTemplate()];
		accept(first);
		accept(second);
		const before = [await connect(first), await connect(second)];
		for (const id of before) await becomesActive(id);

		await restart();
		const meanwhile = [await connect(second), await connect(first)];
		expect(await Promise.all(meanwhile.map(statusOf))).toEqual(['Pending', 'Pending']);
		// The order in which a set names its templates says nothing, nor does who starts first.
		accept(second);
		accept(first);
		for (const id of meanwhile) await becomesActive(id);
		expect(acceptCalls().sort()).toEqual([...before, ...meanwhile].sort());
		expect(problems).toEqual([]);
	});
});
