import type { SandboxBackbone } from '../../sandbox/sandbox-backbone';

/** Whatever has an identity and syncs: a gateway, an official runtime. */
export interface SyncingParty {
	readonly address: string;
	/** One sync; answers whether it brought anything. */
	sync(): Promise<boolean>;
}

/** less than most delays of a queue, so that what is under way comes with several syncs */
const queueStepMs = 100;
const mostRounds = 400;
/** how long a server keeps still before a test that waits for nothing in particular goes on */
const quietMs = 400;
const pauseMs = 50;
/** the longest that a server's queues hold up what a test waits for */
const patienceMs = 30_000;

/** What a test waits for, where the Backbone cannot be asked whether it has more to tell. */
export type Arrival = () => boolean | Promise<boolean>;

/** Moves the queues of the sandbox and syncs until they hold nothing for these parties. */
export async function settleInSandbox(
	parties: readonly SyncingParty[],
	{ queues, state }: SandboxBackbone,
): Promise<void> {
	for (let round = 0; round < mostRounds; round++) {
		const mayHaveMore = parties.some(({ address }) => !queues.isEmptyFor(address));
		let isQuiet = true;
		for (const party of parties) if (await party.sync()) isQuiet = false;
		if (!mayHaveMore && isQuiet) return;
		queues.advance(queueStepMs);
	}
	const open = parties.flatMap(({ address }) => state.openEvents.get(address) ?? []);
	const left = JSON.stringify([queues.waiting, open]);
	throw new Error(`The sandbox still has events after ${mostRounds} syncs: ${left}`);
}

/** Syncs until it has arrived or, when nothing is named, until nothing has come for a while. */
export async function settleAtAddress(
	parties: readonly SyncingParty[],
	arrived?: Arrival,
): Promise<void> {
	const began = Date.now();
	let lastNews = began;
	const isWaiting = async (): Promise<boolean> =>
		arrived === undefined
			? Date.now() - lastNews < quietMs
			: Date.now() - began < patienceMs && !(await arrived());
	do {
		for (const party of parties) if (await party.sync()) lastNews = Date.now();
		await new Promise((resolve) => setTimeout(resolve, pauseMs));
	} while (await isWaiting());
}
