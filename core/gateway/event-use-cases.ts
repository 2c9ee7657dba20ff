import { linkSignals } from '../base/abort';
import { isoInstant } from '../base/clock';
import { holdProcess } from '../base/hold-process';
import { acceptAutomatically, autoAcceptConsumer } from '../domain/relationship/auto-accept';
import { appendEvent } from '../events/outbox';
import type { EventUseCases } from '../facade/events';
import type { ServiceDependencies } from './service-dependencies';
import type { GatewayServices } from './services';

export function eventUseCases(
	parts: ServiceDependencies,
	services: GatewayServices,
): EventUseCases {
	const { account, clock, consumers, stop, store, logger } = parts;
	return {
		recent: consumers.recent.bind(consumers),
		follow: consumers.follow.bind(consumers),
		page: consumers.pages.read.bind(consumers.pages),
		acknowledge: consumers.pages.acknowledge.bind(consumers.pages),
		forgetReader: consumers.pages.forget.bind(consumers.pages),
		forget: consumers.forget.bind(consumers),
		consume: (options) => holdProcess(consumers.consume(options)),
		next: (filter, options) => holdProcess(consumers.next(filter, options)),
		until: (filter, check, options) => holdProcess(consumers.until(filter, check, options)),
		announceModulesStarted: (options = {}) =>
			store.transact(
				(tx) =>
					appendEvent(tx, {
						name: 'runtime.modulesStarted',
						createdAt: isoInstant(clock.now()),
						subject: account.address,
						data: {},
					}),
				options,
			),
		keepSynced: services.loop.subscribe.bind(services.loop),
		autoAccept: (options) => {
			const release = new AbortController();
			const signal = linkSignals(stop.signal, release.signal) ?? release.signal;
			const consumer = { ...autoAcceptConsumer(services, options), signal };
			void acceptAutomatically((each) => consumers.consume(each), consumer, logger);
			return { release: () => release.abort() };
		},
	};
}
