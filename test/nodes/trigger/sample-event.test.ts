import type { IDataObject } from 'n8n-workflow';
import { EnmeshedTrigger } from '../../../nodes/Enmeshed/EnmeshedTrigger.node';
import { triggerFields } from '../../../nodes/Enmeshed/trigger/trigger-fields';
import { originText } from '../../../nodes/Enmeshed/trigger/sample-event';
import { defaultsOf, triggerFunctions } from '../../support/n8n/n8n-functions';
import { NodeBench } from '../support/node-bench';
import { loosely } from '../../support/loosely';

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
		expect(await sample(['relationship.requested'])).toMatchObject({
			peer: waiting.address,
			sample: expect.stringMatching(/^Stored event of .+, the newest that still holds$/),
		});
	});

	it('is the newest event when none of them still holds', async () => {
		const first = await bench.connect();
		const second = await bench.connect(await bench.network.gateway());
		for (const { relationshipId } of [first, second]) await accept(relationshipId);
		expect(await sample(['relationship.requested'])).toMatchObject({
			peer: second.address,
			sample: expect.stringContaining('the newest; what it reports has changed since'),
		});
	});

	it('is about a request that is still open, although another came later', async () => {
		const { relationshipId } = await bench.connect();
		await accept(relationshipId);
		await bench.network.settle(bench.wallet);
		const { address: ours } = (await bench.one('account', 'getIdentity')) as { address: string };
		const received: string[] = [];
		for (const freeText of ['How are you?', 'And what do you do?']) {
			const items = [{ '@type': 'FreeTextRequestItem' as const, mustBeAccepted: true, freeText }];
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

	it('says that it has just arrived', async () => {
		const { relationshipId } = await bench.connect();
		await accept(relationshipId);
		const shown = sample(['transport.messageReceived']);
		await bench.network.settle(bench.wallet);
		const { address } = await bench.one('account', 'getIdentity');
		const content = { '@type': 'Mail' as const, to: [address], subject: 'Now', body: 'Hello' };
		await bench.wallet.messages.send({ recipients: [String(address)], content: loosely(content) });
		expect(await shown).toMatchObject({ subject: 'Now', sample: 'Has just arrived' });
	});

	it('says when it was stored in the time zone of its other times', () => {
		const event = { createdAt: '2030-01-31T23:30:00.000Z' };
		expect(originText('storedAndHolds', event)).toBe(
			'Stored event of 2030-01-31T23:30:00.000Z, the newest that still holds',
		);
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
