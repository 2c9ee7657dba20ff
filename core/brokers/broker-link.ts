import { sleep } from '../base/abort';
import { isGatewayError } from '../base/errors';
import type { Logger } from '../base/logger';
import { brokerAddress, reasonOf } from './broker-address';
import type { SupportedBroker } from './broker-config';
import type { BrokerConnection, ConnectOptions } from './broker-connection';
import { brokerErrors } from './broker-errors';

const firstDelayMs = 250;
const longestDelayMs = 10_000;

/** A connection as those who publish see it. */
export interface LiveConnection extends BrokerConnection {
	/** when it was opened, on the monotonic clock */
	readonly openedAtMs: number;
	/** the broker had been out of reach before: those who listen may still be on their way */
	readonly isAfterOutage: boolean;
}

export interface LinkOptions {
	readonly broker: SupportedBroker;
	/** what the entry of this broker is called in the settings */
	readonly setting: string;
	readonly logger: Logger;
	connect(options: ConnectOptions): Promise<BrokerConnection>;
}

/** Keeps one connection to a broker for as long as it is wanted, and tells when it has none. */
export class BrokerLink {
	private live = Promise.withResolvers<LiveConnection>();

	private current: LiveConnection | undefined;

	private reported: string | undefined;

	private hadOutage = false;

	constructor(private readonly options: LinkOptions) {}

	/** Waits until there is a connection; rejects with the signal's reason. */
	async connection(signal: AbortSignal): Promise<LiveConnection> {
		signal.throwIfAborted();
		const stopped = Promise.withResolvers<never>();
		const stop = (): void => stopped.reject(signal.reason as Error);
		signal.addEventListener('abort', stop, { once: true });
		try {
			return await Promise.race([this.live.promise, stopped.promise]);
		} finally {
			signal.removeEventListener('abort', stop);
		}
	}

	/** Connects again and again until the signal aborts, and closes the last connection then. */
	async run(signal: AbortSignal): Promise<void> {
		const stopped = aborted(signal);
		for (let failures = 0; !signal.aborted; failures++) {
			try {
				const connection = await this.connect(signal);
				failures = 0;
				this.report(undefined);
				const reason = await Promise.race([connection.over, stopped]);
				await connection.close();
				if (!signal.aborted) this.report(reason);
			} catch (error) {
				if (signal.aborted) return;
				this.report(error);
			}
			const delayMs = Math.min(firstDelayMs * 2 ** Math.min(failures, 10), longestDelayMs);
			await sleep(delayMs, { signal, background: true }).catch(() => undefined);
		}
	}

	private async connect(signal: AbortSignal): Promise<LiveConnection> {
		const { connect, setting } = this.options;
		const connection = await connect({ signal, setting: `${setting}.configuration` });
		const given = Promise.withResolvers<unknown>();
		const live: LiveConnection = {
			publish: connection.publish,
			openedAtMs: performance.now(),
			isAfterOutage: this.hadOutage,
			over: Promise.race([connection.over, given.promise]),
			close: async () => {
				this.lose(live);
				await connection.close();
				given.resolve(new Error('the connection was given up'));
			},
		};
		this.current = live;
		this.live.resolve(live);
		return live;
	}

	/** Whoever asks from now on waits for the next one. */
	private lose(connection: LiveConnection): void {
		if (this.current !== connection) return;
		this.current = undefined;
		this.live = Promise.withResolvers();
	}

	/** One line when the state changes, not one per attempt. */
	private report(error: unknown): void {
		const { logger, broker, setting } = this.options;
		const address = brokerAddress(broker);
		if (error === undefined) {
			this.reported = undefined;
			logger.info('connected to a message broker', { broker: address });
			return;
		}
		this.hadOutage = true;
		const problem = isGatewayError(error)
			? error
			: brokerErrors.create('unreachable', {
					message: 'A message broker cannot be reached.',
					facts: { setting: `${setting}.configuration.url` },
					cause: error,
				});
		const reason = reasonOf(problem.cause, broker.configuration.url);
		const state = `${problem.code} ${reason}`;
		if (state === this.reported) return;
		this.reported = state;
		const { code, remedy, facts } = problem;
		logger.error(problem.message, { ...facts, broker: address, code, reason, remedy });
	}
}

function aborted(signal: AbortSignal): Promise<unknown> {
	return new Promise((resolve) => {
		if (signal.aborted) resolve(signal.reason);
		signal.addEventListener('abort', () => resolve(signal.reason), { once: true });
	});
}
