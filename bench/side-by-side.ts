import type { Arena, Program } from './arena';
import { receivedMails, type Figure } from './figures';
import type { Duration, OpenInput } from './program';
import { Measurements } from './support/measurements';

/** Side of a comparison; every round opens a fresh account. */
export interface Side {
	readonly name: string;
	start(): Program;
	place(): Promise<Omit<OpenInput, 'baseUrl'>>;
}

/** Runs the figures of all sides in turns; the first round warms up. */
export async function measureSideBySide(
	arena: Arena,
	sides: readonly Side[],
	figures: readonly Figure[],
	rounds: number,
): Promise<Measurements> {
	const measured = new Measurements();
	const started = sides.map((side) => ({ ...side, program: side.start() }));
	for (let round = 0; round <= rounds; round++) {
		const results = round === 0 ? new Measurements() : measured;
		const open = [];
		for (const side of started) {
			const { address, ...creation } = await side.program.open(await side.place());
			results.add('account creation', side.name, creation);
			const peer = await arena.peerOf(side.program, address);
			await peer.mail(receivedMails);
			open.push({ ...side, to: peer.address });
		}
		for (const [index, { name, per, ...work }] of figures.entries()) {
			// Neither side always profits from a warm machine.
			for (const side of (round + index) % 2 === 0 ? open : open.toReversed()) {
				const duration = await side.program.call('run', { ...work, to: side.to });
				results.add(name, side.name, perOperation(duration, per ?? work.count));
			}
		}
		for (const { program } of started) await program.call('close');
		console.log(round === 0 ? 'warmed up' : `round ${round} of ${rounds}`);
	}
	for (const { program } of started) await program.end();
	return measured;
}

export const perOperation = ({ ms, cpuMs }: Duration, count: number): Duration => ({
	ms: ms / count,
	cpuMs: cpuMs / count,
});

/** Measures new processes that open an existing account, sync, and rest. */
export async function measureColdStarts(
	arena: Arena,
	sides: ReadonlyArray<Omit<Side, 'place'>>,
	placeIn: (side: string, folder: string) => Omit<OpenInput, 'baseUrl'>,
	rounds: number,
	measured: Measurements,
): Promise<void> {
	const prepared = [];
	for (const side of sides) {
		const place = placeIn(side.name, arena.newFolder());
		const program = side.start();
		const { address } = await program.open(place);
		await (await arena.peerOf(program, address)).mail(receivedMails);
		await program.call('run', { operation: 'sync', count: 1, to: '' });
		await program.end();
		prepared.push({ ...side, place });
	}
	for (let round = 0; round < rounds; round++) {
		const bare = arena.start('bare');
		const bareBytes = await bare.call('memory');
		await bare.end();
		for (const { name, start, place } of prepared) {
			const began = performance.now();
			const program = start();
			await program.open(place);
			measured.add('cold start with an existing account', name, { ms: performance.now() - began });
			await program.call('run', { operation: 'sync', count: 1, to: '' });
			measured.add('cold start and first sync', name, { ms: performance.now() - began });
			const bytes = (await program.call('memory')) - bareBytes;
			measured.add('resident MB beyond bare Node, after that', name, { ms: bytes / 1_000_000 });
			await program.end();
		}
	}
}
