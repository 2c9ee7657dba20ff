import { execFile } from 'node:child_process';
import type { Dice } from './dice';
import { attempt, type Operation, type Outcome } from './operations';
import type { Party } from './party';
import type { Task } from './worker';
import type { World } from './world';

/** What happens in the middle of an operation. Points and requests are counted from its beginning. */
export type Interruption =
	/** the process loses both ports, and another one starts from its files */
	| { readonly kind: 'processDies'; readonly at: number }
	/** the same with a process of its own and SIGKILL */
	| { readonly kind: 'childIsKilled'; readonly at: number }
	/** at this point of the operation; it starts again from its state file afterwards */
	| { readonly kind: 'backboneStops'; readonly at: number }
	| {
			readonly kind: 'connectionIsCut';
			readonly at: number;
			readonly action: 'cutBefore' | 'cutAfter' | 'truncatedBody';
			/** and all later ones until the operation ends */
			readonly forGood: boolean;
	  };

/** @param hasChildren whether some interruptions may cost a process of their own */
export function drawInterruption(dice: Dice, hasChildren: boolean): Interruption {
	const at = dice.number(dice.chance(0.5) ? 6 : 20);
	if (hasChildren && dice.chance(0.5)) return { kind: 'childIsKilled', at };
	const kind = dice.weighted([
		[5, 'processDies'],
		[2, 'backboneStops'],
		[3, 'connectionIsCut'],
	] as const);
	if (kind !== 'connectionIsCut') return { kind, at };
	const action = dice.pick(['cutBefore', 'cutAfter', 'truncatedBody'] as const);
	return { kind, at: dice.number(5), action, forGood: dice.chance(0.5) };
}

/** Does the work while the interruption lurks; afterwards everybody runs again. */
export async function interrupted(
	world: World,
	party: Party,
	interruption: Interruption,
	work: () => Promise<Outcome>,
): Promise<Outcome> {
	const { life } = party;
	if (interruption.kind === 'processDies') life.arm(interruption.at, () => life.end());
	if (interruption.kind === 'backboneStops') {
		life.arm(interruption.at, () => world.stopBackbone());
	}
	if (interruption.kind === 'connectionIsCut') cutConnections(world, interruption);
	const outcome = await work();
	life.disarm();
	await world.startBackbone();
	world.backbone.faults.clear();
	if (life.isExpired) {
		await party.stop();
		// This process cannot see that the former holder of a lease is dead: it has to run out.
		world.jump(61_000);
		await party.start();
	}
	return outcome;
}

/** The connection of the nth request; before it, nothing happens. */
function cutConnections(
	{ backbone }: World,
	{ at, action, forGood }: Extract<Interruption, { kind: 'connectionIsCut' }>,
): void {
	const path = /./;
	if (at > 1)
		backbone.faults.add({ path, times: at - 1, action: { kind: 'delay', durationMs: 0 } });
	backbone.faults.add({ path, action: { kind: action } });
	if (!forGood) return;
	backbone.faults.add({ path, times: Number.MAX_SAFE_INTEGER, action: { kind: 'cutBefore' } });
}

/** @param program the bundled worker */
export async function inChild(
	world: World,
	party: Party,
	program: string,
	{ operation, killAt }: Pick<Task, 'operation' | 'killAt'>,
): Promise<Outcome> {
	await party.stop();
	const { clockOffsetMs } = world;
	const task: Task = { config: party.config(), clockOffsetMs, operation, killAt };
	const outcome = await new Promise<Outcome>((resolve, reject) => {
		execFile(process.execPath, [program, JSON.stringify(task)], (error, stdout, stderr) => {
			if (error?.signal === 'SIGKILL') resolve({ status: 'unknown' });
			else if (error !== null) reject(new Error(stderr, { cause: error }));
			else resolve(JSON.parse(stdout) as Outcome);
		});
	});
	await party.start();
	return outcome;
}

export async function perform(party: Party, operation: Operation): Promise<Outcome> {
	return await attempt(party.gateway, operation, party.life);
}
