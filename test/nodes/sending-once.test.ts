import type { IDataObject } from 'n8n-workflow';
import type { StubOptions } from '../support/n8n/n8n-functions';
import { NodeBench } from './support/node-bench';

jest.setTimeout(60_000);

let bench: NodeBench;
let person: string;

beforeAll(async () => {
	bench = await NodeBench.open({ maxUnreceivedMessages: 1_000 });
	const { address, relationshipId } = await bench.connect();
	person = address;
	await bench.one('relationship', 'accept', { relationship: relationshipId });
	await bench.network.settle(bench.wallet);
});
afterAll(() => bench.close());

let count = 0;
const newId = (): string => String(++count);

const trigger = { name: 'Mail', type: 'n8n-nodes-enmeshed.enmeshedTrigger' };

const mail = (subject: string, sendOncePer?: string): IDataObject => ({
	to: person,
	subject,
	body: 'text',
	additionalFields: sendOncePer === undefined ? {} : { sendOncePer },
});

/** Sends the mails in one run of the node, and answers their ids. */
async function send(
	mails: IDataObject[],
	options: Partial<StubOptions>,
	operation = 'sendMail',
): Promise<unknown[]> {
	const sent = await bench.run('message', operation, mails, { executionId: newId(), ...options });
	return sent.map(({ json }) => json['id']);
}

/** An execution that the event has started. */
const startedBy = (event: string): Partial<StubOptions> => ({
	mode: 'trigger',
	startedBy: [event],
	executionId: newId(),
	context: {},
});

/** Data of an execution of another workflow, as n8n has stored it. */
const storedRoot = (event: string): object => ({
	executionData: {
		nodeExecutionStack: [{ node: trigger, data: { main: [[{ json: { id: event } }]] } }],
	},
	resultData: { runData: {} },
});

const storedChild = (executionId: string, source = 'trigger'): object => ({
	parentExecution: { executionId, executionContext: { source } },
	executionData: { nodeExecutionStack: [] },
	resultData: { runData: {} },
});

const differing = (ids: unknown[]): number => new Set(ids).size;

describe('a mail whose event is delivered again', () => {
	it('is not sent again when the list is in another order', async () => {
		const first = await send([mail('a'), mail('b')], startedBy('EVT1'));
		const second = await send([mail('b'), mail('a'), mail('c')], startedBy('EVT1'));
		expect(second.slice(0, 2)).toEqual([first[1], first[0]]);
		expect(differing([...first, ...second])).toBe(3);
	});

	it('is not sent again by a loop in another order', async () => {
		const attempt = async (mails: IDataObject[]) => {
			const execution = startedBy('EVT2');
			const ids = [];
			for (const [runIndex, one] of mails.entries()) {
				ids.push(...(await send([one], { ...execution, runIndex })));
			}
			return ids;
		};
		const first = await attempt([mail('a'), mail('b'), mail('b')]);
		const second = await attempt([mail('b'), mail('b'), mail('a')]);
		expect(differing(first)).toBe(3);
		expect([...second].sort()).toEqual([...first].sort());
	});

	it('is not sent again from a sub-workflow, or a sub-workflow of that', async () => {
		const attempt = async () => {
			const [root, child, grandchild] = [newId(), newId(), newId()];
			const stored = {
				[root]: storedRoot('EVT3'),
				[child]: storedChild(root),
				[grandchild]: storedChild(child, 'integrated'),
			};
			return [
				...(await send([mail('sub')], { mode: 'integrated', executionId: child, stored })),
				...(await send([mail('subsub')], { mode: 'integrated', executionId: grandchild, stored })),
			];
		};
		const first = await attempt();
		expect(differing(first)).toBe(2);
		expect(await attempt()).toEqual(first);
	});

	it('is not sent again from a sub-workflow of an execution that has waited, or is retried', async () => {
		const attempt = async (root: object) => {
			const [rootId, child] = [newId(), newId()];
			const stored = { [rootId]: root, [child]: storedChild(rootId) };
			return await send([mail('waited')], { mode: 'integrated', executionId: child, stored });
		};
		const waited = {
			executionData: { nodeExecutionStack: [], runtimeData: { triggerNode: trigger } },
			resultData: {
				runData: { Mail: [{ data: { main: [[{ json: { id: 'EVT4' } }]] } }] },
			},
		};
		expect(await attempt(waited)).toEqual(await attempt(storedRoot('EVT4')));
	});

	it('is not sent again by a tool of an agent', async () => {
		const attempt = async (runIndex: number) => {
			const executionId = newId();
			const stored = { [executionId]: storedRoot('EVT5') };
			const options = { mode: 'trigger', isTool: true, executionId, stored, runIndex } as const;
			return await send([mail('tool')], options);
		};
		expect(await attempt(1)).toEqual(await attempt(0));
	});

	it('is not sent again with a file of the input', async () => {
		const data = { data: Buffer.from('invoice').toString('base64'), mimeType: 'text/plain' };
		const files = { files: [{ fileSource: 'input', binaryPropertyName: 'data' }] };
		const attempt = async (json: IDataObject) =>
			await send([{ ...mail('with file'), additionalFields: { attachments: files } }], {
				...startedBy('EVT6'),
				items: [{ json, binary: { data } }],
			});
		expect(await attempt({ readAt: '12:01' })).toEqual(await attempt({ readAt: '12:00' }));
	});

	it('is sent with another text', async () => {
		const first = await send([mail('text 1')], startedBy('EVT7'));
		expect(await send([mail('text 2')], startedBy('EVT7'))).not.toEqual(first);
	});
});

describe('two equal mails', () => {
	it('are sent when a list has them twice', async () => {
		const first = await send([mail('twice'), mail('twice')], startedBy('EVT8'));
		expect(differing(first)).toBe(2);
		expect(await send([mail('twice'), mail('twice')], startedBy('EVT8'))).toEqual(first);
	});

	it('are one when n8n repeats the run, also if the text has changed', async () => {
		const execution = startedBy('EVT9');
		const [first] = await send([mail('at 12:00')], execution);
		expect(await send([mail('at 12:01'), mail('at 12:00')], execution)).toEqual([
			first,
			expect.not.stringMatching(String(first)),
		]);
	});

	it('are sent when a person tests a workflow and its sub-workflow by hand', async () => {
		const byHand = async () => {
			const [root, child] = [newId(), newId()];
			const stored = { [root]: storedRoot('EVT10'), [child]: storedChild(root, 'manual') };
			return await send([mail('test')], { mode: 'integrated', executionId: child, stored });
		};
		expect(await byHand()).not.toEqual(await byHand());
	});

	it('are one when a step that calls a sub-workflow is retried', async () => {
		const root = newId();
		const call = async () => {
			const child = newId();
			const stored = {
				[root]: { resultData: { runData: {} } },
				[child]: storedChild(root, 'webhook'),
			};
			return await send([mail('called')], { mode: 'integrated', executionId: child, stored });
		};
		expect(await call()).toEqual(await call());
	});
});

describe("the value under 'Send Once Per'", () => {
	it('makes equal mails one, whatever began the execution', async () => {
		const [first] = await send([mail('order', '4711')], { mode: 'trigger' });
		const again = [mail('order', '4711'), mail('order', '4712')];
		const [same, other] = await send(again, startedBy('EVT11'));
		expect(same).toBe(first);
		expect(other).not.toBe(first);
	});

	it('counts for each test by hand', async () => {
		const byHand = async () => await send([mail('by hand', '1')], { mode: 'manual' });
		expect(await byHand()).not.toEqual(await byHand());
	});

	it('counts for an upload although the rest of the item has changed', async () => {
		const upload = [{ source: 'text', text: 'certificate', options: { sendOncePer: 'B-2' } }];
		const attempt = async (json: IDataObject) => {
			const items = [{ json }];
			const execution = { executionId: newId(), mode: 'trigger' as const, items };
			const [item] = await bench.run('file', 'upload', upload, execution);
			return item?.json['id'];
		};
		const first = await attempt({ name: 'Ada' });
		expect(await attempt({ name: 'Ada', hasAccepted: true })).toBe(first);
	});

	it('counts for requests and uploads, too', async () => {
		const options = { sendOncePer: 'A-1' };
		const request = { to: person, askForTypes: ['GivenName'], options };
		const upload = { source: 'text', text: 'terms', options };
		for (const [resource, operation, parameters] of [
			['message', 'sendRequest', request],
			['file', 'upload', upload],
		] as const) {
			const attempt = async () =>
				await bench.run(resource, operation, [parameters], {
					executionId: newId(),
					mode: 'trigger',
				});
			const [first] = await attempt();
			expect((await attempt())[0]?.json['id']).toBe(first?.json['id']);
		}
	});

	it('must not be empty', async () => {
		await expect(send([mail('empty', ' ')], {})).rejects.toMatchObject({
			message: "The field 'Send Once Per' is not valid",
			description: 'It is empty',
		});
	});
});
