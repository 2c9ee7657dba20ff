import type { ModulesConfig } from '../config/modules-config';
import type { Module } from './module';
import { problemLog } from './problem-log';

/**
 * Modules `modules.sync` and `modules.sse` (docs/protocol/http-api.md 13): one loop that syncs at
 * start, after each interval, and with `sse` as soon as a push signal arrives. An unreachable
 * Backbone delays neither the start nor the API; the loop retries.
 */
export const syncModule: Module<Pick<ModulesConfig, 'sync' | 'sse'>> = (
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
