import { setTimeout as delay } from 'node:timers/promises';
import type { FaultAction } from '../../sandbox/faults';
import type { GatewayProcess } from './gateway-process';
import type { World } from './world';

const paths: readonly RegExp[] = [
	/./,
	/./,
	/\/Messages/,
	/\/SyncRuns/,
	/\/Relationships/,
	/\/Files/,
	/\/RelationshipTemplates/,
	/connect\/token/,
];

/** Maximum milliseconds of one period of the official runtime, and of one period of faults. */
const longestPeriodMs = 2_500;
/**
 * Shorter than the restart of a killed process, so that a delayed call ends before its successor
 * starts.
 */
const longestDelayMs = 800;
const longestPauseMs = 1_500;
const longestJumpMinutes = 3 * 24 * 60;

/**
 * Disturbances: kills, pauses and orderly restarts of processes, clocks that jump, faults of the
 * Backbone, messages that it shows again, and lost connections to the store.
 */
export class Disturbances {
	private isStopped = true;

	private loops: ReadonlyArray<Promise<void>> = [];

	private readonly busy = new Map<GatewayProcess, Promise<void>>();

	/** @param killEveryMs mean milliseconds between two kills */
	constructor(
		private readonly world: World,
		private readonly killEveryMs: number,
	) {}

	start(): void {
		this.isStopped = false;
		this.loops = [
			this.repeat(2 * this.killEveryMs, () => this.disturbProcess()),
			this.repeat(longestPeriodMs, () => this.jumpClock()),
			this.repeat(0, () => this.alternateFaults()),
			this.repeat(longestPeriodMs, () => this.disturbStore()),
			this.repeat(longestPeriodMs, () => this.showMessageAgain()),
		];
	}

	/**
	 * Ends all disturbances; afterwards every process runs, every clock is right and every call is
	 * answered.
	 */
	async stop(): Promise<void> {
		this.isStopped = true;
		await Promise.all(this.loops);
		await Promise.all(this.busy.values());
	}

	private async repeat(longestMs: number, disturb: () => Promise<void> | void): Promise<void> {
		while (!this.isStopped) {
			await delay(this.world.dice.below(longestMs));
			await disturb();
		}
	}

	private disturbProcess(): void {
		const { accounts, dice } = this.world;
		const chosen = dice.pick(accounts.flatMap(({ processes }) => processes));
		if (this.busy.has(chosen)) return;
		const end = this.disturb(chosen).finally(() => this.busy.delete(chosen));
		this.busy.set(chosen, end);
	}

	private async disturb(process: GatewayProcess): Promise<void> {
		const { dice } = this.world;
		const draw = dice.roll();
		if (draw < 0.05) {
			this.world.count('pauses');
			process.signal('SIGSTOP');
			await delay(dice.below(longestPauseMs));
			process.signal('SIGCONT');
			return;
		}
		if (draw < 0.1) await process.stop();
		else {
			this.world.count('kills');
			await process.kill();
		}
		this.world.count('restarts');
		process.start();
	}

	/** Sets the clock of one machine, by a minute to three days, and after a while right again. */
	private async jumpClock(): Promise<void> {
		const { accounts, dice } = this.world;
		const machine = dice.pick(accounts.flatMap(({ machines }) => machines));
		const aheadMs = Math.round(60_000 * longestJumpMinutes ** dice.roll());
		const set = (ms: number) => Promise.all(machine.map((process) => process.setClock(ms)));
		await set(dice.happens(0.5) ? aheadMs : -aheadMs);
		this.world.count('clock jumps');
		await delay(dice.below(longestPeriodMs));
		await set(0);
	}

	/**
	 * Alternates between operations of the official runtime and faults of the Backbone, because the
	 * run does not judge the official handling of faults.
	 */
	private async alternateFaults(): Promise<void> {
		const { backbone, complaints, dice } = this.world;
		await this.useOfficial().catch((error: unknown) => {
			complaints.push(`the official runtime failed: ${String(error)}`);
		});
		await delay(dice.below(longestPeriodMs));
		for (let rules = 2 + dice.below(5); rules > 0; rules--) {
			const rule = { path: dice.pick(paths), times: 1 + dice.below(5) };
			backbone.faults.add({ ...rule, action: this.drawFault() });
		}
		await delay(dice.below(longestPeriodMs));
		backbone.faults.clear();
	}

	private drawFault(): FaultAction {
		const { dice } = this.world;
		return dice.pick<FaultAction>([
			{ kind: 'delay', durationMs: dice.below(longestDelayMs) },
			{ kind: 'status', status: dice.pick([500, 502, 503, 504]) },
			{ kind: 'cutBefore' },
			{ kind: 'cutAfter' },
			{ kind: 'malformedBody' },
			{ kind: 'truncatedBody' },
		]);
	}

	private async useOfficial(): Promise<void> {
		const { accounts, dice, official, officialSends } = this.world;
		if (official === undefined) return;
		await official.sync();
		const to = dice.pick(accounts).address;
		const subject = `official mail ${officialSends.size + 1}`;
		await official.sendMail(to, subject, `about ${subject}`);
		officialSends.set(subject, to);
	}

	private async disturbStore(): Promise<void> {
		if (!this.world.dice.happens(0.2)) return;
		this.world.count('cut connections', await this.world.cutStoreConnections());
	}

	/** Shows a message again, under a new id, that the sender and the recipient know. */
	private showMessageAgain(): void {
		const { accounts, backbone, dice } = this.world;
		const sender = dice.pick(accounts);
		const { received } = this.world.peerOf(sender).ledger;
		const confirmed = new Set([...sender.ledger.sends.values()].flatMap(({ ids }) => ids));
		const known = received.filter((id) => confirmed.has(id));
		if (known.length === 0) return;
		backbone.events.showAgain(dice.pick(known));
		this.world.count('repeated messages');
	}
}
