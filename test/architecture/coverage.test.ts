import { collectCoverage, gapsIn } from '../../scripts/docs/coverage';
import { readNamedTests } from '../../scripts/docs/named-tests';
import { readStatements } from '../../scripts/docs/statements';

/* Everything that the documents promise has a test that names it: docs/interface-coverage.md. */

describe('the coverage of the interface', () => {
	const coverage = collectCoverage();

	it('leaves no row, item or behaviour without a test', () => {
		expect(gapsIn(coverage).untested).toEqual([]);
	});

	it('has no test that names what is not there', () => {
		expect(gapsIn(coverage).unknown).toEqual([]);
	});
});

describe('statements', () => {
	const document = { title: 'doc', file: 'doc.md', sections: /^1/, dividedBelow: 'Area' };
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

	it.each([
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
