import { collectCoverage, gapsIn } from '../../scripts/docs/coverage';
import { readNamedTests } from '../../scripts/docs/named-tests';
import { readStatements } from '../../scripts/docs/statements';

/*
 * Everything that the documents promise has a test that names it: docs/interface-coverage.md,
 * docs/version-7-coverage.md.
 */

describe('the coverage of the interface', () => {
	const coverage = collectCoverage();

	it('leaves no row, item or behaviour without a test', () => {
		expect(gapsIn(coverage).untested).toEqual([]);
	});

	it('has no test that names what is not there', () => {
		expect(gapsIn(coverage).unknown).toEqual([]);
	});

	it('gives no reason for the lack of a test that there is', () => {
		expect(gapsIn(coverage).contradictory).toEqual([]);
	});
});

describe('statements', () => {
	const document = {
		title: 'doc',
		file: 'doc.md',
		page: 'page.md',
		sections: /^1/,
		dividedBelow: 'Area',
	};
	const names = (text: string) => readStatements(document, text).map(({ name }) => name);

	it('are rows, items, points and paragraphs, named by what stands above and before them', () => {
		const text = [
			'## 1. One',
			'It is exact.',
			'Thing:',
			'',
			'| Field | Type |',
			'|---|---|',
			'| `id` | string |',
			'',
			'- Steps:',
			'  1. first',
			'- a point',
			'### 1.2 Two',
			'| Area | Behaviour |',
			'|---|---|',
			'| a | x; y |',
			'## 2. Elsewhere',
			'- not asked for',
		].join('\n');
		expect(names(text)).toEqual([
			'doc 1: paragraph 1',
			'doc 1: Thing.id',
			'doc 1: Steps.1',
			'doc 1: point 1',
			'doc 1.2: a 1',
			'doc 1.2: a 2',
		]);
	});

	it('are not made of what only says that it says nothing', () => {
		expect(names('## 1. One\n- Shape: not shown.\n- It is so. Shape: not shown.')).toEqual([
			'doc 1: point 1',
		]);
	});

	it('can be named by the first words of their rows, without captions', () => {
		const text =
			'## 1. One\nCases:\n\n| A |\n|---|\n| x; y |\n| x; y |\n| ' + 'long '.repeat(20) + '|';
		const found = readStatements({ ...document, hasShortNames: true }, text);
		expect(found.map(({ name }) => name)).toEqual([
			'doc 1: x, y',
			'doc 1: x, y (2)',
			`doc 1: ${'long '.repeat(8).trim()}`,
		]);
	});

	it('have names of their own', () => {
		expect(() => names('## 1. One\n| A |\n|---|\n| x |\n| x |')).toThrow(/'doc 1: x' twice/);
	});
});

describe('named tests', () => {
	const shown = (text: string) => readNamedTests('a.test.ts', text).flatMap(({ shows }) => shows);

	it('are found in the file, in groups and as tables', () => {
		const text = `
			it('interface 1: a | is so', () => {});
			describe.each([1])('group', () => {
				it.each([1])('interface 1: b; interface 1.2: c | is so', () => {});
			});`;
		expect(shown(text)).toEqual(['interface 1: a', 'interface 1: b', 'interface 1.2: c']);
	});

	it('can name statements in a comment, as groups can', () => {
		const text = `
			// shows connector-7 4: POST /{id}; DELETE /{id};
			// generation-7 6: anything else
			it('is so', () => {});
			// shows connector-7 2: role missing
			describe('group', () => {
				it.each([1])('is %s', () => {});
			});`;
		expect(shown(text)).toEqual([
			'connector-7 4: POST /{id}',
			'connector-7 4: DELETE /{id}',
			'generation-7 6: anything else',
			'connector-7 2: role missing',
		]);
	});

	it.each([
		"// shows connector-7 1: a\nit.skip('is so', () => {});",
		"// shows connector-7 1: a\ndescribe('empty', () => { it.todo('x'); });",
		'// shows connector-7 1: a\nconst later = () => 1;',
		"it.skip('interface 1: a | is so', () => {});",
		"it.todo('interface 1: a | is so');",
		"describe.skip('group', () => { it('interface 1: a | is so', () => {}); });",
		"if (condition) it('interface 1: a | is so', () => {});",
		"for (const one of []) { it('interface 1: a | is so', () => {}); }",
		"const later = () => { it('interface 1: a | is so', () => {}); };",
		"// it('interface 1: a | is so', () => {});",
		"it('interface 1: a', () => {});",
		"it('another test about interface 1: a | is so', () => {});",
	])('are not those that may not run, or have no sentence: %s', (text) => {
		expect(shown(text)).toEqual([]);
	});
});
