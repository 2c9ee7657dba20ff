import type { Query } from '../../../core/store/store';
import type { MessageField } from '../../../core/store/collections/fields';
import { costly, openPlannedStore, type PlannedStore } from '../../support/query-plans';
import { messageRecord, messageSecrets, peerAddress } from '../../support/records';

/* What receiving a message and a wait for a reply ask for is found by an index. */

let planned: PlannedStore;
beforeAll(async () => {
	planned = await openPlannedStore();
	await planned.store.transact((tx) => tx.messages.insert(messageRecord('MSG1'), messageSecrets));
});
afterAll(() => planned.store.close());

const fromPeer = { field: 'createdBy', op: 'eq', value: peerAddress } as const;

it.each<[string, Query<MessageField>]>([
	[
		'a message by its identity',
		{ where: [{ field: 'identity', op: 'in', value: ['text', 'key'] }], limit: 1 },
	],
	[
		'the newest message of a peer',
		{ where: [fromPeer], orderBy: { field: 'inserted', direction: 'desc' }, limit: 1 },
	],
	[
		'the replies after a message',
		{
			where: [
				fromPeer,
				{ field: 'contentType', op: 'eq', value: 'Mail' },
				{ field: 'createdAt', op: 'gt', value: '2030-01-01T00:00:00.000Z' },
			],
			limit: 20,
			after: 'MSG1',
		},
	],
])('%s is found by an index', async (_what, query) => {
	const plans = await planned.plansOf(() => planned.store.read((tx) => tx.messages.list(query)));
	expect(plans).not.toEqual([]);
	expect(costly(plans)).toEqual([]);
	expect(plans.join('\n')).toMatch(/SEARCH \S+ USING (COVERING INDEX|INDEX|PRIMARY KEY)/);
});
