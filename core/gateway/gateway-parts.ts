import type { GatewayFacade } from '../facade/gateway-facade';
import type { ServiceDependencies } from './service-dependencies';

const partsOfGateways = new WeakMap<GatewayFacade, ServiceDependencies>();

export function keepParts(gateway: GatewayFacade, parts: ServiceDependencies): void {
	partsOfGateways.set(gateway, parts);
}

/**
 * Store, Backbone and account behind an open gateway, for tests that look or interfere there. A
 * gateway itself does not lead to them, so that its users depend on its use cases only.
 *
 * @public for tests, which the search for dead code leaves out
 */
export function partsOf(gateway: GatewayFacade): ServiceDependencies {
	const parts = partsOfGateways.get(gateway);
	if (parts === undefined) throw new TypeError('Expected a gateway that this program has opened');
	return parts;
}
