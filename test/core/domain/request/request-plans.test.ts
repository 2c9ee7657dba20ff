import { loosely } from '../../../support/loosely';
import type { RequestRecord } from '../../../../core/model/record/request';
import { expireDue } from '../../../../core/domain/request/request-expiry';
import type { Query, RequestField, Store } from '../../../../core/store/store';
import { costly, openPlannedStore, type PlannedStore } from '../../../support/query-plans';
import {
	attributeId,
	givenName,
	now,
	outgoingRequestsOf,
	people,
	requestId,
} from './consumption-fixtures';

/*
 * With ten thousand requests nothing may look at all of them, unless it is asked for all of them. What
 * lists can be asked for: `list-plans`.
 */

const count = 10_000;

function requestAt(index: number): RequestRecord {
	const isOwn = index % 2 === 0;
	const item = { '@type': 'AuthenticationRequestItem', mustBeAccepted: true };
	return {
		id: requestId(String(index)),
		isOwn,
		peer: `${people.B}${index % 100}`,
		createdAt: new Date(Date.parse(now) + index).toISOString(),
		status: index % 50 === 0 ? 'Open' : 'Completed',
		content: { '@type': 'Request', expiresAt: '2099-01-01T00:00:00.000Z', items: [loosely(item)] },
		source: { type: 'Message', reference: `MSG${index}` },
		statusLog: [],
	};
}

async function fill(store: Store): Promise<void> {
	await store.transact(async (tx) => {
		for (let index = 0; index < count; index++) {
			await tx.requests.insert(requestAt(index), undefined);
		}
	});
}

let planned: PlannedStore;
beforeAll(async () => {
	planned = await openPlannedStore();
	await fill(planned.store);
});
afterAll(() => planned.store.close());

const list = (query: Query<RequestField>) => () =>
	planned.store.read((tx) => tx.requests.list(query));

async function expectSearches(work: () => Promise<unknown>): Promise<void> {
	const plans = await planned.plansOf(work);
	expect(plans.length).toBeGreaterThan(0);
	// Other tables have a few rows.
	expect(costly(plans).filter((step) => /requests|TEMP/.test(step))).toEqual([]);
}

describe('ten thousand requests', () => {
	it('are searched by an index for what is left to do', async () => {
		const open = ['automation', 'delivery'];
		await expectSearches(list({ where: [{ field: 'pending', op: 'in', value: open }] }));
	});

	it('are searched by an index for those that expire', async () => {
		await expectSearches(() => planned.store.transact((tx) => expireDue(tx, now)));
	});

	it('do not slow down the question whether a sync has work', async () => {
		await expectSearches(() => planned.store.read((tx) => tx.syncOverview()));
	});

	it.each([
		['of a template', { field: 'sourceReference', op: 'eq', value: 'RLT1' }],
		['of a peer', { field: 'peer', op: 'eq', value: people.B }],
	] as const)('are searched by an index for those %s', async (_what, condition) => {
		const isOwn = { field: 'isOwn', op: 'eq', value: false } as const;
		const status = { field: 'status', op: 'ne', value: 'Completed' } as const;
		await expectSearches(list({ where: [condition, isOwn, status], limit: 1 }));
	});

	it('show the answers of many at the cost of those of one', async () => {
		const requests = answeredRequests();
		await planned.store.transact(async (tx) => {
			for (const request of requests) await tx.requests.insert(request, undefined);
			const content = givenName('Ada', people.B);
			await tx.attributes.insert({ id: known, createdAt: now, content }, undefined);
		});
		const ids = requests.map(({ id }) => id);
		let answers = {};
		const reads = await planned.readsOf(async () => {
			answers = await outgoingRequestsOf(planned.store).answersOfAll([
				...ids,
				requestId('unknown'),
			]);
		});
		expect(answers).toEqual(Object.fromEntries(ids.map((id) => [id, { GivenName: 'Ada' }])));
		expect(reads).toBe(2);
	});
});

const known = attributeId('known');

/** Each refers to an attribute that was shared before. */
function answeredRequests(): RequestRecord[] {
	const query = { '@type': 'IdentityAttributeQuery', valueType: 'GivenName' };
	const item = { '@type': 'ReadAttributeRequestItem', mustBeAccepted: true, query };
	const answer = {
		'@type': 'AttributeAlreadySharedAcceptResponseItem',
		result: 'Accepted',
		attributeId: known,
	};
	return Array.from({ length: 50 }, (_, index): RequestRecord => {
		const id = requestId(`answered${index}`);
		const content = { '@type': 'Response', result: 'Accepted', requestId: id, items: [answer] };
		return {
			...requestAt(0),
			id,
			content: { '@type': 'Request', items: [loosely(item)] },
			response: { createdAt: now, content: loosely(content) },
		};
	});
}
