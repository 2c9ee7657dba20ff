import { setTimeout as delay } from 'node:timers/promises';
import { isGatewayError } from '../../core';
import type { Generation } from '../../test/support/peer';
import type { Account } from './account';
import { Dice } from '../fuzz/dice';
import { Disturbances } from './disturbances';
import { collectEvidence, eventsToFetch, unfinishedIn, type Evidence } from './evidence';
import { judge, type Violation } from './judge';
import { Operations } from './operations';
import { World, type StoreKind } from './world';

export interface ChaosOptions {
	/** how long operations are disturbed; the checks come on top */
	readonly durationMs: number;
	/** repeats what is drawn, not the order in which processes get on */
	readonly seed: number;
	readonly store: StoreKind;
	/** time between two checks */
	readonly roundMs?: number;
	/** mean time between two kills */
	readonly killEveryMs?: number;
	/** whether an official runtime takes part, of the generation that the seed draws */
	readonly hasOfficial?: boolean;
	readonly onRound?: (figures: Figures) => void;
}

export interface Figures {
	readonly operations: number;
	readonly kills: number;
	readonly restarts: number;
	readonly pauses: number;
	/** calls to the Backbone that were disturbed */
	readonly faults: number;
	readonly cutConnections: number;
	readonly messages: number;
	readonly events: number;
	readonly checks: number;
	readonly violations: number;
}

export interface ChaosReport {
	readonly figures: Figures;
	/** of the first check that found any */
	readonly violations: readonly Violation[];
	/** where the stores were left, when there are violations */
	readonly kept?: string;
}

const processesPerAccount = 2;
const lanesPerAccount = 3;
/** An interrupted sync run at the Backbone expires after ten seconds. */
const quietWithinMs = 60_000;
const pollMs = 250;

/**
 * Two accounts with several processes each and an official runtime do random operations, while processes are
 * killed and calls fail. From time to time all of this is stopped, everything that is under way comes to its
 * end, and a judge compares all views. The first violation ends the run.
 */
export async function playChaos(options: ChaosOptions): Promise<ChaosReport> {
	const { durationMs, seed, store, roundMs = 75_000, killEveryMs = 800 } = options;
	const dice = new Dice(seed);
	const official: Generation = seed % 2 === 0 ? 6 : 7;
	const world = await World.open({
		seed,
		store,
		processesPerAccount,
		...(options.hasOfficial === false ? {} : { official }),
	});
	const operations = new Operations(world, dice, lanesPerAccount);
	const disturbances = new Disturbances(world, dice, killEveryMs);
	const report = (
		checks: number,
		violations: readonly Violation[],
		events: number,
	): ChaosReport => ({
		figures: {
			operations: operations.done,
			kills: disturbances.kills,
			restarts: disturbances.restarts,
			pauses: disturbances.pauses,
			faults: world.backbone.faults.taken,
			cutConnections: disturbances.cutConnections,
			messages: world.backbone.state.messages.size,
			events,
			checks,
			violations: violations.length,
		},
		violations,
	});
	try {
		for (let checks = 1, left = durationMs; ; checks++, left -= roundMs) {
			startProcesses(world);
			operations.start();
			disturbances.start();
			await delay(Math.min(roundMs, left));
			await disturbances.stop();
			await operations.stop();
			const evidence = await quietEvidence(world);
			const events = evidence.accounts.reduce((sum, account) => sum + account.events.length, 0);
			const current = report(checks, judge(evidence), events);
			options.onRound?.(current.figures);
			await world.closeObservers();
			if (current.violations.length > 0) return { ...current, kept: world.keepStores() };
			if (left <= roundMs) return current;
		}
	} finally {
		await disturbances.stop();
		await world.close();
	}
}

function startProcesses(world: World): void {
	for (const account of world.accounts) for (const process of account.processes) process.start();
}

/** Lets everybody sync until nothing is under way, or for as long as that may take, and looks at all views. */
async function quietEvidence(world: World): Promise<Evidence> {
	const giveUpAt = Date.now() + quietWithinMs;
	for (let quietLooks = 0; quietLooks < 2 && Date.now() < giveUpAt;) {
		const isQuiet = await syncAll(world).then(
			() => isAllQuiet(world),
			(error: unknown) => {
				// Another process is at it, or a run that a killed process has begun is still open.
				if (isGatewayError(error) && error.kind === 'unavailable') return false;
				throw error;
			},
		);
		quietLooks = isQuiet ? quietLooks + 1 : 0;
		await delay(pollMs);
	}
	await stopProcesses(world);
	return await collectEvidence(world);
}

async function syncAll(world: World): Promise<void> {
	world.backbone.queues.deliverAll();
	for (const account of world.accounts) {
		const gateway = await world.observer(account);
		await gateway.account.sync();
	}
	await world.official?.sync();
}

async function isAllQuiet(world: World): Promise<boolean> {
	const looks = await Promise.all(world.accounts.map((account) => isQuiet(world, account)));
	return world.backbone.queues.isEmpty && looks.every(Boolean);
}

async function isQuiet(world: World, account: Account): Promise<boolean> {
	const gateway = await world.observer(account);
	const unfinished = Object.values(await unfinishedIn(gateway));
	const last = await gateway['parts'].store.read((tx) => tx.outbox.lastSequence());
	const { deliveries } = account.ledger;
	const isDelivered = account.processes.every(({ name }) => deliveries.get(name)?.has(last));
	return isDelivered && eventsToFetch(world, account) === 0 && unfinished.every((one) => one === 0);
}

/** In order, so that what they have delivered last is known. */
async function stopProcesses(world: World): Promise<void> {
	const processes = world.accounts.flatMap((account) => account.processes);
	await Promise.all(processes.map((process) => process.stop()));
}
