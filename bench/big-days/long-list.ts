import { performance } from 'node:perf_hooks';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from '../../scripts/served/client';
import { peakResidentBytes, residentBytes, resetPeak } from '../../scripts/served/resident-memory';
import { ServedGateway } from '../../scripts/served/served-gateway';
import type { Arena } from '../arena';

/** Milliseconds after which lazy work of the start has ended. */
const settleMs = 3_000;

export interface LongList {
	readonly messages: number;
	readonly elapsedMs: number;
	/** bytes that the gateway needed beyond the memory of an idle gateway */
	readonly additionalBytes: number;
}

/** Lists all messages of a large account over HTTP. */
export async function measureLongList(arena: Arena, messages: number): Promise<LongList> {
	const folder = arena.newFolder();
	const seeder = arena.start('growth');
	const place = { store: { kind: 'sqlite', folder } };
	await seeder.call('open', { baseUrl: arena.baseUrl, ...place });
	await seeder.call('close');
	console.log(`Writing ${messages} messages`);
	await seeder.call('seed', { from: 0, to: messages, ...place });
	await seeder.stop();
	const dist = dirname(arena.library);
	const gateway = await ServedGateway.start({ dist, backboneUrl: arena.baseUrl, folder });
	try {
		const client = new Client(gateway.address);
		await client.result('GET /Account/IdentityInfo');
		await delay(settleMs);
		const before = residentBytes(gateway.pid);
		resetPeak(gateway.pid);
		const began = performance.now();
		const list = await client.result<unknown[]>('GET /Messages');
		return {
			messages: list.length,
			elapsedMs: performance.now() - began,
			additionalBytes: peakResidentBytes(gateway.pid) - before,
		};
	} finally {
		await gateway.stop();
	}
}
