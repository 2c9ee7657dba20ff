import type { Logger } from '../../base/logger';
import { DeliveryQueue, type RetrySettings } from '../../events/delivery/delivery-queue';
import type { EventVersion } from '../../events/event-names';
import type { GatewayFacade } from '../../facade/gateway-facade';
import { connectorOf } from './broker-clients';
import { brokerAddress, type BrokersConfig, type SupportedBroker } from './broker-config';
import { BrokerLink } from './broker-link';
import { publishEvent, publishTimes, type PublishTimes } from './publish-event';
import { requireSupported } from './supported-brokers';

export interface BrokersDependencies {
	readonly facade: Pick<GatewayFacade, 'events'>;
	readonly logger: Logger;
	/** version of the events for brokers that name none; default: 6 */
	readonly eventVersion?: EventVersion | undefined;
}

export interface RunningBrokers {
	/** Finishes deliveries in progress; does not wait for unreachable brokers. */
	close(): Promise<void>;
}

/**
 * Sends every event to every configured broker, in order and with one stored cursor per broker.
 * Resolves when the cursors are stored; unreachable brokers are retried in the background.
 *
 * @throws `error.gateway.brokers.notSupported`
 * @see docs/protocol/http-api.md 12
 */
export async function runBrokers(
	context: BrokersDependencies,
	config: BrokersConfig,
	times: PublishTimes = publishTimes,
): Promise<RunningBrokers> {
	const running: RunningBrokers[] = [];
	const close = async (): Promise<void> => {
		await Promise.all(running.map((one) => one.close()));
	};
	try {
		for (const [index, broker] of requireSupported(config).entries()) {
			const setting = `modules.messageBrokerPublisher.brokers.${index}`;
			running.push(await runBroker(context, { broker, setting, retry: config.retry, times }));
		}
	} catch (error) {
		await close();
		throw error;
	}
	return { close };
}

interface BrokerOptions {
	readonly broker: SupportedBroker;
	readonly setting: string;
	readonly retry: RetrySettings;
	readonly times: PublishTimes;
}

async function runBroker(
	{ facade, logger, eventVersion = 6 }: BrokersDependencies,
	{ broker, setting, retry, times }: BrokerOptions,
): Promise<RunningBrokers> {
	const link = new BrokerLink({ broker, setting, logger, connect: connectorOf(broker) });
	const stop = new AbortController();
	const queue = await DeliveryQueue.open(
		{ events: facade.events, logger },
		{
			consumer: `broker:${brokerAddress(broker)}`,
			filter: { version: broker.version ?? eventVersion },
			retry,
			send: (event, { signal }) =>
				publishEvent(
					{ ...times, link, broker, setting },
					event,
					AbortSignal.any([signal, stop.signal]),
				),
		},
	);
	// The connection outlives the last delivery, because its acknowledgement may still be pending.
	const cut = new AbortController();
	const linked = link.run(cut.signal);
	return {
		close: async () => {
			const closed = queue.close();
			stop.abort(new DOMException('The gateway closes.', 'AbortError'));
			await closed;
			cut.abort();
			await linked;
		},
	};
}
