import { sleep, waitOrAbort } from '../../base/abort';
import { backOffMs } from '../../base/back-off';
import { isGatewayError } from '../../base/errors';
import type { Logger } from '../../base/logger';
import { brokerAddress, type SupportedBroker } from './broker-config';
import type { BrokerConnection, ConnectOptions } from './broker-connection';
import { brokerErrors } from './broker-errors';
import { reasonOf } from './failure-reason';

const connectPauses = { firstMs: 250, longestMs: 10_000 };

/** Connection with the facts that a publisher needs. */
export interface LiveConnection extends BrokerConnection {
	/** time of opening, on the monotonic clock */
	readonly openedAtMs: number;
	/** true after an outage of the broker: subscribers may still be reconnecting */
	readonly isAfterOutage: boolean;
}

export interface LinkOptions {
	readonly broker: SupportedBroker;
	/** path of this broker's entry in the settings */
	readonly setting: string;
	readonly logger: Logger;
	connect(options: ConnectOptions): Promise<BrokerConnection>;
}

/**
 * Keeps one connection to a broker open, reconnects with back-off, and logs every change of state.
 */
export class BrokerLink {
	private live = Promise.withResolvers<LiveConnection>();

	private current: LiveConnection | undefined;

	private reported: string | undefined;

	private hadOutage = false;

	constructor(private readonly options: LinkOptions) {}

	/** Waits for a connection; rejects with the signal's reason. */
	async connection(signal: AbortSignal): Promise<LiveConnection> {
		return await waitOrAbort(this.live.promise, { signal });
	}

	/** Reconnects with back-off until the signal aborts, then closes the last connection. */
	async run(signal: AbortSignal): Promise<void> {
		for (let failures = 0; !signal.aborted; failures++) {
			try {
				const connection = await this.connect(signal);
				failures = 0;
				this.report(undefined);
				const waited = waitOrAbort(connection.over, { signal });
				const reason = await waited.finally(() => connection.close());
				if (!signal.aborted) this.report(reason);
			} catch (error) {
				if (signal.aborted) return;
				this.report(error);
			}
			await sleep(backOffMs(failures + 1, connectPauses), { signal, background: true }).catch(
				() => undefined,
			);
		}
	}

	private async connect(signal: AbortSignal): Promise<LiveConnection> {
		const { connect, setting } = this.options;
		const connection = await connect({ signal, setting: `${setting}.configuration` });
		const abandoned = Promise.withResolvers<unknown>();
		const live: LiveConnection = {
			publish: connection.publish,
			openedAtMs: performance.now(),
			isAfterOutage: this.hadOutage,
			over: Promise.race([connection.over, abandoned.promise]),
			close: async () => {
				this.forget(live);
				await connection.close();
				abandoned.resolve(new Error('the connection was abandoned'));
			},
		};
		this.current = live;
		this.live.resolve(live);
		return live;
	}

	/** Forgets a lost connection, so that later callers wait for the next one. */
	private forget(connection: LiveConnection): void {
		if (this.current !== connection) return;
		this.current = undefined;
		this.live = Promise.withResolvers();
	}

	/** Logs a change of state once instead of every attempt. */
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
