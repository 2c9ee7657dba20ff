import { performance } from 'node:perf_hooks';
import { contestants, type Arena, type Contestant } from './arena';
import { receivedMails } from './figures';
import type { Measurements } from './support/measurements';

const coldStart = { name: 'cold start with an existing account', target: 10 };

const firstSync = { name: 'cold start and first sync' };

const memory = {
	name: 'resident memory beyond bare Node, after that',
	target: 4,
	unit: 'MB',
} as const;

const bytesPerMegabyte = 1_000_000;

/** Creates an account for each side, on disk, with a relationship and received mails. */
export async function prepareAccounts(arena: Arena): Promise<Record<Contestant, string>> {
	const folders = { official: arena.newFolder(), ours: arena.newFolder() };
	for (const side of contestants) {
		const program = arena.startSide(side);
		const { address } = await program.call<{ address: string }>('open', {
			baseUrl: arena.baseUrl,
			folder: folders[side],
		});
		await arena.relate(program, address, receivedMails);
		await program.call('syncs', { count: 1 });
		await program.call('lists', { count: 1, expected: receivedMails });
		await program.call('close');
		await program.stop();
	}
	return folders;
}

/** Measures a new process that opens the account, reads its address, and syncs. */
export async function measureColdStart(
	arena: Arena,
	folders: Record<Contestant, string>,
	results: Measurements,
): Promise<void> {
	const bareBytes = await bareProcess(arena, results);
	for (const side of contestants) {
		const started = performance.now();
		const program = arena.startSide(side);
		await program.call('open', { baseUrl: arena.baseUrl, folder: folders[side] });
		results.add(coldStart, side, performance.now() - started);
		await program.call('syncs', { count: 1 });
		results.add(firstSync, side, performance.now() - started);
		const bytes = await program.call<number>('memory');
		results.add(memory, side, (bytes - bareBytes) / bytesPerMegabyte);
		await program.call('close');
		await program.stop();
	}
}

/** Measures a process that only answers, as the floor of a start. Returns its resident bytes. */
async function bareProcess(arena: Arena, results: Measurements): Promise<number> {
	const started = performance.now();
	const program = arena.start('bare');
	await program.call('open');
	results.add(coldStart, 'floor', performance.now() - started);
	const bytes = await program.call<number>('memory');
	await program.stop();
	return bytes;
}
