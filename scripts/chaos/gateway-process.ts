import { PeerProcess, type PeerEvent } from '../../test/support/peer-process';
import type { Answer, Call, DeliveredEvent, WorkerTask } from './worker';

/** `lost`: the process ended before it answered, and what it did is unknown. */
export type Outcome = Answer | { readonly status: 'lost' };

export interface ProcessListener {
	onDelivered(events: readonly DeliveredEvent[]): void;
	/** The process ended, and was neither killed nor asked to end. */
	onFailed(reason: string): void;
}

/** A place for a process of an account: when one ends, the next one begins. */
export class GatewayProcess {
	private current: PeerProcess | undefined;

	private isAskedToEnd = false;

	constructor(
		readonly name: string,
		private readonly program: string,
		private readonly task: WorkerTask,
		private readonly listener: ProcessListener,
	) {}

	start(): void {
		if (this.current !== undefined) return;
		this.isAskedToEnd = false;
		const started = new PeerProcess(this.program, [JSON.stringify(this.task)], (event) =>
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

	/** Ends it in order. */
	async stop(): Promise<void> {
		this.isAskedToEnd = true;
		await this.current?.stop();
		this.current = undefined;
	}

	standStill(): void {
		this.current?.signal('SIGSTOP');
	}

	goOn(): void {
		this.current?.signal('SIGCONT');
	}

	private receive({ namespace, data }: PeerEvent): void {
		if (namespace !== 'delivered') return;
		this.listener.onDelivered(data['events'] as DeliveredEvent[]);
	}
}
