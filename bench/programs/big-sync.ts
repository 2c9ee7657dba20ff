import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import type { Gateway } from '../../core';
import { additionalBytes } from '../support/peak-memory';
import { timed } from '../support/timing';
import { arbitraryCreation, type AccountConfig } from './contender';
import { loadLibrary } from './library';
import { serve } from './serve';

/** Milliseconds between two looks at the event loop. */
const resolutionMs = 5;
const lookEveryMs = 500;

/** What one sync took. */
export interface SyncLook {
	readonly elapsedMs: number;
	readonly processorMs: number;
	readonly additionalBytes: number;
	/** longest time for which nothing else could run */
	readonly longestStallMs: number;
}

/** Received mails, by their subjects. */
export interface ReceivedMails {
	readonly count: number;
	readonly distinct: number;
}

let gateway: Gateway | undefined;

function opened(): Gateway {
	if (gateway === undefined) throw new Error('no account is open');
	return gateway;
}

/** Syncs as triggers and the HTTP gateway do: without a list of everything that came. */
async function oneSyncOfLoop({ account, events }: Gateway): Promise<void> {
	const before = (await account.getSyncStatus()).lastSyncRun?.completedAt;
	const failed = Promise.withResolvers<never>();
	const onProblem = (problem: unknown): void => failed.reject(problem as Error);
	const loop = events.keepSynced({ intervalMs: 3_600_000, push: false, onProblem });
	const isDone = async (): Promise<boolean> => {
		const { lastSyncRun, pendingEvents } = await account.getSyncStatus();
		return lastSyncRun?.completedAt !== before && pendingEvents === 0;
	};
	try {
		await Promise.race([untilTrue(isDone), failed.promise]);
	} finally {
		await loop.release();
	}
}

async function untilTrue(look: () => Promise<boolean>): Promise<void> {
	while (!(await look())) await delay(lookEveryMs);
}

serve({
	async open({ baseUrl, store, folder = '', passphrase }: AccountConfig) {
		gateway = await loadLibrary().Gateway.open({
			backbone: { baseUrl, clientId: 'test', clientSecret: 'test' },
			store: store ?? { kind: 'sqlite', folder },
			...(passphrase === undefined ? {} : { passphrase }),
		});
	},
	address: async () => (await opened().account.getIdentity()).address,
	async relate({ reference }: { reference: string }) {
		const { id } = await opened().templates.loadPeer({ reference });
		await opened().relationships.create({ templateId: id, creationContent: arbitraryCreation });
	},
	syncs: () => opened().account.sync(),
	async sync(): Promise<SyncLook> {
		const delays = monitorEventLoopDelay({ resolution: resolutionMs });
		let duration = { elapsed: 0, processor: 0 };
		const bytes = await additionalBytes(async () => {
			delays.enable();
			duration = await timed(() => oneSyncOfLoop(opened()));
			delays.disable();
		});
		return {
			elapsedMs: duration.elapsed,
			processorMs: duration.processor,
			additionalBytes: bytes,
			longestStallMs: delays.max / 1_000_000 - resolutionMs,
		};
	},
	async received(): Promise<ReceivedMails> {
		const subjects = new Set<unknown>();
		let count = 0;
		let after: string | undefined;
		do {
			const page = await opened().messages.list({
				where: [{ field: 'isOwn', op: 'eq', value: false }],
				limit: 500,
				...(after === undefined ? {} : { after }),
			});
			for (const { content } of page) subjects.add((content as { subject?: unknown }).subject);
			count += page.length;
			after = page.at(-1)?.id;
		} while (after !== undefined);
		return { count, distinct: subjects.size };
	},
	close: () => gateway?.close(),
});
