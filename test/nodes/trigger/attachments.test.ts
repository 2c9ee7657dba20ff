import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import type { AnyEvent, Delivery } from '../../../core';
import { EnmeshedTrigger } from '../../../nodes/Enmeshed/EnmeshedTrigger.node';
import { EventDelivery } from '../../../nodes/Enmeshed/trigger/deliver-events';
import { deliveryHost } from '../../../nodes/Enmeshed/trigger/delivery-host';
import { triggerFields } from '../../../nodes/Enmeshed/trigger/trigger-fields';
import { readTriggerSettings } from '../../../nodes/Enmeshed/trigger/trigger-settings';
import { defaultsOf, triggerFunctions, type TriggerStub } from '../../support/n8n/n8n-functions';
import { until } from '../../support/until';
import { NodeBench } from '../support/node-bench';

jest.setTimeout(60_000);

let bench: NodeBench;
let ours: string;
const open: Array<Awaited<ReturnType<EnmeshedTrigger['trigger']>>> = [];

beforeAll(async () => {
	bench = await NodeBench.open();
	const { relationshipId } = await bench.connect();
	await bench.run('relationship', 'accept', { relationship: relationshipId });
	await bench.network.settle(bench.wallet);
	ours = String((await bench.one('account', 'getIdentity'))['address']);
});

afterEach(async () => {
	bench.network.backbone.faults.clear();
	for (const trigger of open.splice(0)) await trigger.closeFunction?.();
});

afterAll(async () => {
	await bench?.close();
});

let nodes = 0;

function stubFor(options: IDataObject, more: { mode?: 'manual'; events?: string[] } = {}) {
	const { mode, events = ['peer.mailReceived'] } = more;
	const stub = triggerFunctions({
		credentials: bench.credential,
		node: { id: `attachments ${++nodes}` },
		...(mode === undefined ? {} : { mode }),
		parameters: {
			...defaultsOf(triggerFields),
			events,
			options: { downloadAttachments: true, ...options },
		},
	});
	stub.onEmit = (emission) => emission.settle({ status: 'success' });
	return stub;
}

async function started(stub: TriggerStub) {
	const trigger = await new EnmeshedTrigger().trigger.call(stub.functions);
	open.push(trigger);
	return trigger;
}

async function uploaded(filename: string, content: string | Buffer): Promise<string> {
	const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
	const file = { filename, mimetype: 'text/plain', expiresAt };
	return (await bench.wallet.files.upload(file, Buffer.from(content))).id;
}

/** The person sends a mail with these files, which arrives. */
async function receive(subject: string, ...attachments: string[]): Promise<void> {
	const content = { '@type': 'Mail' as const, to: [ours], subject, body: 'Hello' };
	await bench.wallet.messages.send({ recipients: [ours], content, attachments });
	await bench.settle();
}

const itemsOf = ({ emissions }: TriggerStub): INodeExecutionData[] =>
	emissions.flatMap(({ items }) => items);

const textOf = (item: INodeExecutionData | undefined, field: string): string =>
	Buffer.from(item?.binary?.[field]?.data ?? '', 'base64').toString();

const notDownloaded = (id: string, code: string) => ({
	id,
	error: { code, message: expect.any(String) as string },
});

/** The Backbone refuses every content of a file for a while. */
const refuseFiles = (): void =>
	void bench.network.backbone.faults.add({
		method: 'GET',
		path: /Files\/FIL\w+$/,
		times: 1_000,
		action: {
			kind: 'status',
			status: 429,
			body: { error: { code: 'error.platform.quotaExhausted', message: 'Too much' } },
		},
	});

describe('the attachments of a message', () => {
	it('come with the item when the option is on, and as ids without it', async () => {
		const [stub, without] = [stubFor({}), stubFor({ downloadAttachments: false })];
		for (const one of [stub, without]) await started(one);
		const ids = [await uploaded('a.txt', 'first'), await uploaded('../b.txt', 'second')];
		await receive('two files', ...ids);
		await until(() => stub.emissions.length === 1 && without.emissions.length === 1);
		const [item] = itemsOf(stub);
		expect(item?.json['attachments']).toEqual([
			{ id: ids[0], filename: 'a.txt', mimetype: 'text/plain', filesize: 5, field: 'attachment_0' },
			{
				...{ id: ids[1], filename: '../b.txt', mimetype: 'text/plain', filesize: 6 },
				field: 'attachment_1',
			},
		]);
		expect(Object.keys(item?.binary ?? {})).toEqual(['attachment_0', 'attachment_1']);
		expect(textOf(item, 'attachment_0')).toBe('first');
		expect(textOf(item, 'attachment_1')).toBe('second');
		expect(item?.binary?.['attachment_1']?.fileName).toBe('__b.txt');
		const [plain] = itemsOf(without);
		expect(plain?.json['attachments']).toEqual(ids);
		expect(plain?.binary).toBeUndefined();
	});

	it('that are gone leave a note, and the others come', async () => {
		const gone = await uploaded('gone.txt', 'gone');
		const kept = await uploaded('kept.txt', 'kept');
		await receive('one is gone', gone, kept);
		await bench.wallet.files.delete(gone);
		const stub = stubFor({ startFrom: 'oldest' });
		await started(stub);
		const found = () => itemsOf(stub).find(({ json }) => json['subject'] === 'one is gone');
		await until(() => found() !== undefined);
		expect(found()?.json['attachments']).toEqual([
			notDownloaded(gone, 'error.runtime.recordNotFound'),
			expect.objectContaining({ id: kept, field: 'attachment_1' }),
		]);
		expect(Object.keys(found()?.binary ?? {})).toEqual(['attachment_1']);
		expect(stub.failedExecutions).toEqual([]);
	});

	it('come up to a size, over all events of an execution', async () => {
		const stub = stubFor({ maxAttachmentMegabytes: 1, batchSize: 2, parallel: 1 });
		const position = await started(stub);
		await position.closeFunction?.();
		const large = Buffer.alloc(600_000, 'x');
		const ids = [await uploaded('1', large), await uploaded('2', large), await uploaded('3', 'x')];
		await receive('large 1', ids[0] ?? '');
		await receive('large 2', ids[1] ?? '', ids[2] ?? '');
		await started(stub);
		await until(() => itemsOf(stub).length === 2);
		const [first, second] = itemsOf(stub);
		expect(stub.emissions).toHaveLength(1);
		expect(Object.keys(first?.binary ?? {})).toEqual(['attachment_0']);
		expect(second?.json['attachments']).toEqual([
			notDownloaded(ids[1] ?? '', 'error.gateway.files.overLimit'),
			expect.objectContaining({ id: ids[2], field: 'attachment_1' }),
		]);
	});

	it('that cannot be loaded at present hold the event back, until it is tried again', async () => {
		const id = await uploaded('later.txt', 'later');
		const stub = stubFor({ maxAttempts: 1 });
		await started(stub);
		refuseFiles();
		await receive('later', id);
		await until(() => stub.failedExecutions.length === 1);
		expect(stub.failedExecutions[0]).toMatchObject({
			description: expect.stringContaining('attachments could not be downloaded') as string,
		});
		expect(stub.emissions).toEqual([]);
		bench.network.backbone.faults.clear();
		const [problem] = await bench.run('account', 'getProblems', { filters: { kind: 'delivery' } });
		const chosen = { __rl: true, mode: 'id', value: String(problem?.json['id']) };
		await bench.run('account', 'getProblems', { handling: 'retry', problem: chosen });
		await until(() => stub.emissions.length === 1);
		expect(textOf(itemsOf(stub)[0], 'attachment_0')).toBe('later');
	});
});

describe('an attempt to deliver a message with attachments', () => {
	async function attempt(attemptNumber: number, closed = new AbortController()) {
		const stub = stubFor({ acknowledge: 'starts', maxAttempts: 2 });
		const settings = await readTriggerSettings(stub.functions);
		const { gateway, release } = await bench.gateway();
		const events: AnyEvent[] = await gateway.events.recent(settings.filter, 1);
		const host = deliveryHost(stub.functions, gateway, settings, closed.signal);
		const facts = { resumed: false, refusals: 0, isParked: false, canPark: true };
		const delivery: Delivery = { ...facts, events, attempt: attemptNumber, key: 'key' };
		try {
			return await new EventDelivery(host, settings, () => 1).deliver(delivery);
		} finally {
			release();
		}
	}

	beforeAll(async () => receive('attempts', await uploaded('a.txt', 'a')));

	it('is repeated, and given up after the last one', async () => {
		refuseFiles();
		const reason = expect.stringContaining('attachments could not be downloaded') as string;
		expect(await attempt(1)).toEqual({ kind: 'repeat', afterMs: 1, reason });
		expect(await attempt(2)).toEqual({ kind: 'parked', reason });
		bench.network.backbone.faults.clear();
		expect(await attempt(2)).toEqual({ kind: 'accepted' });
	});

	it('is repeated by the next trigger if this one is closed meanwhile', async () => {
		const closed = new AbortController();
		closed.abort();
		expect(await attempt(2, closed)).toEqual({
			kind: 'repeat',
			afterMs: 0,
			reason: 'the trigger was closed',
		});
	});
});

describe('a manual test', () => {
	it('shows the attachments of a sample', async () => {
		await receive('sample', await uploaded('sample.txt', 'sample'));
		const stub = stubFor({}, { mode: 'manual' });
		await (await started(stub)).manualTriggerFunction?.();
		const [item] = itemsOf(stub);
		expect(item?.json).toMatchObject({
			subject: 'sample',
			attachments: [{ filename: 'sample.txt', field: 'attachment_0' }],
			sample: expect.any(String) as string,
		});
		expect(textOf(item, 'attachment_0')).toBe('sample');
	});

	it('says that they cannot be loaded at present', async () => {
		refuseFiles();
		const stub = stubFor({}, { mode: 'manual', events: ['transport.messageReceived'] });
		const test = (await started(stub)).manualTriggerFunction?.();
		await expect(test).rejects.toMatchObject({
			context: { code: 'error.platform.quotaExhausted' },
		});
		expect(stub.emissions).toEqual([]);
	});
});

it.each<[IDataObject, string]>([
	[{ downloadAttachments: 'often' }, 'Download Attachments'],
	[{ maxAttachmentMegabytes: 0 }, 'Max Size of Attachments'],
	[{ maxAttachmentMegabytes: 1_001 }, 'Max Size of Attachments'],
	[{ maxAttachmentMegabytes: 'much' }, 'Max Size of Attachments'],
])('a trigger does not start with %j', async (options, field) => {
	await expect(started(stubFor(options))).rejects.toMatchObject({
		message: `The field '${field}' is not valid`,
		context: { code: 'error.runtime.validation.invalidPropertyValue' },
	});
});
