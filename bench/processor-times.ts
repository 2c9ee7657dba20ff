import type { Arena } from './arena';
import { figures, receivedMails } from './figures';
import type { PartTimes, ProgramPart } from './support/processor-profile';
import { alignedTable, shown } from './support/report';

/** Number of times a figure runs, so that few samples do not decide. */
const rounds = 5;

/** Processor time of one figure by part of the program, in milliseconds per operation. */
interface FigureTimes {
	readonly name: string;
	readonly times: PartTimes;
}

/** Profiles the figures of each round with a fresh account of the same process. */
export async function measureProcessorTimes(arena: Arena): Promise<readonly FigureTimes[]> {
	const program = arena.startSide('ours');
	const sums = new Map<string, PartTimes>();
	for (let round = 0; round <= rounds; round++) {
		const { address } = await program.call<{ address: string }>('open', {
			baseUrl: arena.baseUrl,
		});
		await arena.relate(program, address, receivedMails);
		for (const { name, method, params, operations } of figures) {
			const call = { method, params: { ...params, to: arena.counterpartAddress } };
			const times = await program.call<PartTimes>('profile', call);
			// The first round only warms up.
			if (round > 0) addTo(sums, name, times, operations * rounds);
		}
		await program.call('close');
	}
	await program.stop();
	return [...sums].map(([name, times]) => ({ name, times }));
}

function addTo(
	sums: Map<string, PartTimes>,
	name: string,
	times: PartTimes,
	operations: number,
): void {
	const sum = sums.get(name) ?? {};
	for (const [part, ms] of Object.entries(times) as Array<[ProgramPart, number]>) {
		sum[part] = (sum[part] ?? 0) + ms / operations;
	}
	sums.set(name, sum);
}

const parts: readonly ProgramPart[] = [
	'gateway',
	'SQLite',
	'cryptography',
	'HTTP client',
	'JSON',
	'Node itself',
	'other libraries',
	'garbage collection',
	'waiting',
];

export function processorTable(figureTimes: readonly FigureTimes[]): string {
	return alignedTable([
		['', ...parts],
		...figureTimes.map(({ name, times }) => [
			name,
			...parts.map((part) => shown(times[part] ?? 0)),
		]),
	]);
}
