import type { IDataObject } from 'n8n-workflow';
import type { Gateway } from '../../../core';
import { EnmeshedTrigger } from '../../../nodes/Enmeshed/EnmeshedTrigger.node';
import { triggerFields } from '../../../nodes/Enmeshed/trigger/trigger-fields';
import { defaultsOf, triggerFunctions, type TriggerStub } from '../../support/n8n/n8n-functions';
import { until } from '../../support/until';
import { NodeBench } from '../support/node-bench';

type Started = Awaited<ReturnType<EnmeshedTrigger['trigger']>>;

describe('a trigger for the mails of two people', () => {
	let bench: NodeBench;
	let ours: string;
	let lin: Gateway;
	let started: Started | undefined;

	beforeEach(async () => {
		bench = await NodeBench.open();
		lin = await bench.network.gateway();
		for (const wallet of [bench.wallet, lin]) {
			const { relationshipId } = await bench.connect(wallet);
			await bench.run('relationship', 'accept', { relationship: relationshipId });
			await bench.network.settle(wallet);
		}
		ours = String((await bench.one('account', 'getIdentity'))['address']);
	});

	afterEach(async () => {
		await started?.closeFunction?.();
		await bench.close();
	});

	async function start(options: IDataObject): Promise<TriggerStub> {
		const stub = triggerFunctions({
			credentials: bench.credential,
			parameters: {
				...defaultsOf(triggerFields),
				events: ['transport.messageReceived'],
				options: { ...options, startFrom: 'oldest' },
			},
		});
		started = await new EnmeshedTrigger().trigger.call(stub.functions);
		return stub;
	}

	async function mail(wallet: Gateway, subject: string): Promise<void> {
		const content = { '@type': 'Mail' as const, to: [ours], subject, body: 'Hello' };
		await wallet.messages.send({ recipients: [ours], content });
	}

	/** Ada writes twice, Lin once; nothing has ended yet. */
	async function received(options: IDataObject): Promise<TriggerStub> {
		await mail(bench.wallet, 'Ada 1');
		await mail(bench.wallet, 'Ada 2');
		await mail(lin, 'Lin');
		return await start(options);
	}

	const subjects = ({ emissions }: TriggerStub): unknown[] =>
		emissions.map(({ items }) => items[0]?.json['subject']);

	it('starts with one mail of each, and with the second when the first has ended', async () => {
		const stub = await received({});
		await until(() => stub.emissions.length === 2);
		expect(subjects(stub)).toEqual(['Ada 1', 'Lin']);
		stub.emissions[0]?.settle({ status: 'success' });
		await until(() => stub.emissions.length === 3);
		expect(subjects(stub)).toEqual(['Ada 1', 'Lin', 'Ada 2']);
	});

	it('takes one mail after the other when the person of the workflow wants that', async () => {
		const stub = await received({ parallel: 1 });
		for (const count of [1, 2, 3]) {
			await until(() => stub.emissions.length === count);
			stub.emissions[count - 1]?.settle({ status: 'success' });
		}
		expect(subjects(stub)).toEqual(['Ada 1', 'Ada 2', 'Lin']);
	});

	it('refuses more parallel executions than n8n is asked for at once', async () => {
		await expect(start({ parallel: 101 })).rejects.toThrow("The field 'Parallel Executions'");
	});
});
