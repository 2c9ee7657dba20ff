import { sleep } from '../../base/abort';
import { codeOf } from '../../base/errors';
import { isoInstant, systemClock } from '../../base/clock';
import type { ModulesConfig } from '../config/modules-config';
import type { Module, ModuleDependencies } from './module';

const dayMs = 24 * 3_600_000;
const hourMs = 3_600_000;

/** Removes the rows of the audit whose time is over, at the start and every hour. */
export const auditRetention: Module<Pick<ModulesConfig['audit'], 'retentionDays'>> = (
	context,
	{ retentionDays },
) => {
	const stop = new AbortController();
	const signal = AbortSignal.any([context.signal, stop.signal]);
	const done = keepRemoving({ ...context, signal }, retentionDays * dayMs);
	return {
		close: async () => {
			stop.abort();
			await done;
		},
	};
};

async function keepRemoving(
	{ facade, logger, signal }: ModuleDependencies,
	keptMs: number,
): Promise<void> {
	while (!signal.aborted) {
		try {
			const olderThan = isoInstant(systemClock.now() - keptMs);
			while ((await facade.audit.prune(olderThan, { signal })) > 0) signal.throwIfAborted();
		} catch (error) {
			if (signal.aborted) return;
			logger.error('rows of the audit were not removed', {
				code: codeOf(error),
				reason: String(error),
			});
		}
		await sleep(hourMs, { signal, background: true }).catch(() => undefined);
	}
}
