import type { Logger } from '../base/logger';
import { DeliveryLine, type RetrySettings } from '../events/delivery-line';
import type { GatewayFacade } from '../facade';
import { brokerAddress } from './broker-address';
import { connectorOf } from './broker-clients';
import type { BrokersConfig, SupportedBroker } from './broker-config';
import { BrokerLink } from './broker-link';
import { publishEvent, publishTimes, type PublishTimes } from './publish-event';
import { requireSupported } from './supported-brokers';

export interface BrokersContext {
	readonly facade: Pick<GatewayFacade, 'events'>;
	readonly logger: Logger;
}

export interface RunningBrokers {
	/** Lets what is under way come to its end; a broker that is away is not waited for. */
	close(): Promise<void>;
}

/**
 * Sends every event to every broker of the settings, to each in order and by a stored cursor of its
 * own. It has started when the cursors are stored; brokers that cannot be reached are tried again.
 *
 * @throws `error.gateway.brokers.notSupported`
 * @see docs/protocol/http-api.md 12
 */
export async function runBrokers(
	context: BrokersContext,
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
	{ facade, logger }: BrokersContext,
	{ broker, setting, retry, times }: BrokerOptions,
): Promise<RunningBrokers> {
	const link = new BrokerLink({ broker, setting, logger, connect: connectorOf(broker) });
	const stop = new AbortController();
	const line = await DeliveryLine.open(
		{ events: facade.events, logger },
		{
			consumer: `broker:${brokerAddress(broker)}`,
			filter: {},
			retry,
			send: (event, { signal }) =>
				publishEvent(
					{ ...times, link, broker, setting },
					event,
					AbortSignal.any([signal, stop.signal]),
				),
		},
	);
	// The connection outlives the last delivery, whose acknowledgement may be under way.
	const cut = new AbortController();
	const linked = link.run(cut.signal);
	return {
		close: async () => {
			const closed = line.close();
			stop.abort(new DOMException('The gateway closes.', 'AbortError'));
			await closed;
			cut.abort();
			await linked;
		},
	};
}
