import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Arena } from './arena';
import { receivedMails } from './figures';
import type { RunningGateway } from './programs/over-http';
import type { Program } from './support/program';
import { median } from './support/statistics';
import type { Duration } from './support/timing';

const rounds = 5;
const healthyWithinMs = 10 * 60_000;
const smallCalls = { name: 'small call: the identity', method: 'smallCalls' };

interface Work {
	readonly name: string;
	readonly method: string;
	readonly params: object;
	/** divisor of the figures */
	readonly operations: number;
}

/** Work of a round; the mails of the first line are received before. */
const work: readonly Work[] = [
	{
		name: 'sync, per received mail',
		method: 'syncs',
		params: { count: 1 },
		operations: receivedMails,
	},
	{
		name: 'template with a request',
		method: 'templates',
		params: { count: 40 },
		operations: 40,
	},
	{
		name: 'mail, one after another',
		method: 'mails',
		params: { count: 64, lanes: 1 },
		operations: 64,
	},
	{
		name: 'mail, eight at a time',
		method: 'mails',
		params: { count: 64, lanes: 8 },
		operations: 64,
	},
	{ name: 'attribute', method: 'attributes', params: { count: 50 }, operations: 50 },
	{ name: 'empty sync', method: 'syncs', params: { count: 50 }, operations: 50 },
	{ ...smallCalls, params: { count: 200 }, operations: 200 },
];

/** Cost of one operation. */
export interface Cost {
	readonly ms: number;
	/** milliseconds of processor time; absent without a known process */
	readonly processorMs: number | undefined;
	/** calls at the Backbone */
	readonly calls: number;
	/** bytes from and to the Backbone */
	readonly bytes: number;
}

export interface SideBySideLine {
	readonly name: string;
	readonly other: Cost | undefined;
	readonly ours: Cost;
	/** bare server, for the small call */
	readonly floor: Cost | undefined;
}

export interface SideBySide {
	readonly lines: readonly SideBySideLine[];
	/** resident bytes after the run; absent without a known process */
	readonly memory: { readonly other: number | undefined; readonly ours: number | undefined };
}

/**
 * Measures a running gateway and this one, both over HTTP and on the Backbone of the arena, in
 * turns. Both keep their account for the whole run.
 *
 * @param other must already belong to the Backbone of the arena
 */
export async function measureSideBySide(arena: Arena, other?: RunningGateway): Promise<SideBySide> {
	const costs = new Costs();
	const bare = await arena.start('bare-hono').call<RunningGateway>('open');
	const sides = new Map<SideName, Program>([
		['ours', await openSide(arena, undefined)],
		['floor', await openSide(arena, bare)],
	]);
	if (other !== undefined) sides.set('other', await openSide(arena, other));
	const measured = [...sides].filter(([name]) => name !== 'floor');
	for (const [, program] of measured) await arena.relate(program, await addressOf(program), 0);
	for (let round = 0; round <= rounds; round++) {
		// The first round warms up.
		const target = round === 0 ? new Costs() : costs;
		for (const [, program] of measured) await arena.mailTo(await addressOf(program), receivedMails);
		const inTurn = round % 2 === 0 ? [...sides] : [...sides].reverse();
		for (const one of work) {
			for (const [name, program] of inTurn) {
				if (name === 'floor' && one.method !== smallCalls.method) continue;
				target.add(one.name, name, await costOf(arena, program, one));
			}
		}
	}
	const memoryOf = async (name: SideName): Promise<number | undefined> =>
		(await sides.get(name)?.call<Served>('served'))?.residentBytes;
	const memory = { other: await memoryOf('other'), ours: await memoryOf('ours') };
	for (const program of sides.values()) await program.call('close');
	return { lines: costs.lines(), memory };
}

/** Waits until a gateway that a person starts is healthy. */
export async function untilHealthy({ url }: RunningGateway): Promise<void> {
	const giveUpAt = performance.now() + healthyWithinMs;
	for (;;) {
		const status = await fetch(`${url}/health`).then(
			(answer) => answer.status,
			() => undefined,
		);
		if (status === 200) return;
		if (performance.now() > giveUpAt) throw new Error(`${url} did not become healthy.`);
		await delay(500);
	}
}

interface Served {
	readonly residentBytes?: number;
	readonly processorMs?: number;
}

async function openSide(arena: Arena, running: RunningGateway | undefined): Promise<Program> {
	const program = arena.start('over-http');
	await program.call('open', { baseUrl: arena.baseUrl, folder: arena.newFolder(), running });
	return program;
}

const addressOf = (program: Program): Promise<string> => program.call('address');

async function costOf(arena: Arena, program: Program, one: Work): Promise<Cost> {
	await arena.traffic();
	const before = await program.call<Served>('served');
	const params = { ...one.params, to: arena.counterpartAddress, name: randomUUID() };
	const { elapsed } = await program.call<Duration>(one.method, params);
	const after = await program.call<Served>('served');
	const { calls, bytesUp, bytesDown } = await arena.traffic();
	const perOperation = (value: number): number => value / one.operations;
	return {
		ms: perOperation(elapsed),
		processorMs:
			after.processorMs === undefined || before.processorMs === undefined
				? undefined
				: perOperation(after.processorMs - before.processorMs),
		calls: perOperation(calls),
		bytes: perOperation(bytesUp + bytesDown),
	};
}

type SideName = 'other' | 'ours' | 'floor';

class Costs {
	private readonly all = new Map<string, Map<SideName, Cost[]>>();

	add(name: string, side: SideName, cost: Cost): void {
		const sides = this.all.get(name) ?? new Map<SideName, Cost[]>();
		this.all.set(name, sides.set(side, [...(sides.get(side) ?? []), cost]));
	}

	lines(): SideBySideLine[] {
		return [...this.all].map(([name, sides]) => {
			const of = (side: SideName): Cost | undefined => medianCost(sides.get(side) ?? []);
			const ours = of('ours');
			if (ours === undefined) throw new TypeError('this gateway was not measured');
			return { name, other: of('other'), ours, floor: of('floor') };
		});
	}
}

function medianCost(costs: readonly Cost[]): Cost | undefined {
	if (costs.length === 0) return undefined;
	const processor = costs.flatMap(({ processorMs }) => processorMs ?? []);
	return {
		ms: median(costs.map(({ ms }) => ms)),
		processorMs: processor.length === 0 ? undefined : median(processor),
		calls: median(costs.map(({ calls }) => calls)),
		bytes: median(costs.map(({ bytes }) => bytes)),
	};
}
