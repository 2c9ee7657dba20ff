import { setTimeout as delay } from 'node:timers/promises';
import type { Arena } from './arena';
import { figures, receivedMails } from './figures';
import type { Program } from './support/program';
import { median } from './support/statistics';
import type { Duration } from './support/timing';

const rounds = 3;
/** Milliseconds after which lazy work of the start has ended. */
const settleMs = 2_000;
const bytesPerMegabyte = 1_000_000;

const startName = 'start to healthy with an existing account';
const idleName = 'resident memory, idle';
const afterName = 'resident memory, after the run';

/**
 * Figures of the official Connector 6.35.1 with its in-memory database, measured once on a machine
 * with two processors, because it cannot be installed from a registry. In milliseconds and
 * megabytes.
 */
const connector: Readonly<Record<string, number>> = {
	[startName]: 3_600,
	[idleName]: 303,
	[afterName]: 569,
	[`sync of ${receivedMails} mails, per mail`]: 4.1,
	[`list of ${receivedMails} messages`]: 85,
	'template with a request': 14.6,
	'mail, one after another': 13.6,
	'mail, eight at a time': 11.1,
	attribute: 4.6,
	'empty sync': 11.6,
};

export interface HttpLine {
	readonly name: string;
	readonly unit: 'ms' | 'MB';
	readonly ours: number;
	/** figure of the Connector from another day; absent if it was not measured */
	readonly connector: number | undefined;
	/** same figure without HTTP, from this run */
	readonly inProcess: number | undefined;
}

/** Measures the built HTTP gateway and the same core in process, alternating. */
export async function measureHttp(arena: Arena): Promise<HttpLine[]> {
	const overHttp = new Series();
	const inProcess = new Series();
	for (let round = 0; round < rounds; round++) {
		await measureOverHttp(arena, overHttp);
		await measureInProcess(arena, inProcess);
	}
	return overHttp.names.map((name) => ({
		name,
		unit: name === idleName || name === afterName ? 'MB' : 'ms',
		ours: overHttp.median(name) ?? Number.NaN,
		connector: connector[name],
		inProcess: inProcess.median(name),
	}));
}

class Series {
	private readonly values = new Map<string, number[]>();

	add(name: string, value: number): void {
		this.values.set(name, [...(this.values.get(name) ?? []), value]);
	}

	get names(): string[] {
		return [...this.values.keys()];
	}

	median(name: string): number | undefined {
		const all = this.values.get(name);
		return all === undefined ? undefined : median(all);
	}
}

interface Served {
	readonly startMs: number;
	readonly residentBytes: number;
}

async function measureOverHttp(arena: Arena, series: Series): Promise<void> {
	const config = { baseUrl: arena.baseUrl, folder: arena.newFolder() };
	const program = arena.start('over-http');
	const look = (): Promise<Served> => program.call<Served>('served');
	await measureWork(arena, program, config, series);
	series.add(afterName, (await look()).residentBytes / bytesPerMegabyte);
	await program.call('close');
	await program.call('open', config);
	series.add(startName, (await look()).startMs);
	await delay(settleMs);
	series.add(idleName, (await look()).residentBytes / bytesPerMegabyte);
	await program.call('close');
	await program.stop();
}

async function measureInProcess(arena: Arena, series: Series): Promise<void> {
	const program = arena.start('ours');
	const config = { baseUrl: arena.baseUrl, folder: arena.newFolder() };
	await measureWork(arena, program, config, series);
	await program.call('close');
	await program.stop();
}

/** Measures the same work on a fresh account. */
async function measureWork(
	arena: Arena,
	program: Program,
	config: { readonly baseUrl: string; readonly folder: string },
	series: Series,
): Promise<void> {
	const { address } = await program.call<{ address: string }>('open', config);
	await arena.relate(program, address, receivedMails);
	for (const { name, method, params, operations } of figures) {
		const to = arena.counterpartAddress;
		const { elapsed } = await program.call<Duration>(method, { ...params, to });
		series.add(name, elapsed / operations);
	}
}
