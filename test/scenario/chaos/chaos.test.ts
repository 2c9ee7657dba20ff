import { playChaos } from '../../../scripts/chaos/chaos';
import type { StoreKind } from '../../../scripts/chaos/world';
import { describeWithPostgres } from '../../support/postgres/postgres';
import { newSeed } from '../../support/seeds';
import { size } from '../../support/sizes';

jest.setTimeout(300_000);

/** Plays for as long as a run of the tests allows; `npm run chaos` plays for longer. */
async function expectNoViolation(store: StoreKind): Promise<void> {
	const seed = newSeed();
	const { figures, violations, kept } = await playChaos({
		durationMs: size({ quick: 4_000, full: 60_000 }),
		seed,
		store,
		killEveryMs: 500,
		hasOfficial: size({ quick: 0, full: 1 }) === 1,
	});
	const found = violations.length === 0 ? {} : { seed, kept };
	expect({ violations, ...found }).toEqual({ violations: [] });
	expect(figures.kills).toBeGreaterThan(0);
}

it('random operations with killed processes and faults break no rule in SQLite', () =>
	expectNoViolation('sqlite'));

describeWithPostgres('random operations in PostgreSQL', () => {
	it('with killed processes, faults and lost connections break no rule', () =>
		expectNoViolation('postgres'));
});
