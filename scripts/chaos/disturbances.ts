import { setTimeout as delay } from 'node:timers/promises';
import type { FaultAction, Faults } from '../../sandbox/faults';
import type { Peer } from '../../test/support/peer/peer';
import type { Dice } from '../fuzz/dice';
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
	kills = 0;

	restarts = 0;

	pauses = 0;

	clockJumps = 0;

	cutConnections = 0;

	repeatedMessages = 0;

	private isStopped = true;

	private loops: ReadonlyArray<Promise<void>> = [];

	/** @param killEveryMs mean milliseconds between two kills */
	constructor(
		private readonly world: World,
		private readonly dice: Dice,
		private readonly killEveryMs: number,
	) {}

	private get faults(): Faults {
		return this.world.backbone.faults;
	}

	start(): void {
		this.isStopped = false;
		this.loops = [
			this.disturbProcesses(),
			this.jumpClocks(),
			this.alternateFaults(),
			this.disturbStore(),
			this.repeatMessages(),
		];
	}

	/**
	 * Ends all disturbances; afterwards every process runs, every clock is right and every call is
	 * answered.
	 */
	async stop(): Promise<void> {
		this.isStopped = true;
		await Promise.all(this.loops);
	}

	private async disturbProcesses(): Promise<void> {
		const processes = this.world.accounts.flatMap((account) => account.processes);
		const busy = new Map<GatewayProcess, Promise<void>>();
		while (!this.isStopped) {
			await delay(this.dice.roll() * 2 * this.killEveryMs);
			const chosen = this.dice.pick(processes);
			if (busy.has(chosen)) continue;
			const end = this.disturb(chosen).finally(() => busy.delete(chosen));
			busy.set(chosen, end);
		}
		await Promise.all(busy.values());
	}

	private async disturb(process: GatewayProcess): Promise<void> {
		const draw = this.dice.roll();
		if (draw < 0.05) {
			this.pauses++;
			process.pause();
			await delay(this.dice.below(longestPauseMs));
			process.resume();
			return;
		}
		if (draw < 0.1) await process.stop();
		else {
			this.kills++;
			await process.kill();
		}
		this.restarts++;
		process.start();
	}

	/** Sets the clock of one machine, by a minute to three days, and after a while right again. */
	private async jumpClocks(): Promise<void> {
		const machines = this.world.accounts.flatMap((account) => account.machines);
		while (!this.isStopped) {
			await delay(this.dice.below(longestPeriodMs));
			const machine = this.dice.pick(machines);
			const aheadMs = 60_000 * longestJumpMinutes ** this.dice.roll();
			const set = async (ms: number): Promise<void> => {
				await Promise.all(machine.map((process) => process.setClock(Math.round(ms))));
			};
			await set(this.dice.happens(0.5) ? aheadMs : -aheadMs);
			this.clockJumps++;
			await delay(this.dice.below(longestPeriodMs));
			await set(0);
		}
	}

	/**
	 * Alternates between operations of the official runtime and faults of the Backbone, because the
	 * run does not judge the official handling of faults.
	 */
	private async alternateFaults(): Promise<void> {
		while (!this.isStopped) {
			if (this.world.official !== undefined) {
				await this.useOfficial(this.world.official).catch((error: unknown) => {
					this.world.complaints.push(`the official runtime failed: ${String(error)}`);
				});
			}
			await delay(this.dice.below(longestPeriodMs));
			for (let rules = 2 + this.dice.below(5); rules > 0; rules--) this.addFault();
			await delay(this.dice.below(longestPeriodMs));
			this.faults.clear();
		}
	}

	private addFault(): void {
		const path = this.dice.pick(paths);
		this.faults.add({ path, times: 1 + this.dice.below(5), action: this.drawFault() });
	}

	private drawFault(): FaultAction {
		return this.dice.pick<FaultAction>([
			{ kind: 'delay', durationMs: this.dice.below(longestDelayMs) },
			{ kind: 'status', status: this.dice.pick([500, 502, 503, 504]) },
			{ kind: 'cutBefore' },
			{ kind: 'cutAfter' },
			{ kind: 'malformedBody' },
			{ kind: 'truncatedBody' },
		]);
	}

	private async useOfficial(official: Peer): Promise<void> {
		const { dice, world } = this;
		await official.sync();
		const to = dice.pick(world.accounts).address;
		const subject = `official mail ${world.officialSends.size + 1}`;
		await official.sendMail(to, subject, `about ${subject}`);
		world.officialSends.set(subject, to);
	}

	private async disturbStore(): Promise<void> {
		while (!this.isStopped) {
			await delay(this.dice.below(longestPeriodMs));
			if (this.dice.happens(0.2)) this.cutConnections += await this.world.cutStoreConnections();
		}
	}

	/** Shows messages again, under new ids, that the sender and the recipient know. */
	private async repeatMessages(): Promise<void> {
		const { accounts, backbone } = this.world;
		while (!this.isStopped) {
			await delay(this.dice.below(longestPeriodMs));
			const sender = this.dice.pick(accounts);
			const { received } = this.world.peerOf(sender).ledger;
			const confirmed = new Set([...sender.ledger.sends.values()].flatMap(({ ids }) => ids));
			const known = received.filter((id) => confirmed.has(id));
			if (known.length === 0) continue;
			backbone.events.showAgain(this.dice.pick(known));
			this.repeatedMessages++;
		}
	}
}
