import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Gateway } from '../../core';
import { additionalBytes } from '../support/peak-memory';
import { timed } from '../support/timing';
import { arbitraryCreation, type AccountConfig } from './contender';
import { loadLibrary } from './library';
import { serve } from './serve';

/** Milliseconds between two looks at the event loop. */
const resolutionMs = 5;

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
			duration = await timed(() => opened().account.sync());
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
