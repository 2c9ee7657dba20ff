import { setTimeout as delay } from 'node:timers/promises';
import { TestDatabase } from '../../test/support/postgres/postgres';
import ensureSharedPostgres from '../../test/support/postgres/shared-postgres';
import type { Arena } from '../arena';
import type { ReceivedMails, SyncLook } from '../programs/big-sync';
import type { Place } from '../programs/contender';
import { alignedTable, shown } from '../support/report';
import type { Program } from '../support/program';

/** Milliseconds per mail after which processes are killed: one fetches then, the others apply. */
const killsAfterMs = [0.03, 0.18, 0.12];
/** A sync of this part of the mails is measured first, to see whether the memory grows. */
const smallPart = 10;

export interface BigSyncOptions {
	readonly mails: number;
	readonly store: 'sqlite' | 'postgres';
}

export interface BigSync {
	readonly small: SyncLook & { readonly mails: number };
	readonly big: SyncLook & { readonly mails: number };
	/** mails that the killed processes had received */
	readonly beforeLastStart: number;
	readonly received: ReceivedMails;
	readonly sent: number;
}

/**
 * Queues mails at the Backbone and fetches them in one sync: first a tenth of them, then all; the first
 * processes of the second sync are killed.
 */
export async function measureBigSync(arena: Arena, options: BigSyncOptions): Promise<BigSync> {
	if (options.store === 'sqlite') {
		return await syncIn(arena, { store: { kind: 'sqlite', folder: arena.newFolder() } }, options);
	}
	await ensureSharedPostgres();
	const database = await TestDatabase.create();
	try {
		return await syncIn(arena, { store: database.config, passphrase: 'correct horse' }, options);
	} finally {
		await database.drop();
	}
}

async function syncIn(arena: Arena, place: Place, { mails }: BigSyncOptions): Promise<BigSync> {
	const few = Math.ceil(mails / smallPart);
	let program = await opened(arena, place);
	const address = await program.call<string>('address');
	await arena.relate(program, address, few);
	const small = await program.call<SyncLook>('sync');
	await end(program);

	console.log(`Sending ${mails} mails`);
	await arena.mailTo(address, mails);
	for (const afterMs of killsAfterMs) await killedWhileSyncing(arena, place, afterMs * mails);
	program = await opened(arena, place);
	const before = await program.call<ReceivedMails>('received');
	const big = await program.call<SyncLook>('sync');
	const received = await program.call<ReceivedMails>('received');
	await end(program);
	const left = few + mails - before.count;
	return {
		small: { ...small, mails: few },
		big: { ...big, mails: left },
		beforeLastStart: before.count - few,
		received,
		sent: few + mails,
	};
}

async function killedWhileSyncing(arena: Arena, place: Place, afterMs: number): Promise<void> {
	const program = await opened(arena, place);
	const syncing = program.call('sync').then(
		() => true,
		() => false,
	);
	await delay(afterMs);
	await program.kill();
	if (await syncing) throw new Error('The sync had ended before its process was killed');
}

async function opened(arena: Arena, place: Place): Promise<Program> {
	const program = arena.start('big-sync');
	await program.call('open', { baseUrl: arena.baseUrl, ...place });
	return program;
}

async function end(program: Program): Promise<void> {
	await program.call('close');
	await program.stop();
}

/** Table for the terminal; `isComplete` tells whether every mail was received once. */
export function bigSyncTable(result: BigSync): string {
	const rows = [result.small, result.big].map((look) => [
		String(look.mails),
		`${shown(look.elapsedMs / 1_000)} s`,
		`${shown(look.elapsedMs / look.mails)} ms`,
		`${shown(look.processorMs / look.mails)} ms`,
		`${shown(look.additionalBytes / 1_000_000)} MB`,
		`${shown(look.longestStallMs)} ms`,
	]);
	const heading = ['mails', 'sync', 'per mail', 'cpu per mail', 'more memory', 'longest stall'];
	const { received, sent, beforeLastStart } = result;
	return [
		alignedTable([heading, ...rows]),
		`${killsAfterMs.length} processes were killed in the second sync; they had received ${beforeLastStart} mails.`,
		`Sent ${sent}, received ${received.count}, of them different ${received.distinct}.`,
	].join('\n\n');
}

/** True if every mail was received exactly once: subjects of the first mails come a second time. */
export function isComplete({ received, sent, small }: BigSync): boolean {
	return received.count === sent && received.distinct === sent - small.mails;
}
