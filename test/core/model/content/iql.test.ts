import { parseReceivedContent } from '../../../../core/model/content/content-registry';
import { parseIql, type IqlQuery } from '../../../../core/model/content/requests/iql';
import { matchIql } from '../../../../core/model/content/requests/iql-match';
import { itReadsItsVectors } from '../../../support/reads-its-vectors';
import { contentVectors } from './content-vectors';

const { validate, execute } = contentVectors.iql;
const attributes = contentVectors.iql.attributes.map(parseReceivedContent);

function queryOf(text: string): IqlQuery {
	const result = parseIql(text);
	if (!result.isValid) throw new Error(`not a query: ${text}`);
	return result.query;
}

describe('the text of a query', () => {
	it.each(validate.map((entry) => [entry.query, entry] as const))(
		'is judged as recorded: %j',
		(text, { valid, line, column }) => {
			const result = parseIql(text);
			expect(result.isValid).toBe(valid);
			if (!result.isValid) expect(result.problem).toEqual({ line, column });
		},
	);

	it('counts lines', () => {
		expect(parseIql('#a\n||\n ?')).toEqual({ isValid: false, problem: { line: 3, column: 2 } });
	});

	it('binds not before and, and before or', () => {
		expect(queryOf('!#a && #b || #c')).toEqual({
			kind: 'or',
			of: [
				{
					kind: 'and',
					of: [
						{ kind: 'not', of: { kind: 'tag', tag: 'a' } },
						{ kind: 'tag', tag: 'b' },
					],
				},
				{ kind: 'tag', tag: 'c' },
			],
		});
	});

	it.each([
		['quoted', "#'a \\'b\\' \\\\'"],
		['unquoted', "#a\\'b\\\\"],
	])('may have quotes and backslashes in %s text', (how, text) => {
		expect(queryOf(text)).toEqual({
			kind: 'tag',
			tag: how === 'quoted' ? "a 'b' \\" : "a'b\\",
		});
	});

	it('has at most 4096 characters', () => {
		expect(parseIql(`#${'a'.repeat(4095)}`).isValid).toBe(true);
		expect(parseIql(`#${'a'.repeat(4096)}`).isValid).toBe(false);
	});

	it.each([
		['brackets', '( ', ' )'],
		['negations', '!', ''],
	])('nests %s no deeper than any person would', (_what, open, close) => {
		const nested = (depth: number) => `${open.repeat(depth)}#a${close.repeat(depth)}`;
		expect(parseIql(nested(100)).isValid).toBe(true);
		const { isValid } = parseIql(nested(101));
		expect(isValid).toBe(false);
		expect(parseIql(open.repeat(100_000)).isValid).toBe(false);
	});
});

describe('a query', () => {
	it.each(execute.map((entry) => [entry.query, entry.matches] as const))(
		'finds the recorded attributes: %j',
		(text, matches) => {
			expect(matchIql(queryOf(text), attributes)).toEqual(matches);
		},
	);

	it.each([
		['a member of the prototype', 'toString?'],
		['a member of a text', 'owner.length?'],
		['null', 'validTo?'],
		['an object as text', "value='[object Object]'"],
		['a date that is none', 'owner<2030-01-01'],
		['a text where a list belongs', 'owner~did'],
	])('does not find %s', (_what, text) => {
		const attribute = { '@type': 'IdentityAttribute', owner: 'did', validTo: null, value: {} };
		expect(matchIql(queryOf(text), [attribute])).toEqual([]);
	});
});

itReadsItsVectors(__filename);
