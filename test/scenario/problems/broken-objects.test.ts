import type { Gateway } from '../../../core';
import { inOneHour, mailTo } from '../../support/gateways';
import { ProblemBench } from '../../support/problem-bench';

jest.setTimeout(60_000);

/* One object that the Backbone answers with 500 forever, while it answers everything else. */

const hourMs = 3_600_000;
const error = {
	...{ id: 'ERR1', code: 'error.platform.unexpected', message: 'An unexpected error occurred.' },
	...{ docs: '', time: '2030-01-01T00:00:00.000Z', data: null },
};

let bench: ProblemBench;
let gateway: Gateway;

beforeEach(async () => {
	bench = await ProblemBench.open();
	({ gateway } = bench);
});
afterEach(() => bench.close());

const breakObject = (id: string, body: unknown): void => {
	bench.network.backbone.faults.add({
		path: new RegExp(id),
		times: Infinity,
		action: { kind: 'status', status: 500, ...(body === undefined ? {} : { body }) },
	});
};

/** A stranger asks for a relationship; answers its id. */
async function requestedBy(stranger: Gateway): Promise<string> {
	const template = await gateway.templates.create({
		expiresAt: inOneHour(),
		content: { '@type': 'ArbitraryRelationshipTemplateContent', value: 1 },
	});
	const loaded = await stranger.templates.loadPeer({ reference: template.truncatedReference });
	const { id } = await stranger.relationships.create({
		templateId: loaded.id,
		creationContent: { '@type': 'ArbitraryRelationshipCreationContent', value: 1 },
	});
	return id;
}

/** Syncs until the queues of the Backbone are empty; each sync succeeds. */
const syncOn = async (): Promise<void> => {
	bench.network.backbone.queues.deliverAll();
	await gateway.account.sync();
	await gateway.account.sync();
};

describe.each([
	['with its own error', { error }],
	['through a proxy, without a body', undefined],
])('an object that is answered 500 %s', (_, body) => {
	it('becomes a problem, while the sync does everything else and succeeds', async () => {
		const stranger = await bench.network.gateway();
		const id = await requestedBy(stranger);
		breakObject(id, body);
		await bench.peer.messages.send(mailTo(bench.address, 'meanwhile'));
		await syncOn();
		expect(await bench.received()).toEqual(['meanwhile']);
		expect(await gateway.problems.list()).toMatchObject([
			{ kind: 'receivedEvent', subject: 'RelationshipStatusChanged', isRetriedAutomatically: true },
		]);
		for (let times = 0; times < 6; times++) {
			bench.pass(6 * hourMs);
			await syncOn();
		}
		const problems = await gateway.problems.list({ kind: 'receivedEvent' });
		expect(problems).toMatchObject([{ isRetriedAutomatically: false, isDiscardable: true }]);
		expect(await bench.told('gateway.externalEventGivenUp')).toHaveLength(1);
		bench.network.backbone.faults.clear();
		const retried = await gateway.problems.retry({ ids: problems.map((problem) => problem.id) });
		expect(retried).toMatchObject([{ outcome: 'solved' }]);
		expect(await gateway.relationships.get(id)).toMatchObject({ status: 'Pending' });
	});
});

it('a Backbone that answers nothing but 500 counts as unavailable, and no event has failed', async () => {
	await requestedBy(await bench.network.gateway());
	bench.network.backbone.queues.deliverAll();
	bench.network.backbone.faults.add({
		path: /Relationships|Messages|DeletionProcesses/,
		times: Infinity,
		action: { kind: 'status', status: 500 },
	});
	await expect(gateway.account.sync()).rejects.toMatchObject({ kind: 'unavailable' });
	expect(await gateway.problems.list()).toEqual([]);
});
