import { PeerProcess } from '../../test/support/peer/peer-process';
import type { Ledger } from './ledger';
import type { Answer, Call, DeliveredEvent, WorkerTask } from './worker';

/** Slot for a process of an account: when the process ends, its successor starts. */
export class GatewayProcess {
	private current: PeerProcess | undefined;

	private isAskedToEnd = false;

	private clockAheadMs = 0;

	constructor(
		private readonly program: string,
		private readonly task: Omit<WorkerTask, 'clockAheadMs'>,
		private readonly ledger: Ledger,
	) {
		ledger.addDelivery(this.name, []);
	}

	get name(): string {
		return this.task.consumer;
	}

	start(): void {
		if (this.current !== undefined) return;
		this.isAskedToEnd = false;
		const task: WorkerTask = { ...this.task, clockAheadMs: this.clockAheadMs };
		const started = new PeerProcess(this.program, [JSON.stringify(task)], ({ data }) =>
			this.ledger.addDelivery(this.name, data['events'] as DeliveredEvent[]),
		);
		this.current = started;
		void started.ended.then(() => {
			if (this.isAskedToEnd || this.current !== started) return;
			this.ledger.complaints.push(started.failure(`${this.name} ended by itself`).message);
		});
	}

	/** `lost`: the process ended before its answer, so the effect is unknown. */
	async call(call: Call): Promise<Answer | { readonly status: 'lost' }> {
		const lost = { status: 'lost' } as const;
		const answer = this.current?.request('call', call) as Promise<Answer> | undefined;
		return (await answer?.catch(() => lost)) ?? lost;
	}

	async kill(): Promise<void> {
		this.isAskedToEnd = true;
		this.current?.signal('SIGKILL');
		await this.current?.ended;
		this.current = undefined;
	}

	/** Stops the process in an orderly way. */
	async stop(): Promise<void> {
		this.isAskedToEnd = true;
		await this.current?.stop();
		this.current = undefined;
	}

	/** Sets the clock of the machine, also for successors. A process may end meanwhile. */
	async setClock(aheadMs: number): Promise<void> {
		this.clockAheadMs = aheadMs;
		await this.current?.request('clock', aheadMs).catch(() => undefined);
	}

	/** @param name to pause or to resume */
	signal(name: 'SIGSTOP' | 'SIGCONT'): void {
		this.current?.signal(name);
	}
}
