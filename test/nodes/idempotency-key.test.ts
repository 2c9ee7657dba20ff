import { idempotencyKey } from '../../nodes/Enmeshed/helpers/idempotency-key';
import { executeFunctions, type StubOptions } from '../support/n8n-functions';

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

	it('is absent where the execution has no id', () => {
		expect(keyOf({ executionId: '' })).toBeUndefined();
	});
});
