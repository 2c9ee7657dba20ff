import { waitOrAbort } from '../base/abort';
import { Problems } from '../problems/problems';
import { Resumption } from '../resumption/resumption';
import { openDomain } from './domain-services';
import type { ServiceDependencies } from './service-dependencies';
import { openSync } from './sync-services';

export type GatewayServices = ReturnType<typeof openServices>;

/** All services of an open gateway, connected with each other. */
export function openServices(parts: ServiceDependencies) {
	const { store, clock, consumers, stop } = parts;
	// `sync` is defined below: the callback runs only after both are built.
	const domain = openDomain(parts, () => sync.loop.wake());
	const sync = openSync(parts, domain);
	const problems = new Problems({
		store,
		clock,
		messages: domain.messages,
		wakeConsumers: () => consumers.wakeUp.wake(),
		sync: (options) => waitOrAbort(sync.engine.run({ signal: stop.signal }), options),
	});
	const resumption = new Resumption({
		store,
		logger: parts.logger.child('waits'),
		waits: domain.waits,
		wakeUp: consumers.wakeUp,
		keepSynced: (options) => sync.loop.subscribe(options),
		sendMail: (peer, { subject, body }, options) =>
			domain.messages.send(
				{ recipients: [peer], content: { '@type': 'Mail', to: [peer], subject, body } },
				options,
			),
	});
	return { ...domain, ...sync, problems, resumption };
}
