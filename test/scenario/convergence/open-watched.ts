import { Gateway, type GatewayConfigInput } from '../../../core';
import type { Clock } from '../../../core/base/clock';
import { HttpBackbone } from '../../../core/backbone/http/http-backbone';
import { partsOf } from '../../../core/gateway/gateway-parts';
import { promptTimings } from '../../support/clock';
import type { Life } from './life';

/** A gateway whose ports are watched; it repeats calls without the usual waits. */
export async function openWatched(
	config: GatewayConfigInput,
	clock: Clock,
	life: Life,
): Promise<Gateway> {
	const gateway = await Gateway.open(config, {
		clock,
		timings: promptTimings,
		openBackbone: (settings, logger) =>
			life.watchBackbone(
				HttpBackbone.open({ ...settings, clock, logger, retry: { baseWaitMs: 1 } }),
			),
	});
	life.watchStore(partsOf(gateway).store);
	return gateway;
}
