import { isoInstant, type Clock } from '../base/clock';
import { handledEventsMs } from '../domain/left-peer';
import type { Store } from '../store/store';
import { matching } from '../domain/query/conditions';

const rowsPerSlice = 100;

/**
 * Removes, one slice per call, handled external events, which the Backbone does not offer again,
 * and marks of peers whose relationship was decomposed (docs/adr/0012).
 */
export function inboxRetention(store: Store, clock: Clock): () => Promise<boolean> {
	return async () =>
		await store.transact(async (tx) => {
			const done = await tx.inbox.list({
				where: [
					...matching({ state: 'done' }),
					{ field: 'createdAt', op: 'lt', value: isoInstant(clock.now() - handledEventsMs) },
				],
				orderBy: { field: 'createdAt', direction: 'asc' },
				limit: rowsPerSlice,
			});
			for (const { record } of done) await tx.inbox.delete(record.id);
			return done.length === rowsPerSlice;
		});
}
