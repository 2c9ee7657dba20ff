import type { ChildProcess } from 'node:child_process';
import { sleep } from '../../../core/base/abort';
import type { Timings } from '../../../core/base/timings';
import type { Gateway } from '../../../core';
import { mailTo, relate, SandboxNetwork } from '../../support/gateways';
import { Forwarder } from '../../support/forwarder';
import { until } from '../../support/until';
import type { Place } from '../../support/accounts/account-places';
import { expectSentOnce, subjectsOf } from './sent-once';
import type { Outcome, Task } from './worker';
import { WorkerProgram, type WorkerProcess } from './worker-process';

export const sends = 150;

const receives = 120;

/** As usual, twenty times faster: a process that is stopped loses soon what it held. */
const timings: Timings = {
	syncLeaseMs: 3_000,
	sending: {
		claimTtlMs: 6_000,
		deadOwnerGraceMs: 500,
		renewClaimAfterMs: 500,
		firstByteDeadlineMs: 1_500,
		lateArrivalMs: 500,
	},
	sqliteBusyMs: 1_500,
};

/** An account with a peer that has written to it. */
interface Scene {
	readonly place: Place;
	readonly peer: Gateway;
	readonly addressA: string;
	readonly task: Task;
}

/** Lets the process run a little at a time until it stands where it is wanted; false when it ended. */
async function stopWhen(child: ChildProcess, isThere: () => Promise<boolean>): Promise<boolean> {
	for (;;) {
		if (child.exitCode !== null) return false;
		child.kill('SIGSTOP');
		if (await isThere().catch(isShut)) return true;
		child.kill('SIGCONT');
		await sleep(5 * Math.random());
	}
}

/** Stopped while it has the whole file for itself, no other process can look: another moment is wanted. */
function isShut(error: unknown): false {
	if (/database is locked|locking protocol/.test(String(error))) return false;
	throw error;
}

export async function untilLeasesAreOver({ query }: Place): Promise<void> {
	await until(async () => {
		const leases = await query<{ ends: string }>(
			(table) => `select max(expires_at) as ends from ${table('leases')}`,
		);
		return Number(leases[0]?.ends) <= Date.now();
	}, 120_000);
}

interface Stopped {
	readonly scene: Scene;
	readonly still: WorkerProcess;
	/** of the process to the Backbone */
	readonly way: Forwarder;
}

interface Ends {
	readonly scene: Scene;
	readonly late: Outcome;
	readonly after: Outcome;
}

export const codesOf = ({ failedSyncs, failures }: Outcome): string[] => [
	...failedSyncs,
	...failures.map(({ code }) => code),
];

export const tookOver = 'error.gateway.store.leaseLost';

/** Accounts whose process is stopped in the middle of its work, and the processes that follow it. */
export class PausedProcessBench {
	readonly program = new WorkerProgram();

	private constructor(readonly network: SandboxNetwork) {}

	static async open(): Promise<PausedProcessBench> {
		return new PausedProcessBench(await SandboxNetwork.open({ maxUnreceivedMessages: 1_000 }));
	}

	async close(): Promise<void> {
		await this.network.close();
		this.program.remove();
	}

	async newScene(place: Place, waiting = receives): Promise<Scene> {
		const gateway = await this.network.gateway({ ...this.network.config(), ...place.config });
		const peer = await this.network.gateway();
		const { addressA, addressB } = await relate(gateway, peer);
		await gateway.close();
		for (let sent = 1; sent <= waiting; sent++) {
			await peer.messages.send(mailTo(addressA, `from the peer ${sent}`));
		}
		const { baseUrl } = this.network.backbone;
		const work = { to: addressB, sends, receives: waiting, lanes: 4, timings };
		const task = { ...place.config, ...work, baseUrl, name: 'still' };
		return { place, peer, addressA, task };
	}

	/** A process that was too quick to be caught is followed by another, on an account of its own. */
	async stopInTheMiddle(newPlace: () => Place, isWriting: boolean): Promise<Stopped> {
		for (let attempt = 1; attempt <= 10; attempt++) {
			const scene = await this.newScene(newPlace());
			const way = await Forwarder.to(Number(new URL(this.network.backbone.baseUrl).port));
			// There are calls without an answer at nearly every moment; commits are many without that.
			way.answersTakeMs = isWriting ? 0 : 30;
			const still = this.program.start({ ...scene.task, baseUrl: `http://localhost:${way.port}` });
			const isStopped = await stopWhen(still.child, () => this.isInTheMiddle(scene, isWriting));
			if (isStopped) return { scene, still, way };
			await still.outcome;
			await way.close();
		}
		throw new Error('no process could be stopped where it was wanted');
	}

	successorOf({ task }: Scene): WorkerProcess {
		return this.program.start({ ...task, name: 'successor', subjects: 'still' });
	}

	/** The successor is asked for the same messages, as a host repeats the jobs of a process it lost. */
	async standStill(newPlace: () => Place, isWriting: boolean): Promise<Ends> {
		const { scene, still, way } = await this.stopInTheMiddle(newPlace, isWriting);
		const after = await this.successorOf(scene).outcome;
		await untilLeasesAreOver(scene.place);
		still.child.kill('SIGCONT');
		const late = await still.outcome;
		await way.close();
		return { scene, late, after };
	}

	async expectNoHarm(scene: Scene, late: Outcome, after: Outcome): Promise<void> {
		expect(after.received).toHaveLength(receives);
		expect(new Set(late.received)).toEqual(new Set(after.received));
		expect(new Set(after.delivered).size).toBe(receives);
		expect(late.delivered).toEqual(after.delivered);
		await expectSentOnce(this.network, scene.peer, scene.addressA, subjectsOf('still', sends));
	}

	/**
	 * It receives and it sends: it holds the lease, has events to apply, and intents whose calls have
	 * arrived and were not answered.
	 */
	private async isInTheMiddle({ place, addressA }: Scene, isWriting: boolean): Promise<boolean> {
		const [state] = await place.query<Record<string, string>>(
			(table) => `select
				(select count(*) from ${table('leases')} where name = 'sync') as held,
				(select count(*) from ${table('inbox')} where c_state = 'pending') as events,
				(select count(*) from ${table('send_intents')} where c_state = 'prepared') as prepared,
				(select count(*) from ${table('send_intents')} where c_state = 'sent') as sent`,
		);
		const [held = 0, events = 0, prepared = 0, sent = 0] = Object.values(state ?? {}).map(Number);
		const messages = [...this.network.backbone.state.messages.values()];
		const arrived = messages.filter(({ createdBy }) => createdBy === addressA).length;
		const isBusy = held > 0 && events > 0 && prepared > 0 && arrived === prepared + sent;
		return isBusy && (await place.isBeingWritten()) === isWriting;
	}
}
