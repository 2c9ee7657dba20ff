import { setTimeout as delay } from 'node:timers/promises';
import { isGatewayError, type Gateway } from '../../core';
import { partsOf } from '../../core/gateway/gateway-parts';
import type { Account } from './account';
import { collectEvidence, eventsToFetch, unfinishedIn, type Evidence } from './evidence';
import type { World } from './world';

/** Long enough for an interrupted sync run, which expires at the Backbone after ten seconds. */
const quietWithinMs = 120_000;
const pollMs = 250;

/**
 * Lets all parties sync until no work is in progress, or for a limited time, then collects all
 * views.
 */
export async function evidenceWhenQuiet(world: World): Promise<Evidence> {
	const giveUpAt = Date.now() + quietWithinMs;
	for (let quietLooks = 0; quietLooks < 2 && Date.now() < giveUpAt;) {
		const isQuiet = await syncAll(world).then(
			() => isAllQuiet(world),
			(error: unknown) => {
				// Another process is syncing, or the run of a killed process is still open.
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
		await retryPostponed(gateway);
		await gateway.account.sync();
	}
	await world.official?.sync();
}

/** Does what a person does about attempts that were planned while a clock was ahead. */
async function retryPostponed(gateway: Gateway): Promise<void> {
	const limit = new Date(Date.now() + quietWithinMs).toISOString();
	const problems = await gateway.problems.list();
	const late = problems.filter(({ nextTryAt = '' }) => nextTryAt > limit);
	if (late.length > 0) await gateway.problems.retry({ ids: late.map(({ id }) => id) });
}

async function isAllQuiet(world: World): Promise<boolean> {
	const looks = await Promise.all(world.accounts.map((account) => isQuiet(world, account)));
	return world.backbone.queues.isEmpty && looks.every(Boolean);
}

async function isQuiet(world: World, account: Account): Promise<boolean> {
	const gateway = await world.observer(account);
	const unfinished = Object.values(await unfinishedIn(gateway));
	const last = await partsOf(gateway).store.read((tx) => tx.outbox.lastSequence());
	const { deliveries } = account.ledger;
	const isDelivered = account.processes.every(({ name }) => deliveries.get(name)?.has(last));
	return isDelivered && eventsToFetch(world, account) === 0 && unfinished.every((one) => one === 0);
}

/** Stops the processes in an orderly way, so that their last deliveries are recorded. */
async function stopProcesses(world: World): Promise<void> {
	const processes = world.accounts.flatMap((account) => account.processes);
	await Promise.all(processes.map((process) => process.stop()));
}
