import { performance } from 'node:perf_hooks';
import type { Gateway, GatewayConfigInput } from '../../core';
import { systemClock } from '../../core/base/clock';
import { systemRandom } from '../../core/base/random';
import { openStore, type AccountConfig } from '../../core/store/open-store';
import { measuredLists } from '../growth/growth-lists';
import { insertRecords, type Seeding } from '../growth/growth-records';
import { median } from '../support/statistics';
import { loadLibrary } from './library';
import { serve } from './serve';

const recordsPerCommit = 500;

type Place = Pick<GatewayConfigInput, 'store' | 'passphrase' | 'sealContents'>;

let gateway: Gateway | undefined;
let own = '';
let size = 0;

/** Opens the account with the built library, and creates it the first time. */
async function open({ baseUrl, ...place }: Place & { baseUrl: string }): Promise<void> {
	gateway = await loadLibrary().Gateway.open({
		backbone: { baseUrl, clientId: 'test', clientSecret: 'test' },
		...place,
	});
	own = (await gateway.account.getIdentity()).address;
}

/** Adds records through the collections of the store, many in one commit. */
async function seed({ from, to, ...place }: Place & Omit<Seeding, 'own'>): Promise<void> {
	const config = { account: 'default', backbone: { clientSecret: 'test' }, ...place };
	const store = await openStore(config as AccountConfig, {
		clock: systemClock,
		random: systemRandom,
	});
	for (let first = from; first < to; first += recordsPerCommit) {
		await store.transact(async (tx) => {
			const next = Math.min(to, first + recordsPerCommit);
			for (let number = first; number < next; number++) await insertRecords(tx, number, own);
		});
	}
	await store.close();
	size = to;
}

/** Reads every list several times; returns the median milliseconds of each. */
async function measure({ rounds }: { rounds: number }): Promise<number[]> {
	if (gateway === undefined) throw new Error('no account is open');
	const account = { gateway, size };
	const times = measuredLists.map((): number[] => []);
	for (let round = 0; round < rounds; round++) {
		for (const [index, { name, expected, read }] of measuredLists.entries()) {
			const started = performance.now();
			const { length } = await read(account);
			times[index]?.push(performance.now() - started);
			if (length !== expected) throw new Error(`${name}: ${length} found, not ${expected}`);
		}
	}
	return times.map(median);
}

async function close(): Promise<void> {
	await gateway?.close();
	gateway = undefined;
}

serve({ open, seed, measure, close });
