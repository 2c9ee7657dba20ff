import type { Cancellable } from '../../base/abort';
import { isoInstant } from '../../base/clock';
import type { InboxEvent } from '../../model/record/sync';
import { foundEvent, type Compared } from './found-events';
import { matching } from '../../domain/query/conditions';
import type { Needs } from '../../domain/needs';

const groupSize = 100;

/**
 * Finds own templates without remaining allocations. The Backbone does not disclose its count of
 * allocations, so only allocations that led to a relationship are counted
 * (docs/protocol/backbone-api.md 13).
 */
export async function compareTemplates(
	{ store, clock }: Needs<'store' | 'clock'>,
	position: number,
	options: Cancellable,
): Promise<Compared> {
	return await store.read(async (tx) => {
		const { entries, position: next } = await tx.templates.scan(position, groupSize);
		const limited = entries
			.map(({ record }) => record)
			.filter(
				(one) => one.isOwn && one.maxNumberOfAllocations !== undefined && !one.allocationsExhausted,
			);
		const found: InboxEvent[] = [];
		for (const { id, maxNumberOfAllocations = 0 } of limited) {
			const where = matching({ templateId: id, createdByUs: false });
			if ((await tx.relationships.count({ where })) < maxNumberOfAllocations) continue;
			const payload = { relationshipTemplateId: id };
			const now = isoInstant(clock.now());
			found.push(foundEvent('RelationshipTemplateAllocationsExhausted', payload, id, now));
		}
		const isEnd = entries.length < groupSize;
		return { compared: limited.length, found, ...(isEnd ? {} : { next }) };
	}, options);
}
