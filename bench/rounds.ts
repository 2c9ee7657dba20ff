import { contestants, type Arena, type Contestant } from './arena';
import { accountCreationCrypto, figures, receivedMails, type Figure } from './figures';
import type { Measurements } from './support/measurements';
import type { Duration } from './support/timing';

const accountCreation = { name: 'account creation' };

/**
 * Number by which the first side alternates, between figures and between rounds, so that neither
 * side always profits from a warm machine.
 */
let turn = 0;

function inTurn(): readonly Contestant[] {
	return turn++ % 2 === 0 ? contestants : contestants.toReversed();
}

/**
 * Runs a round: both sides open a fresh account and do the same work in turns; then the floor
 * repeats the work of this gateway.
 */
export async function runRound(arena: Arena, results: Measurements): Promise<void> {
	const first = turn;
	for (const side of inTurn()) await createAccount(arena, side, results);
	for (const figure of figures) await measure(arena, figure, results);
	for (const side of contestants) await arena.sides[side].call('close');
	turn = first + 1;
}

async function createAccount(arena: Arena, side: Contestant, results: Measurements): Promise<void> {
	const program = arena.sides[side];
	await arena.traffic();
	const { address, duration } = await program.call<{ address: string; duration: Duration }>(
		'open',
		{ baseUrl: arena.baseUrl },
	);
	add(results, accountCreation, side, duration, 1);
	if (side === 'ours') {
		const traffic = await arena.traffic();
		const floor = await arena.floorOf(traffic, accountCreationCrypto, 1);
		results.add(accountCreation, 'floor', floor);
	}
	await arena.relate(program, address, receivedMails);
}

/** Measures one figure of both sides. */
export async function measure(arena: Arena, figure: Figure, results: Measurements): Promise<void> {
	const { method, params, operations, crypto } = figure;
	for (const side of inTurn()) {
		await arena.traffic();
		const duration = await arena.sides[side].call<Duration>(method, {
			...params,
			to: arena.counterpartAddress,
		});
		add(results, figure, side, duration, operations);
		if (side !== 'ours' || crypto === undefined) continue;
		const floor = await arena.floorOf(await arena.traffic(), crypto, operations);
		results.add(figure, 'floor', floor / operations);
	}
}

function add(
	results: Measurements,
	figure: { readonly name: string; readonly target?: number },
	side: Contestant,
	{ elapsed, processor }: Duration,
	operations: number,
): void {
	results.add(figure, side, elapsed / operations);
	results.add(figure, `${side} processor`, processor / operations);
}
