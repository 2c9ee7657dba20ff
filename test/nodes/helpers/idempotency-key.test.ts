import { idempotencyKey } from '../../../nodes/Enmeshed/helpers/idempotency-key';
import { executeFunctions, type StubOptions } from '../../support/n8n/n8n-functions';

const keyOf = (options: StubOptions = {}, itemIndex = 0, content: object = { subject: 'A' }) =>
	idempotencyKey(
		{ functions: executeFunctions({ executionId: '7', ...options }), itemIndex },
		() => content,
	).idempotencyKey;

describe('the key of a sending or an upload', () => {
	it('is the same when the node is run again within one execution', () => {
		expect(keyOf()).toBe(keyOf());
		expect(keyOf({}, 0, { subject: 'now 12:00' })).toBe(keyOf({}, 0, { subject: 'now 12:01' }));
	});

	it.each<[string, StubOptions, number]>([
		['item', {}, 1],
		['run of a loop', { runIndex: 1 }, 0],
		['execution', { executionId: '8' }, 0],
		['node', { node: { id: 'another' } }, 0],
	])('differs for another %s', (_what, options, itemIndex) => {
		expect(keyOf(options, itemIndex)).not.toBe(keyOf());
	});

	it('differs for each of several uploads for one item', () => {
		const context = { functions: executeFunctions({ executionId: '7' }), itemIndex: 0 };
		const keyOfPart = (part?: string) => idempotencyKey(context, () => ({}), part).idempotencyKey;
		expect(new Set([keyOfPart(), keyOfPart('0 data'), keyOfPart('1 data')]).size).toBe(3);
		expect(keyOfPart('0 data')).toBe(keyOfPart('0 data'));
	});

	it('asks for the content only where it is part of the key', () => {
		const content = jest.fn(() => ({}));
		idempotencyKey({ functions: executeFunctions({ executionId: '7' }), itemIndex: 0 }, content);
		expect(content).not.toHaveBeenCalled();
	});

	it('depends on the content when an agent may call the node several times', () => {
		const tool = { isTool: true };
		expect(keyOf(tool)).toBe(keyOf(tool));
		expect(keyOf(tool, 0, { subject: 'B' })).not.toBe(keyOf(tool));
	});

	describe('in an execution that an event has started', () => {
		const started: StubOptions = { mode: 'trigger', startedBy: ['EVT1', 'EVT2'] };
		const again: StubOptions = { ...started, executionId: '8' };

		it('is the same when the event is delivered again, or a person retries the execution', () => {
			expect(keyOf(again)).toBe(keyOf(started));
			expect(keyOf({ ...again, mode: 'retry' })).toBe(keyOf(started));
		});

		it('differs when the workflow says something else then', () => {
			expect(keyOf(again, 0, { subject: 'B' })).not.toBe(keyOf(started));
		});

		it.each<[string, StubOptions, number]>([
			['item', started, 1],
			['run of a loop', { ...started, runIndex: 1 }, 0],
			['event', { ...started, startedBy: ['EVT1', 'EVT3'] }, 0],
			['node', { ...started, node: { id: 'another' } }, 0],
		])('differs for another %s', (_what, options, itemIndex) => {
			expect(keyOf(options, itemIndex)).not.toBe(keyOf(started));
		});

		it('differs for each execution when a workflow is tried out with a sample event', () => {
			expect(keyOf({ ...again, mode: 'manual' })).not.toBe(keyOf({ ...started, mode: 'manual' }));
		});
	});

	it('is absent where the execution has no id', () => {
		expect(keyOf({ executionId: '' })).toBeUndefined();
	});
});
