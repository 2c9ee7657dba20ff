import type { Gateway, RelationshipDto } from '../../../core';
import { arrivals, relate, SandboxNetwork, settle } from '../../support/gateways';

/* docs/protocol/transport.md 6.2, 14: what both sides have, and are told, after every operation. */

let network: SandboxNetwork;
let a: Gateway;
let b: Gateway;
let id: string;
beforeEach(async () => {
	network = await SandboxNetwork.open();
	a = await network.gateway();
	b = await network.gateway();
	({ relationshipId: id } = await relate(a, b));
});
afterEach(() => network.close());

type Action = Exclude<
	keyof Gateway['relationships'],
	'create' | 'canCreate' | 'get' | 'list' | 'attributes' | 'peerAttributes' | 'decompose'
>;

const changed = 'transport.relationshipChanged';
const requested = 'transport.relationshipReactivationRequested';
const completed = 'transport.relationshipReactivationCompleted';

const eventsOf = async (gateway: Gateway) =>
	(await gateway.events.recent({}, 100)).map(({ event, data }) => ({ event, data }));

/** The events that the work adds to the ones of the gateway. */
async function newEvents(gateway: Gateway, work: () => Promise<unknown>) {
	const before = (await eventsOf(gateway)).length;
	await work();
	return (await eventsOf(gateway)).slice(before);
}

interface Step {
	readonly by: 'a' | 'b';
	readonly action: Action;
	readonly status: RelationshipDto['status'];
	readonly reason: string;
	readonly own: readonly string[];
	readonly peers: readonly string[];
}

const step = (by: 'a' | 'b', action: Action): Step => ({ by, action, ...effects[action] });

const effects: Readonly<Record<Action, Omit<Step, 'by' | 'action'>>> = {
	accept: {
		status: 'Active',
		reason: 'AcceptanceOfCreation',
		own: [changed],
		peers: [changed],
	},
	reject: { status: 'Rejected', reason: 'RejectionOfCreation', own: [changed], peers: [changed] },
	revoke: { status: 'Revoked', reason: 'RevocationOfCreation', own: [changed], peers: [changed] },
	terminate: { status: 'Terminated', reason: 'Termination', own: [changed], peers: [changed] },
	requestReactivation: {
		status: 'Terminated',
		reason: 'ReactivationRequested',
		own: [changed, requested],
		peers: [requested, changed],
	},
	acceptReactivation: {
		status: 'Active',
		reason: 'AcceptanceOfReactivation',
		own: [changed, completed],
		peers: [completed, changed],
	},
	rejectReactivation: {
		status: 'Terminated',
		reason: 'RejectionOfReactivation',
		own: [changed, completed],
		peers: [completed, changed],
	},
	revokeReactivation: {
		status: 'Terminated',
		reason: 'RevocationOfReactivation',
		own: [changed, completed],
		peers: [completed, changed],
	},
};

/** One life after the other; each ends where the relationship can go on. */
const lives: ReadonlyArray<readonly Step[]> = [
	[
		step('a', 'terminate'),
		step('a', 'requestReactivation'),
		step('a', 'revokeReactivation'),
		step('b', 'requestReactivation'),
		step('a', 'rejectReactivation'),
		step('a', 'requestReactivation'),
		step('b', 'acceptReactivation'),
	],
	[
		step('b', 'terminate'),
		step('b', 'requestReactivation'),
		step('b', 'revokeReactivation'),
		step('a', 'requestReactivation'),
		step('b', 'rejectReactivation'),
		step('b', 'requestReactivation'),
		step('a', 'acceptReactivation'),
	],
];

describe('a relationship', () => {
	it.each(lives.map((steps) => [steps[0]?.by, steps] as const))(
		'that is terminated by %s can be reactivated, with the same state and news on both sides',
		async (_, steps) => {
			for (const { by, action, status, reason, own, peers } of steps) {
				const [actor, other] = by === 'a' ? [a, b] : [b, a];
				const { address } = await actor.account.getIdentity();
				let answer: RelationshipDto | undefined;
				const told = await newEvents(actor, async () => {
					answer = await actor.relationships[action](id);
				});
				expect(told.map(({ event }) => event)).toEqual(own);
				const heard = await newEvents(other, () => arrivals(other));
				expect(heard.map(({ event }) => event)).toEqual(peers);
				expect(answer).toMatchObject({ id, status });
				expect(answer?.auditLog.at(-1)).toMatchObject({ reason, createdBy: address });
				const shown = await other.relationships.get(id);
				expect(shown).toMatchObject({ status, auditLog: answer?.auditLog });
				for (const { data } of told) expect(data).toEqual(answer);
				for (const { data } of heard) expect(data).toEqual(shown);
				// Our own actions come back with no news.
				expect(await newEvents(actor, () => arrivals(actor))).toEqual([]);
			}
			expect(await a.relationships.get(id)).toMatchObject({ status: 'Active' });
		},
	);

	it('is terminated once when both sides do it at the same time', async () => {
		await a.relationships.terminate(id);
		await expect(b.relationships.terminate(id)).rejects.toMatchObject({
			code: 'error.transport.relationships.wrongRelationshipStatus',
		});
		expect(await b.relationships.get(id)).toMatchObject({ status: 'Terminated' });
		expect(await newEvents(b, () => arrivals(b))).toEqual([]);
	});

	it.each<[Action, Action[]]>([
		['terminate', []],
		['requestReactivation', ['terminate']],
		['revokeReactivation', ['terminate', 'requestReactivation']],
	])('is told to %s once, although the first answer was lost', async (action, preparation) => {
		for (const first of preparation) await a.relationships[first](id);
		const told = await newEvents(a, async () => {
			network.backbone.faults.add({
				method: 'PUT',
				path: /Relationships/,
				action: { kind: 'cutAfter' },
			});
			await expect(a.relationships[action](id)).rejects.toMatchObject({ kind: 'unavailable' });
			expect(await a.relationships[action](id)).toMatchObject({ status: effects[action].status });
		});
		expect(told.map(({ event }) => event)).toEqual(effects[action].own);
		await settle(b);
		expect((await b.relationships.get(id)).auditLog).toEqual(
			(await a.relationships.get(id)).auditLog,
		);
	});

	it('whose answer was lost is found out by the next sync', async () => {
		network.backbone.faults.add({
			method: 'PUT',
			path: /Terminate/,
			action: { kind: 'cutAfter' },
		});
		await expect(a.relationships.terminate(id)).rejects.toMatchObject({ kind: 'unavailable' });
		const told = await newEvents(a, () => arrivals(a));
		expect(told.map(({ event }) => event)).toEqual([changed]);
		expect(await a.relationships.get(id)).toMatchObject({ status: 'Terminated' });
	});

	it('that is reactivated lets mail pass again, also what was sent before it', async () => {
		const { address } = await a.account.getIdentity();
		await a.relationships.terminate(id);
		const mail = { '@type': 'Mail' as const, to: [address], subject: 'In between', body: 'x' };
		// The termination has not reached the other side yet.
		await b.messages.send({ recipients: [address], content: mail });
		expect((await arrivals(a)).messages).toEqual([]);
		await settle(b);
		await expect(b.messages.send({ recipients: [address], content: mail })).rejects.toMatchObject({
			code: 'error.transport.messages.missingOrInactiveRelationship',
		});
		await b.relationships.requestReactivation(id);
		await settle(a);
		await a.relationships.acceptReactivation(id);
		expect((await arrivals(a)).messages).toMatchObject([{ content: mail }]);
	});
});

describe('the peer of a relationship', () => {
	const identityOf = async (gateway: Gateway) => {
		const { address } = await gateway.account.getIdentity();
		const identity = network.backbone.state.identities.get(address);
		if (identity === undefined) throw new Error('The sandbox does not know the identity');
		return identity;
	};

	it('can announce its end, think better of it, and go in the end', async () => {
		const { deletions } = network.backbone;
		const identity = await identityOf(b);
		const announced = deletions.start(identity, { device: 'DVC1' });
		const [first] = await newEvents(a, () => arrivals(a));
		expect(first?.event).toBe('transport.peerToBeDeleted');
		expect(first?.data).toMatchObject({
			id,
			status: 'Active',
			peerDeletionInfo: {
				deletionStatus: 'ToBeDeleted',
				deletionDate: announced.gracePeriodEndsAt,
			},
		});
		deletions.cancel(identity, announced, { device: 'DVC1' });
		const [second] = await newEvents(a, () => arrivals(a));
		expect(second?.event).toBe('transport.peerDeletionCancelled');
		expect(second?.data).not.toHaveProperty('peerDeletionInfo');
		deletions.start(identity, { device: 'DVC1' }, 0);
		const [third] = await newEvents(a, () => arrivals(a));
		expect(third?.event).toBe('transport.peerToBeDeleted');
		deletions.runJob();
		const last = await newEvents(a, () => arrivals(a));
		// The Backbone brings events of different kinds in any order.
		expect(last.map(({ event }) => event).sort()).toEqual(['transport.peerDeleted', changed]);
		const { address } = identity;
		expect(await a.relationships.get(id)).toMatchObject({
			peer: address,
			status: 'DeletionProposed',
			peerDeletionInfo: { deletionStatus: 'Deleted' },
		});
		const reasons = (await a.relationships.get(id)).auditLog.map(({ reason }) => reason);
		expect(reasons.at(-1)).toBe('DecompositionDueToIdentityDeletion');
		await a.relationships.decompose(id);
		expect(await a.relationships.list()).toEqual([]);
	});
});
