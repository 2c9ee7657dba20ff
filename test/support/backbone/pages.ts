import type { Backbone, ListOptions } from '../../../core/backbone/port/backbone';
import type { WireExternalEvent } from '../../../core/backbone/dto';

/** Reads pages to their end, as one list. */
export async function inOneList<Item>(pages: AsyncIterable<readonly Item[]>): Promise<Item[]> {
	const all: Item[] = [];
	for await (const page of pages) all.push(...page);
	return all;
}

/** Events of a sync run, of all pages. */
export const eventsOf = (
	{ syncRuns }: Pick<Backbone, 'syncRuns'>,
	runId = 'SYR1',
	options?: ListOptions,
): Promise<WireExternalEvent[]> => inOneList(syncRuns.events(runId, options));
