import { Gateway, type GatewayConfigInput } from '../../../core';
import type { Clock } from '../../../core/base/clock';
import { HttpBackbone } from '../../../core/backbone/http/http-backbone';
import type { Life } from './life';

/** A gateway whose ports are watched; it repeats calls without the usual waits. */
export async function openWatched(
	config: GatewayConfigInput,
	clock: Clock,
	life: Life,
): Promise<Gateway> {
	const gateway = await Gateway.open(config, {
		clock,
		openBackbone: (settings, logger) =>
			life.watchBackbone(
				HttpBackbone.open({ ...settings, clock, logger, retry: { baseWaitMs: 1 } }),
			),
	});
	life.watchStore(gateway['parts'].store);
	return gateway;
}
