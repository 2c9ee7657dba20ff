import type { IDataObject } from 'n8n-workflow';
import { EnmeshedTrigger } from '../../../nodes/Enmeshed/EnmeshedTrigger.node';
import { triggerFields } from '../../../nodes/Enmeshed/trigger/trigger-fields';
import { defaultsOf, triggerFunctions } from '../../support/n8n/n8n-functions';
import { NodeBench } from '../support/node-bench';

describe('the sample of a trigger that is tested in the editor', () => {
	let bench: NodeBench;

	beforeEach(async () => {
		bench = await NodeBench.open();
	});

	afterEach(() => bench.close());

	async function sample(events: readonly string[]): Promise<IDataObject | undefined> {
		const stub = triggerFunctions({
			credentials: bench.credential,
			mode: 'manual',
			parameters: { ...defaultsOf(triggerFields), events: [...events] },
		});
		const started = await new EnmeshedTrigger().trigger.call(stub.functions);
		await started.manualTriggerFunction?.();
		expect(stub.emissions).toHaveLength(1);
		return stub.emissions[0]?.items[0]?.json;
	}

	const accept = (relationship: string) => bench.run('relationship', 'accept', { relationship });

	it('is about a person who still waits, although another was accepted later', async () => {
		const waiting = await bench.connect();
		const { relationshipId } = await bench.connect(await bench.network.gateway());
		await accept(relationshipId);
		expect(await sample(['relationship.requested'])).toMatchObject({ peer: waiting.address });
	});

	it('is the newest event when none of them still holds', async () => {
		const first = await bench.connect();
		const second = await bench.connect(await bench.network.gateway());
		for (const { relationshipId } of [first, second]) await accept(relationshipId);
		expect(await sample(['relationship.requested'])).toMatchObject({ peer: second.address });
	});

	it('is about a request that is still open, although another came later', async () => {
		const { relationshipId } = await bench.connect();
		await accept(relationshipId);
		await bench.network.settle(bench.wallet);
		const { address: ours } = (await bench.one('account', 'getIdentity')) as { address: string };
		const received: string[] = [];
		for (const freeText of ['How are you?', 'And what do you do?']) {
			const items = [{ '@type': 'FreeTextRequestItem', mustBeAccepted: true, freeText }];
			const { content } = await bench.wallet.outgoingRequests.create({
				peer: ours,
				content: { '@type': 'Request', items },
			});
			await bench.wallet.messages.send({ recipients: [ours], content });
			await bench.settle();
			received.push(String(content.id));
		}
		await bench.run('incomingRequest', 'reject', { request: received[1] });
		const event = await sample(['consumption.incomingRequestReceived']);
		expect(event).toMatchObject({ requestId: received[0] });
	});

	it('comes after a sync', async () => {
		await bench.connect();
		const asked = bench.network.backbone.faults.onNext('POST', /SyncRuns$/);
		await sample(['relationship.requested']);
		await asked;
	});

	it('is a stored event while the Backbone is away', async () => {
		await bench.connect();
		const action = { kind: 'status', status: 503 } as const;
		bench.network.backbone.faults.add({ path: /SyncRuns/, times: 1_000, action });
		expect(await sample(['relationship.requested'])).toMatchObject({ status: 'Pending' });
	});
});
