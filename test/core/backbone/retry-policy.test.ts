import { decideRetry, readRetryAfter, type Reach } from '../../../core/backbone/http/retry-policy';

const limits = { maxAttempts: 3, baseWaitMs: 100, maxWaitMs: 1_000 };
const decide = (reach: Reach, isRepeatable: boolean, attempt = 1, isTransient = true) =>
	decideRetry({ reach, isRepeatable, attempt, isTransient }, 1, limits);

describe('repeating a failed call', () => {
	it.each<[string, Reach, boolean, boolean]>([
		['never sent, repeatable', 'notSent', true, true],
		['never sent, not repeatable', 'notSent', false, true],
		['unknown fate, repeatable', 'unknown', true, true],
		['unknown fate, not repeatable', 'unknown', false, false],
		['503, repeatable', { status: 503 }, true, true],
		['503, not repeatable', { status: 503 }, false, false],
		['500, repeatable', { status: 500 }, true, true],
		['408, repeatable', { status: 408 }, true, true],
		['429 with a time, not repeatable', { status: 429, retryAfterMs: 10 }, false, true],
		['429 without a time, repeatable', { status: 429 }, true, false],
		['400, repeatable', { status: 400 }, true, false],
		['401, repeatable', { status: 401 }, true, false],
		['404, repeatable', { status: 404 }, true, false],
		['501, repeatable', { status: 501 }, true, false],
	])('%s', (_name, reach, isRepeatable, retry) => {
		expect(decide(reach, isRepeatable).retry).toBe(retry);
	});

	it('ends with the last attempt', () => {
		expect(decide('notSent', true, 2).retry).toBe(true);
		expect(decide('notSent', true, 3).retry).toBe(false);
	});

	it('is not tried where nothing will change', () => {
		expect(decide('notSent', true, 1, false)).toEqual({ retry: false });
	});

	it('waits longer each time, between half and the whole of it', () => {
		const wait = (attempt: number, jitter: number) =>
			decideRetry(
				{ reach: 'notSent', isRepeatable: true, isTransient: true, attempt },
				jitter,
				limits,
			);
		expect(wait(1, 0)).toEqual({ retry: true, waitMs: 50 });
		expect(wait(1, 1)).toEqual({ retry: true, waitMs: 100 });
		expect(wait(2, 1)).toEqual({ retry: true, waitMs: 200 });
	});

	it('waits as long as the Backbone asks, up to a bound', () => {
		expect(decide({ status: 503, retryAfterMs: 1_000 }, true)).toEqual({
			retry: true,
			waitMs: 1_000,
		});
		expect(decide({ status: 503, retryAfterMs: 1_001 }, true)).toEqual({ retry: false });
	});
});

describe('Retry-After', () => {
	const now = Date.parse('2026-01-01T00:00:00Z');
	it.each([
		['120', 120_000],
		['0', 0],
		['Thu, 01 Jan 2026 00:00:30 GMT', 30_000],
		['Wed, 31 Dec 2025 00:00:00 GMT', 0],
		['soon', undefined],
		['', undefined],
		['99999999999999', undefined],
		[undefined, undefined],
	])('%s', (header, expected) => {
		expect(readRetryAfter(header, now)).toBe(expected);
	});
});
