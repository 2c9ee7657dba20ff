import { contestants, type Arena } from './arena';
import { fullStoreFigures, heldOfEach } from './figures';
import { measure } from './rounds';
import type { Measurements } from './support/measurements';

/** Concurrent writes, which this gateway combines in one commit; the official runtime takes one at a time. */
const lanes = 32;

/** Fills the account of each side with ten thousand attributes and as many requests. */
export async function fillStores(arena: Arena): Promise<void> {
	for (const side of contestants) {
		const program = arena.sides[side];
		const { address } = await program.call<{ address: string }>('open', {
			baseUrl: arena.baseUrl,
		});
		await arena.relate(program, address, 0);
	}
	const to = arena.counterpartAddress;
	await Promise.all(
		contestants.map((side) =>
			arena.sides[side].call('fill', {
				to,
				count: heldOfEach,
				lanes: arena.isOurs(side) ? lanes : 1,
			}),
		),
	);
}

/** Measures one round of queries in the full stores. */
export async function measureLookups(arena: Arena, results: Measurements): Promise<void> {
	for (const figure of fullStoreFigures) await measure(arena, figure, results);
}
