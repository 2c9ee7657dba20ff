import { PeerProcess, type PeerEvent } from '../../test/support/peer/peer-process';
import type { Answer, Call, DeliveredEvent, WorkerTask } from './worker';

/** Result of a call. `lost`: the process ended before its answer, so the effect is unknown. */
export type Outcome = Answer | { readonly status: 'lost' };

export interface ProcessListener {
	onDelivered(events: readonly DeliveredEvent[]): void;
	/** Called when the process ended without being killed or asked to end. */
	onFailed(reason: string): void;
}

/** Slot for a process of an account: when the process ends, its successor starts. */
export class GatewayProcess {
	private current: PeerProcess | undefined;

	private isAskedToEnd = false;

	private clockAheadMs = 0;

	constructor(
		readonly name: string,
		private readonly program: string,
		private readonly task: Omit<WorkerTask, 'clockAheadMs'>,
		private readonly listener: ProcessListener,
	) {}

	start(): void {
		if (this.current !== undefined) return;
		this.isAskedToEnd = false;
		const task: WorkerTask = { ...this.task, clockAheadMs: this.clockAheadMs };
		const started = new PeerProcess(this.program, [JSON.stringify(task)], (event) =>
			this.receive(event),
		);
		this.current = started;
		void started.ended.then(() => {
			if (this.isAskedToEnd || this.current !== started) return;
			this.listener.onFailed(started.failure(`${this.name} ended by itself`).message);
		});
	}

	async call(call: Call): Promise<Outcome> {
		try {
			return (
				((await this.current?.request('call', call)) as Answer | undefined) ?? { status: 'lost' }
			);
		} catch {
			return { status: 'lost' };
		}
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

	pause(): void {
		this.current?.signal('SIGSTOP');
	}

	resume(): void {
		this.current?.signal('SIGCONT');
	}

	private receive({ namespace, data }: PeerEvent): void {
		if (namespace !== 'delivered') return;
		this.listener.onDelivered(data['events'] as DeliveredEvent[]);
	}
}
