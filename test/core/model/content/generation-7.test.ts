import { codeOf } from '../../../../core/base/errors';
import { parseReceivedContent } from '../../../../core/model/content/content-registry';
import { obstacleFor } from '../../../../core/model/content/generations';
import { parseIql } from '../../../../core/model/content/requests/iql';
import { matchIql } from '../../../../core/model/content/requests/iql-match';
import { defaultHintsOf } from '../../../../core/model/content/values/default-hints';
import type { Json, JsonObject } from '../../../../core/model/json';
import { failingRows } from '../../../support/failing-rows';
import { itReadsItsVectors } from '../../../support/reads-its-vectors';
import { readVectors } from '../../../support/vectors';
import { shortenedHints } from './shortened-hints';

const vectors = readVectors<{
	readonly accepted: ReadonlyArray<{ description: string; input: Json; written: string }>;
	readonly refused: ReadonlyArray<{
		description: string;
		input: Json;
		code: string;
		field: string;
	}>;
	readonly hints: Readonly<Record<string, { valueHints: Json; renderHints: Json }>>;
	readonly iql: {
		readonly attributes: Readonly<Record<string, JsonObject>>;
		readonly queries: ReadonlyArray<{ query: string; matches: readonly string[] }>;
	};
}>('generation-7-by-hand.json');

const named = <Row extends { readonly description: string }>(rows: readonly Row[]) =>
	rows.map((row) => [row.description, row] as const);

describe('contents that releases of version 7 have added', () => {
	// shows connector-7 7: token content; generation-7 2: Mail; absent, null; Markdown; paragraph
	// 1; generation-7 4.2: accountHolder; iban; bic; paragraph 2; paragraph 3; generation-7 4.3:
	// paragraph 1; generation-7 4.4: value; schemaURL; generation-7 4.5: value; type;
	// displayInformation; displayInformationCachedImages; paragraph 1; generation-7 7:
	// ConsentRequestItem; ShareCredentialOfferRequestItem (7.5.0);
	// ShareAuthorizationRequestRequestItem; generation-7 11: TokenContentVerifiablePresentation
	it('are read and written', () => {
		const failing = failingRows(named(vectors.accepted), ({ input, written }) => {
			expect(JSON.stringify(parseReceivedContent(input))).toBe(written);
		});
		expect(failing).toEqual([]);
	});

	// shows generation-7 4.2: accountHolder; iban; bic; paragraph 1; paragraph 2; paragraph 3;
	// generation-7 4.3: paragraph 1; generation-7 4.4: value; schemaURL; generation-7 4.5: value;
	// type; displayInformation; generation-7 7: ConsentRequestItem; ShareCredentialOfferRequestItem
	// (7.5.0); ShareAuthorizationRequestRequestItem; generation-7 11:
	// TokenContentVerifiablePresentation
	it('are refused with the code and at the member that generation-7.md names', () => {
		const failing = failingRows(named(vectors.refused), ({ input, code, field }) => {
			const error = errorOf(() => parseReceivedContent(input));
			expect(codeOf(error)).toBe(code);
			const { facts } = error as { facts?: { field?: unknown } };
			expect(String(facts?.field).split('.')).toContain(field);
		});
		expect(failing).toEqual([]);
	});

	// shows generation-7 4.2: value hints; render hints; generation-7 4.3: paragraph 1;
	// generation-7 4.4: paragraph 1; generation-7 4.5: paragraph 2; generation-7 4.6: paragraph 1
	it('have hints', () => {
		const failing = failingRows(Object.entries(vectors.hints), (expected, type) => {
			const { valueHints = {}, renderHints = {} } = defaultHintsOf(type) ?? {};
			expect(shortenedHints(valueHints)).toEqual(expected.valueHints);
			expect(shortenedHints(renderHints)).toEqual(expected.renderHints);
		});
		expect(failing).toEqual([]);
	});

	// shows generation-7 4.1: IQL; generation-7 4.4: paragraph 1
	it('are found by queries', () => {
		const { attributes, queries } = vectors.iql;
		const names = Object.keys(attributes);
		const contents = Object.values(attributes).map(parseReceivedContent);
		const failing = failingRows(
			queries.map((row) => [row.query, row] as const),
			({ query, matches }) => {
				const parsed = parseIql(query);
				if (!parsed.isValid) throw new Error('expected a query');
				expect(matchIql(parsed.query, contents).map((index) => names[index])).toEqual(matches);
			},
		);
		expect(failing).toEqual([]);
	});
});

it('data in a credential says nothing about who can read it', () => {
	const value = { '@type': 'VerifiableCredential', value: { '@type': 'PersonName' } };
	expect(obstacleFor(7, value)).toBeUndefined();
	expect(obstacleFor(6, value)).toMatchObject({ failure: 'unknownType' });
});

function errorOf(run: () => unknown): unknown {
	try {
		run();
	} catch (error) {
		return error;
	}
	return undefined;
}

itReadsItsVectors(__filename);
