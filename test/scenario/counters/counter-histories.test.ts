import { ReservedNumbers } from '../../../core/store/sql/reserved-numbers';
import { SandboxNetwork } from '../../support/gateways';
import { describeWithPostgres } from '../../support/postgres/postgres';
import { newSeed } from '../../support/seeds';
import { size } from '../../support/sizes';
import { PostgresCopies, SqliteCopies, type AccountCopies } from './account-copies';
import { CounterHistory, type Draw, type HistoryOptions } from './counter-history';

/* docs/protocol/crypto-and-identity.md 7: a counter that is used twice gives a key stream away. */
const historiesPerAccount = 5;
const stepsPerHistory = 12;
jest.setTimeout(180_000);

function drawing(seed: number): Draw {
	let state = seed >>> 0;
	return (below) => {
		state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
		return Math.floor((state / 2 ** 32) * below);
	};
}

interface Played {
	readonly repeated: readonly number[];
	readonly sent: number;
	readonly refused: number;
	readonly steps: readonly string[];
}

async function play(
	seed: number,
	makeCopies: () => Promise<AccountCopies>,
	options: Pick<HistoryOptions, 'clock' | 'isHasty'> & { readonly clockOffsetMs?: number } = {},
): Promise<Played> {
	const { clockOffsetMs = 0, ...more } = options;
	const network = await SandboxNetwork.open({ clockOffsetMs });
	const copies = await makeCopies();
	const history = new CounterHistory({ network, copies, draw: drawing(seed), ...more });
	try {
		await history.begin();
		await history.play(historiesPerAccount * stepsPerHistory);
		const { sent, refused, steps } = history;
		return { repeated: history.repeated(), sent, refused, steps };
	} finally {
		await history.end();
		await network.close();
		await copies.close();
	}
}

function histories(makeCopies: () => Promise<AccountCopies>): void {
	const accounts = size({ quick: 50, full: 500 }) / historiesPerAccount;
	const seeds = Array.from({ length: accounts }, () => newSeed());

	it.each(seeds)('use no counter twice (seed %d)', async (seed) => {
		const { repeated, sent, steps } = await play(seed, makeCopies);
		expect({ repeated, steps: repeated.length > 0 ? steps : [] }).toEqual({
			repeated: [],
			steps: [],
		});
		expect(sent).toBeGreaterThan(0);
	});
}

describe('random histories of an account in SQLite', () => {
	histories(() => Promise.resolve(new SqliteCopies()));
});

describeWithPostgres('random histories of an account in PostgreSQL', () => {
	histories(() => PostgresCopies.create());
});

describe('the histories find a repeated counter', () => {
	const seeds = Array.from({ length: 5 }, (_, index) => index + 1);
	const repeatedIn = async (options: Parameters<typeof play>[2]): Promise<boolean> => {
		for (const seed of seeds) {
			const played = await play(seed, () => Promise.resolve(new SqliteCopies()), options);
			if (played.repeated.length > 0) return true;
		}
		return false;
	};

	afterEach(() => jest.restoreAllMocks());

	it('when the clock is not a floor, and nothing is left to chance', async () => {
		jest
			.spyOn(
				ReservedNumbers.prototype as unknown as { startAfter(blockEnd: number): number },
				'startAfter',
			)
			.mockImplementation((blockEnd) => blockEnd);
		// Before the date from which seconds are counted.
		const then = Date.UTC(2023, 0, 1);
		const clock = { now: () => then };
		const clockOffsetMs = then - Date.now();
		expect(await repeatedIn({ clock, clockOffsetMs })).toBe(true);
	});

	it('but none while what was handed out is remembered, however fast everything happens', async () => {
		expect(await repeatedIn({ isHasty: true })).toBe(false);
	});

	it('when nothing is remembered of what was handed out', async () => {
		jest
			.spyOn(
				ReservedNumbers.prototype as unknown as { requireRemembered(): void },
				'requireRemembered',
			)
			.mockImplementation(() => undefined);
		expect(await repeatedIn({ isHasty: true })).toBe(true);
	});
});
