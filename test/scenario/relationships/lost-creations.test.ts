import { ownText } from '../../../core/model/json';
import type { Gateway, GatewayDependencies } from '../../../core';
import { HttpBackbone } from '../../../core/backbone/http/http-backbone';
import { partsOf } from '../../../core/gateway/gateway-parts';
import type { InboxEvent } from '../../../core/model/record/sync';
import { TestClock } from '../../support/clock';
import { arrivals, inOneHour, SandboxNetwork, settle } from '../../support/gateways';
import { until } from '../../support/until';
import { watchBackbone } from '../../support/backbone/watched-backbone';

/*
 * docs/protocol/crypto-and-identity.md 11: what a creation was sealed with is known to us alone, and a
 * creation whose answer is lost comes back only with the answer of the peer.
 */
const dayMs = 24 * 3_600_000;
const notYet = 'error.transport.relationships.relationshipNotYetDecomposedByPeer';

let network: SandboxNetwork;
let owner: Gateway;
let requestor: Gateway;
let templateId: string;
let clock: TestClock;

beforeEach(async () => {
	network = await SandboxNetwork.open();
	clock = new TestClock(Date.now());
	owner = await network.gateway();
	requestor = await openRequestor();
	const { truncatedReference: reference } = await owner.templates.create({
		expiresAt: inOneHour(),
		content: { '@type': 'ArbitraryRelationshipTemplateContent', value: 1 },
	});
	({ id: templateId } = await requestor.templates.loadPeer({ reference }));
});
afterEach(() => network.close());

const openRequestor = (more: GatewayDependencies = {}): Promise<Gateway> =>
	network.gateway(network.config(), { clock, ...more });

const contentOf = (value: string) => ({
	'@type': 'ArbitraryRelationshipCreationContent' as const,
	value,
});
const create = (value = 'Hello') =>
	requestor.relationships.create({ templateId, creationContent: contentOf(value) });

const lose = (kind: 'cutBefore' | 'cutAfter', nth?: number): void =>
	void network.backbone.faults.add({
		method: 'POST',
		path: /Relationships$/,
		...(nth === undefined ? {} : { nth }),
		action: { kind },
	});
const stored = (name: 'relationshipIntents' | 'templates'): Promise<number> =>
	partsOf(requestor).store.read((tx) => tx[name].count());

async function isPostponed(): Promise<boolean> {
	const work = await partsOf(requestor).store.read((tx) => tx.work.get(templateId));
	return Date.parse(work?.record.dueAt ?? '') > clock.now();
}

/** Lets the loop run once, for its housekeeping. */
async function keepHouse(done: () => Promise<boolean>): Promise<void> {
	const onProblem = (): void => undefined;
	const { release } = requestor.events.keepSynced({ intervalMs: 60_000, push: false, onProblem });
	await until(done);
	release();
}

async function acceptAtOwner(): Promise<void> {
	for (const { id, status } of (await arrivals(owner)).relationships) {
		if (status === 'Pending') await owner.relationships.accept(id);
	}
}

describe('a creation that the Backbone refuses', () => {
	const refuse = (): void =>
		void network.backbone.faults.add({
			method: 'POST',
			path: /Relationships$/,
			action: {
				kind: 'status',
				status: 400,
				body: { error: { code: 'error.platform.validation.anything', message: 'No.' } },
			},
		});

	it('leaves nothing behind', async () => {
		refuse();
		await expect(create()).rejects.toMatchObject({ code: 'error.platform.validation.anything' });
		expect(await stored('relationshipIntents')).toBe(0);
		await requestor.templates.delete(templateId);
		expect(await stored('templates')).toBe(0);
	});

	it('does not take with it the creation that is on its way', async () => {
		const waiting: Array<() => void> = [];
		const both = async (name: string, call: () => Promise<unknown>): Promise<unknown> => {
			if (name !== 'relationships.create') return await call();
			// Both have asked whether they may, before one of them does.
			await new Promise<void>((resolve) => {
				waiting.push(resolve);
				if (waiting.length === 2) for (const go of waiting) go();
			});
			return await call();
		};
		const { truncatedReference: reference } = await owner.templates.create({
			expiresAt: inOneHour(),
			content: { '@type': 'ArbitraryRelationshipTemplateContent', value: 1 },
		});
		requestor = await openRequestor({
			openBackbone: (config) => watchBackbone(HttpBackbone.open(config), both),
		});
		({ id: templateId } = await requestor.templates.loadPeer({ reference }));
		lose('cutAfter', 1);
		const results = await Promise.allSettled([create('one'), create('two')]);
		const codes = results.map((result) =>
			result.status === 'rejected' ? (result.reason as { code: string }).code : undefined,
		);
		expect(codes).toEqual(
			expect.arrayContaining([
				'error.transport.request.unknown',
				'error.platform.validation.relationship.relationshipToTargetAlreadyExists',
			]),
		);
		await acceptAtOwner();
		const { relationships, pendingFailures } = await arrivals(requestor);
		expect(pendingFailures).toEqual([]);
		const [seenByOwner] = await owner.relationships.list();
		expect(relationships).toMatchObject([
			{ status: 'Active', creationContent: seenByOwner?.creationContent },
		]);
		expect(await stored('relationshipIntents')).toBe(0);
	});
});

describe('a creation whose answer is lost', () => {
	it('and that was rejected does not get into the way of the next one', async () => {
		lose('cutAfter');
		await expect(create('first')).rejects.toMatchObject({ kind: 'unavailable' });
		const [first] = (await arrivals(owner)).relationships;
		await owner.relationships.reject(first?.id ?? '');
		const second = await create('second');
		await acceptAtOwner();
		expect((await arrivals(requestor)).pendingFailures).toEqual([]);
		const known = await requestor.relationships.list();
		expect(known.map(({ id, status }) => [id, status]).sort()).toEqual(
			[
				[first?.id, 'Rejected'],
				[second.id, 'Active'],
			].sort(),
		);
		const contents = known.map(({ creationContent }) => ownText(creationContent, 'value')).sort();
		expect(contents).toEqual(['first', 'second']);
		expect(await stored('relationshipIntents')).toBe(0);
	});

	it('is named as the reason when another one is refused', async () => {
		lose('cutAfter');
		await expect(create()).rejects.toMatchObject({ kind: 'unavailable' });
		await expect(create()).rejects.toMatchObject({
			code: notYet,
			message: expect.stringContaining('answer was lost') as string,
		});
		expect(await stored('relationshipIntents')).toBe(1);
	});

	it('is forgotten, with its template, once it is sure that it never arrived', async () => {
		lose('cutBefore');
		await expect(create()).rejects.toMatchObject({ kind: 'unavailable' });
		await requestor.templates.delete(templateId);
		expect(await stored('templates')).toBe(1);
		clock.advance(dayMs);
		await keepHouse(async () => (await stored('relationshipIntents')) === 0);
		expect(await stored('templates')).toBe(0);
	});

	it('is not forgotten while a received event waits, and asked about again within an hour', async () => {
		lose('cutBefore');
		await expect(create()).rejects.toMatchObject({ kind: 'unavailable' });
		const { store } = partsOf(requestor);
		const event: InboxEvent = {
			...{ id: 'SYI1', runId: 'SYR1', type: 'Any', index: 0, payload: {} },
			...{ state: 'pending', attempts: 1, createdAt: new Date(clock.now()).toISOString() },
			notBefore: new Date(clock.now() + 3 * dayMs).toISOString(),
		};
		await store.transact((tx) => tx.inbox.insert(event, undefined));
		clock.advance(dayMs);
		await settle(requestor);
		expect(await stored('relationshipIntents')).toBe(1);
		await store.transact((tx) => tx.inbox.delete('SYI1'));
		clock.advance(3_600_000);
		await settle(requestor);
		expect(await stored('relationshipIntents')).toBe(0);
	});

	it('is kept for as long as the peer may answer it, and asked about once a day', async () => {
		lose('cutAfter');
		await expect(create()).rejects.toMatchObject({ kind: 'unavailable' });
		await requestor.templates.delete(templateId);
		network.backbone.calls.clear();
		const asked = (): number => network.backbone.calls.count('GET', /CanCreate/);
		clock.advance(dayMs);
		await keepHouse(() => isPostponed());
		await settle(requestor);
		await settle(requestor);
		expect(asked()).toBe(1);
		await acceptAtOwner();
		expect((await arrivals(requestor)).relationships).toMatchObject([{ status: 'Active' }]);
		expect(await stored('relationshipIntents')).toBe(0);
		expect(await stored('templates')).toBe(0);
	});

	it('is one of a bounded number', async () => {
		network.backbone.faults.add({
			method: 'POST',
			path: /Relationships$/,
			times: 100,
			action: { kind: 'cutBefore' },
		});
		for (let times = 0; times < 22; times++) {
			await expect(create(String(times))).rejects.toMatchObject({ kind: 'unavailable' });
		}
		expect(await stored('relationshipIntents')).toBe(20);
	});
});
