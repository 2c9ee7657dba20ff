import { Session, type Profiler } from 'node:inspector/promises';

/** Part of a program in which processor time is spent. */
export type ProgramPart =
	| 'waiting'
	| 'garbage collection'
	| 'SQLite'
	| 'cryptography'
	| 'HTTP client'
	| 'JSON'
	| 'Node itself'
	| 'other libraries'
	| 'gateway';

/** Milliseconds by part. */
export type PartTimes = Partial<Record<ProgramPart, number>>;

const sampleEveryUs = 100;

const sqliteCalls = new Set(['all', 'columns', 'exec', 'get', 'prepare', 'run', 'close']);
const jsonCalls = new Set(['parse', 'stringify']);

/** Runs work under the profiler of this process and adds up where its time went. */
export async function profiled(work: () => Promise<unknown>): Promise<PartTimes> {
	const session = new Session();
	session.connect();
	try {
		await session.post('Profiler.enable');
		await session.post('Profiler.setSamplingInterval', { interval: sampleEveryUs });
		await session.post('Profiler.start');
		await work();
		const { profile } = await session.post('Profiler.stop');
		return partTimesOf(profile);
	} finally {
		session.disconnect();
	}
}

function partTimesOf({ nodes, samples = [], timeDeltas = [] }: Profiler.Profile): PartTimes {
	const parts = partsOf(nodes);
	const times: PartTimes = {};
	samples.forEach((id, index) => {
		const part = parts.get(id) ?? 'Node itself';
		// A difference belongs to the sample that it ends with.
		times[part] = (times[part] ?? 0) + (timeDeltas[index + 1] ?? 0) / 1_000;
	});
	return times;
}

/** Parts of all nodes; the built-in functions of V8 belong to their callers. */
function partsOf(nodes: readonly Profiler.ProfileNode[]): Map<number, ProgramPart> {
	const byId = new Map(nodes.map((node) => [node.id, node]));
	const parts = new Map<number, ProgramPart>();
	const visit = (node: Profiler.ProfileNode, caller: ProgramPart): void => {
		const part = partOf(node.callFrame, caller);
		parts.set(node.id, part);
		for (const id of node.children ?? []) {
			const child = byId.get(id);
			if (child !== undefined) visit(child, part);
		}
	};
	const [root] = nodes;
	if (root !== undefined) visit(root, 'Node itself');
	return parts;
}

function partOf(
	{ functionName, url }: Profiler.ProfileNode['callFrame'],
	caller: ProgramPart,
): ProgramPart {
	if (functionName === '(idle)') return 'waiting';
	if (functionName === '(garbage collector)') return 'garbage collection';
	if (url.startsWith('wasm:') || url.endsWith('/sodium.js')) return 'cryptography';
	if (url.endsWith('/undici.js')) return 'HTTP client';
	if (url.includes('/core/index.js')) return 'gateway';
	if (url.startsWith('node:')) return caller === 'HTTP client' ? caller : 'Node itself';
	if (url !== '') return 'other libraries';
	if (caller === 'gateway' && sqliteCalls.has(functionName)) return 'SQLite';
	if (jsonCalls.has(functionName)) return 'JSON';
	return caller;
}
