import { hashPeerAddress } from '../../../../core/domain/left-peer';
import { leaveRelationship } from '../../../../core/domain/relationship/relationship-decomposition';
import { reserveTransmitCounter } from '../../../../core/domain/relationship/transmit-counter';
import type { AuditLogEntry } from '../../../../core/model/record/relationship';
import type { InboxEvent } from '../../../../core/model/record/sync';
import { newEvent } from '../../../support/records';
import { id, RelationshipBench } from './relationship-bench';

let bench: RelationshipBench;
beforeEach(async () => {
	bench = await RelationshipBench.open();
});
afterEach(() => bench.close());

const leave = (auditLog?: readonly AuditLogEntry[]) =>
	bench.store.transact((tx) => leaveRelationship(tx, id, bench.context, auditLog));

const addEvents = (...events: ReadonlyArray<Partial<InboxEvent>>): Promise<void> =>
	bench.store.transact(async (tx) => {
		for (const [index, parts] of events.entries()) {
			const event: InboxEvent = {
				...{ id: `SYI${index}`, runId: 'SYR1', type: 'RelationshipStatusChanged', index },
				...{ createdAt: bench.now, state: 'pending', attempts: 1, payload: {}, ...parts },
			};
			await tx.inbox.insert(event, undefined);
		}
	});

const events = async (): Promise<InboxEvent[]> => {
	const all = (await bench.store.read((tx) => tx.inbox.list())).map(({ record }) => record);
	return all.filter(({ runId }) => runId === 'SYR1').sort((a, b) => a.index - b.index);
};

const lastFailure = { code: 'error.some', message: 'It failed.' };
const notBefore = '2030-01-01T01:00:00.000Z';
const failed = { lastFailure, notBefore };

describe('the end of a relationship by its decomposition', () => {
	it('removes it with its counter, and is published', async () => {
		await bench.add();
		const reserve = () =>
			bench.store.transact((tx) => reserveTransmitCounter(tx, id, bench.context));
		const first = await reserve();
		expect(await reserve()).toBe(first + 1);
		await bench.store.transact((tx) =>
			tx.outbox.append(newEvent({ secret: 1 }, { subject: id, peer: bench.peer.address })),
		);
		await leave();
		expect(await bench.record()).toBeUndefined();
		expect(await reserve()).toBe(first);
		expect(bench.notified).toEqual(['relationshipDecomposed REL1']);
		const published = await bench.store.read((tx) => tx.outbox.readAfter(0, 10));
		expect(published.map(({ data }) => data)).toEqual([{}, { relationshipId: id }]);
		expect(published[1]).toMatchObject({
			name: 'transport.relationshipDecomposedBySelf',
			createdAt: bench.now,
			subject: id,
		});
	});

	it('changes nothing if it is gone already', async () => {
		await addEvents({ type: 'MessageReceived' });
		await leave();
		expect(await bench.published()).toEqual([]);
		expect(bench.notified).toEqual([]);
		expect(await events()).toMatchObject([{ state: 'pending' }]);
	});

	it.each([
		['the answer of the Backbone', [7, 9], [3], '2030-01-01T00:09:00.000Z'],
		['the stored audit log', undefined, [3, 5], '2030-01-01T00:05:00.000Z'],
		['the creation', undefined, [], '2029-12-01T00:00:00.000Z'],
	] as const)('has the time of %s', async (_source, answered, stored, leftAt) => {
		const entries = (minutes: readonly number[]) =>
			minutes.map((minute) => bench.entry('us', 'Decomposition', minute));
		await bench.add({ auditLog: entries(stored) });
		await leave(answered === undefined ? undefined : entries(answered));
		const rows = await bench.store.read((tx) => tx.inbox.list());
		expect(rows.map(({ record }) => record.payload)).toEqual([{ leftAt }]);
	});
});

describe('an external event that waits during a decomposition', () => {
	it.each(['pending', 'parked'] as const)(
		'is done if it is about the relationship and %s',
		async (state) => {
			await bench.add();
			await addEvents({ payload: { relationshipId: id, other: 1 }, state, ...failed });
			await leave();
			const [event] = await events();
			expect(event).toMatchObject({ state: 'done', payload: {} });
			expect(event).not.toHaveProperty('lastFailure');
			expect(event).not.toHaveProperty('notBefore');
		},
	);

	it('is left alone if it is about another relationship, or done', async () => {
		await bench.add();
		await addEvents(
			{ payload: { relationshipId: 'REL2' }, ...failed },
			{ payload: { relationshipId: id }, state: 'done' },
			{ payload: { messageId: 'MSG1' }, type: 'MessageReceived', state: 'done' },
		);
		const before = await events();
		await leave();
		expect(await events()).toEqual(before);
	});

	it('is marked with the peer and tried at once if it is about a message', async () => {
		await bench.add();
		const message = { type: 'MessageReceived', payload: { messageId: 'MSG1' } };
		const left = hashPeerAddress(bench.peer.address);
		await addEvents(
			{ ...message, ...failed },
			{ ...message, state: 'parked', ...failed },
			{ ...message, leftPeers: ['other', left] },
		);
		await leave();
		const after = await events();
		expect(after).toMatchObject([
			{ state: 'pending', leftPeers: [left], payload: message.payload },
			{ state: 'pending', leftPeers: [left] },
			{ state: 'pending', leftPeers: ['other', left] },
		]);
		for (const event of after) {
			expect(event).not.toHaveProperty('lastFailure');
			expect(event).not.toHaveProperty('notBefore');
		}
	});

	it('has its published failure erased if it was parked', async () => {
		await bench.add();
		await addEvents(
			{ payload: { relationshipId: id }, state: 'parked' },
			{ payload: { relationshipId: id } },
			{ type: 'MessageReceived', state: 'parked' },
		);
		await bench.store.transact(async (tx) => {
			for (const subject of ['SYI0', 'SYI1', 'SYI2']) {
				await tx.outbox.append(newEvent({ subject }, { subject }));
			}
		});
		await leave();
		const published = await bench.store.read((tx) => tx.outbox.readAfter(0, 3));
		expect(published.map(({ data }) => data)).toEqual([{}, { subject: 'SYI1' }, {}]);
	});
});
