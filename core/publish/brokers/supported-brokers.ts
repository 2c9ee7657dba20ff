import type { BrokersConfig, SupportedBroker } from './broker-config';
import { brokerErrors } from './broker-errors';

/** @throws `error.gateway.brokers.notSupported` with the path of the setting */
export function requireSupported({ brokers }: Pick<BrokersConfig, 'brokers'>): SupportedBroker[] {
	return brokers.map((broker, index) => {
		if (broker.type !== 'PubSub') return broker;
		const setting = `modules.messageBrokerPublisher.brokers.${index}.type`;
		throw brokerErrors.create('notSupported', {
			message: `The setting '${setting}' names Google Pub/Sub, which is not supported: its client alone exceeds the size limit of this package.`,
			facts: { setting },
		});
	});
}
