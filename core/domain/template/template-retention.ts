import { isoInstant, type Clock } from '../../base/clock';
import type { Store, WriteTransaction } from '../../store/store';
import { matching } from '../query/conditions';

const templatesPerSlice = 100;

/**
 * Removes deleted templates that have expired and from which no relationship can arrive any more,
 * one slice per call.
 *
 * @returns true when there may be more
 */
export function templateRetention(store: Store, clock: Clock): () => Promise<boolean> {
	let awaited = 0;
	return async () => {
		const seen = await store.transact(async (tx) => {
			const slice = await tx.templates.list({
				where: [
					{ field: 'deletedAt', op: 'exists' },
					{ field: 'expiresAt', op: 'lt', value: isoInstant(clock.now()) },
				],
				orderBy: { field: 'deletedAt', direction: 'asc' },
				limit: templatesPerSlice,
				offset: awaited,
			});
			let kept = 0;
			for (const { record } of slice) {
				if (await isAwaited(tx, record.id)) kept++;
				else await tx.templates.delete(record.id);
			}
			return { all: slice.length, kept };
		});
		const hasMore = seen.all === templatesPerSlice;
		awaited = hasMore ? awaited + seen.kept : 0;
		return hasMore;
	};
}

/**
 * True when this account has begun to create a relationship from the template and its outcome is
 * unknown.
 */
export async function isAwaited(tx: WriteTransaction, templateId: string): Promise<boolean> {
	const creation = await tx.relationshipIntents.first({ where: matching({ templateId }) });
	return creation !== undefined;
}
