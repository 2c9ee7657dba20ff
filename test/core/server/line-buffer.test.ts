import { LineBuffer } from '../../../scripts/cli/line-buffer';

describe('lines for the terminal', () => {
	const written: string[] = [];
	let lines: LineBuffer;
	beforeEach(() => {
		jest.useFakeTimers();
		written.length = 0;
		lines = new LineBuffer((text) => written.push(text));
	});
	afterEach(() => jest.useRealTimers());

	it('are written at once after a pause', () => {
		lines.add('a\n');
		expect(written).toEqual(['a\n']);
		jest.runAllTimers();
		lines.add('b\n');
		expect(written).toEqual(['a\n', 'b\n']);
	});

	it('that follow closely are written together, in their order', () => {
		for (const line of ['a\n', 'b\n', 'c\n']) lines.add(line);
		expect(written).toEqual(['a\n']);
		jest.runAllTimers();
		expect(written).toEqual(['a\n', 'b\nc\n']);
	});

	it('are written before they take much memory', () => {
		lines.add('a\n');
		for (let count = 0; count < 100; count++) lines.add('x'.repeat(1_000));
		expect(written.length).toBe(2);
		expect(written.at(-1)?.length).toBe(66_000);
	});

	it('are written when the process ends', () => {
		lines.add('a\n');
		lines.add('b\n');
		lines.flush();
		expect(written).toEqual(['a\n', 'b\n']);
		jest.runAllTimers();
		expect(written).toEqual(['a\n', 'b\n']);
	});
});
