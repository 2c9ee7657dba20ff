import { readdirSync, readlinkSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import type { Gateway } from '../../core';
import { inLanes } from '../support/timing';
import { loadLibrary } from './library';
import { serve, settledMemory } from './serve';

const syncEveryMs = 60 * 60_000;
/** Milliseconds after which stores rest and lazy work of the start has ended. */
const untilIdleMs = 15_000;

/** What a process holds and does while all its accounts wait for push signals. */
export interface IdleLook {
	readonly accounts: number;
	/** accounts whose push connection is open */
	readonly connected: number;
	readonly residentBytes: number;
	readonly heapBytes: number;
	/** share of one core */
	readonly processorShare: number;
	readonly timers: number;
	/** open files by kind; empty where the system does not list them */
	readonly files: Readonly<Record<string, number>>;
}

interface OpenParams {
	readonly baseUrl: string;
	readonly folder: string;
	readonly count: number;
	readonly push: boolean;
}

const gateways: Gateway[] = [];

serve({
	async open({ baseUrl, folder, count, push }: OpenParams) {
		const { Gateway } = loadLibrary();
		await inLanes(count, 8, async (number) => {
			const gateway = await Gateway.open({
				account: `account-${number}`,
				backbone: { baseUrl, clientId: 'test', clientSecret: 'test' },
				store: { kind: 'sqlite', folder },
			});
			gateways.push(gateway);
			await gateway.account.sync();
			if (push) {
				gateway.events.keepSynced({ intervalMs: syncEveryMs, push, onProblem: () => undefined });
			}
		});
	},
	async look({ forMs }: { forMs: number }): Promise<IdleLook> {
		await delay(untilIdleMs);
		const residentBytes = await settledMemory();
		const before = process.cpuUsage();
		const began = performance.now();
		await delay(forMs);
		const { user, system } = process.cpuUsage(before);
		const resources = process.getActiveResourcesInfo();
		const states = await Promise.all(gateways.map(({ account }) => account.getSyncStatus()));
		return {
			accounts: gateways.length,
			connected: states.filter(({ push }) => push.state === 'connected').length,
			residentBytes,
			heapBytes: process.memoryUsage().heapUsed,
			processorShare: (user + system) / 1_000 / (performance.now() - began),
			timers: resources.filter((name) => name === 'Timeout').length,
			files: openFiles(),
		};
	},
	async close() {
		await inLanes(gateways.length, 8, async (number) => gateways[number]?.close());
	},
});

function openFiles(): Record<string, number> {
	if (process.platform !== 'linux') return {};
	const counts: Record<string, number> = {};
	for (const entry of readdirSync('/proc/self/fd')) {
		const kind = kindOf(entry);
		if (kind !== undefined) counts[kind] = (counts[kind] ?? 0) + 1;
	}
	return counts;
}

function kindOf(entry: string): string | undefined {
	try {
		const target = readlinkSync(`/proc/self/fd/${entry}`);
		if (target.startsWith('socket:')) return 'socket';
		return /\.sqlite(-wal|-shm|-open)?/.exec(target)?.[0] ?? 'other';
	} catch {
		// The list itself was one of the files.
		return undefined;
	}
}
