import { idempotencyKey } from '../../../nodes/Enmeshed/sending/idempotency-key';
import { executeFunctions, type StubOptions } from '../../support/n8n/n8n-functions';

const keyOf = async (
	options: StubOptions = {},
	itemIndex = 0,
	content: object = { subject: 'A' },
	kind: 'send' | 'question' | 'upload' = 'send',
) => {
	const functions = executeFunctions({ executionId: '7', ...options });
	const call = { functions, itemIndex, uploads: new Map<string, string>() };
	return (await idempotencyKey(call, () => content, { kind })).idempotencyKey;
};

describe('the key of a sending or an upload', () => {
	it('is the same when the node is run again within one execution', async () => {
		expect(await keyOf()).toBe(await keyOf());
		const [before, after] = [{ subject: 'now 12:00' }, { subject: 'now 12:01' }];
		expect(await keyOf({}, 0, before)).toBe(await keyOf({}, 0, after));
	});

	it.each<[string, StubOptions, number]>([
		['item', {}, 1],
		['run of a loop', { runIndex: 1 }, 0],
		['execution', { executionId: '8' }, 0],
		['node', { node: { id: 'another' } }, 0],
	])('differs for another %s', async (_what, options, itemIndex) => {
		expect(await keyOf(options, itemIndex)).not.toBe(await keyOf());
	});

	it('differs for each of several uploads for one item', async () => {
		const functions = executeFunctions({ executionId: '7' });
		const call = { functions, itemIndex: 0, uploads: new Map<string, string>() };
		const keyOfPart = async (part?: string) =>
			(await idempotencyKey(call, () => ({}), { kind: 'upload', ...(part && { part }) }))
				.idempotencyKey;
		const keys = [await keyOfPart(), await keyOfPart('0 data'), await keyOfPart('1 data')];
		expect(new Set(keys).size).toBe(3);
		expect(await keyOfPart('0 data')).toBe(keys[1]);
	});

	it('asks for the content only where it is part of the key', async () => {
		const content = jest.fn(() => ({}));
		const functions = executeFunctions({ executionId: '7' });
		await idempotencyKey({ functions, itemIndex: 0, uploads: new Map() }, content);
		expect(content).not.toHaveBeenCalled();
	});

	it('depends on the content alone when an agent calls the node', async () => {
		const tool = { isTool: true };
		expect(await keyOf({ ...tool, runIndex: 1 })).toBe(await keyOf(tool));
		expect(await keyOf(tool, 0, { subject: 'B' })).not.toBe(await keyOf(tool));
	});

	it('differs when an agent asks a person the same again', async () => {
		const asked = { isTool: true };
		const first = await keyOf(asked, 0, {}, 'question');
		expect(await keyOf({ ...asked, runIndex: 1 }, 0, {}, 'question')).not.toBe(first);
	});

	describe('in an execution that an event has started', () => {
		const started: StubOptions = { mode: 'trigger', startedBy: ['EVT1', 'EVT2'] };
		const again: StubOptions = { ...started, executionId: '8' };

		it('is the same when the event is delivered again, or a person retries the execution', async () => {
			expect(await keyOf(again)).toBe(await keyOf(started));
			expect(await keyOf({ ...again, mode: 'retry' })).toBe(await keyOf(started));
		});

		it('differs when the workflow says something else then', async () => {
			expect(await keyOf(again, 0, { subject: 'B' })).not.toBe(await keyOf(started));
		});

		it('does not depend on the place of the item', async () => {
			expect(await keyOf(again, 1)).toBe(await keyOf(started));
			expect(await keyOf({ ...again, runIndex: 1 })).toBe(await keyOf(started));
		});

		it.each<[string, StubOptions]>([
			['event', { ...started, startedBy: ['EVT1', 'EVT3'] }],
			['node', { ...started, node: { id: 'another' } }],
		])('differs for another %s', async (_what, options) => {
			expect(await keyOf(options)).not.toBe(await keyOf(started));
		});

		it('differs for each input item of an upload', async () => {
			const uploadFor = async (peer: string) =>
				await keyOf({ ...started, items: [{ json: { peer } }] }, 0, {}, 'upload');
			expect(await uploadFor('Anna')).toBe(await uploadFor('Anna'));
			expect(await uploadFor('Anna')).not.toBe(await uploadFor('Ben'));
		});

		it('differs for each execution when a workflow is tried out with a sample event', async () => {
			const byHand: StubOptions = { ...started, mode: 'manual' };
			expect(await keyOf({ ...byHand, executionId: '8' })).not.toBe(await keyOf(byHand));
		});
	});

	it('is absent where the execution has no id', async () => {
		expect(await keyOf({ executionId: '' })).toBeUndefined();
	});
});
