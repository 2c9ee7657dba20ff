import type { ModulesConfig } from '../config/modules-config';
import type { Module } from './module';
import { problemLog } from './problem-log';

/**
 * `modules.sync` and `modules.sse` (docs/protocol/http-api.md 13): one loop, which syncs at once, again
 * after the interval, and with `sse` as soon as the Backbone says that there is something. A Backbone
 * that cannot be reached delays neither the start nor the API; it is tried again.
 */
export const keepInStep: Module<Pick<ModulesConfig, 'sync' | 'sse'>> = (
	{ facade, logger },
	{ sync, sse },
) => {
	if (sync.enabled && sse.enabled) {
		logger.warn("the setting 'modules.sync' is not needed beside 'modules.sse', which also syncs");
	}
	const held = facade.events.keepSynced({
		intervalMs: sync.interval * 1_000,
		push: sse.enabled,
		onProblem: problemLog(logger),
	});
	return { close: () => held.release() };
};
