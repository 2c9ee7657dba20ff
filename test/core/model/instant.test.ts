import {
	compareInstants,
	epochMsOf,
	instantOf,
	instantSchema,
	isExpired,
	isTemplateExpired,
	parseInstant,
} from '../../../core/model/instant';
import { readVectors } from '../../support/vectors';
import { itReadsItsVectors } from '../../support/reads-its-vectors';

const { dates } = readVectors<{
	dates: {
		parse: Array<{ input: string; canonical: string | null; valid: boolean }>;
		compare: Array<{ a: string; b: string; aBeforeB: boolean; aAfterB: boolean; same: boolean }>;
		expiry: Array<{ description: string; offsetMilliseconds: number; isExpired: boolean }>;
	};
}>('crypto.json');

/* The column apiPatternAccepts speaks of the pattern of the HTTP face, which is not built here. */
describe('an instant', () => {
	it.each(dates.parse)('is read from $input as $canonical', ({ input, canonical, valid }) => {
		expect(parseInstant(input) ?? null).toBe(canonical);
		expect(instantSchema.safeParse(input).success).toBe(valid);
	});

	it.each(dates.compare)('orders $a and $b', ({ a, b, aBeforeB, aAfterB, same }) => {
		const order = compareInstants(a, b);
		expect([order < 0, order > 0, order === 0]).toEqual([aBeforeB, aAfterB, same]);
	});

	it.each(dates.expiry)('has expired, or not: $description', (vector) => {
		const now = epochMsOf('2026-01-01T00:00:00.000Z');
		const expiresAt = instantOf(now + vector.offsetMilliseconds);
		expect(isExpired(expiresAt, now)).toBe(vector.isExpired);
	});

	it.each([
		['2026-01-01T00:00:00.000Z', false],
		['2025-12-31T23:59:59.999Z', true],
		[undefined, false],
	])('of a template, %s, has passed: %s', (expiresAt, expired) => {
		expect(isTemplateExpired(expiresAt, epochMsOf('2026-01-01T00:00:00.000Z'))).toBe(expired);
	});

	it('is the same with six and with seven digits after the second', () => {
		for (let ms = 0; ms < 1_000; ms++) {
			const digits = `${String(ms).padStart(3, '0')}${String((ms * 7) % 1_000).padStart(3, '0')}`;
			const [six, seven] = [`2030-01-01T00:00:00.${digits}Z`, `2030-01-01T00:00:00.${digits}0Z`];
			expect(compareInstants(six, seven)).toBe(0);
			expect(parseInstant(six)).toBe(parseInstant(seven));
		}
	});

	it('is read without the locale of the system, which takes megabytes', async () => {
		const determined = jest.spyOn(Intl, 'DateTimeFormat');
		try {
			await jest.isolateModulesAsync(async () => {
				const fresh = await import('../../../core/model/instant');
				expect(fresh.parseInstant('2030-01-01T01:00:00+01:00')).toBe('2030-01-01T00:00:00.000Z');
			});
			expect(determined).not.toHaveBeenCalled();
		} finally {
			determined.mockRestore();
		}
	});

	it('is not read from text of any length', () => {
		expect(parseInstant(`2030-01-01T00:00:00.${'1'.repeat(1_000)}Z`)).toBeUndefined();
	});
});

itReadsItsVectors(__filename);
