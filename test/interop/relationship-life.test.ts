import type { Gateway, RelationshipDto } from '../../core';
import { inOneHour, mailTo, TestNetwork } from '../support/gateways';
import { Peer, type Generation } from '../support/peer';
import {
	arbitraryCreation,
	arbitraryTemplate,
	ask,
	give,
	onboarding,
	referenceOf,
} from './contents';

jest.setTimeout(120_000);

/* docs/protocol/transport.md 6.2, 6.4: each operation, by us and by the official runtime. */

type Operation =
	'terminate' | `${'request' | 'accept' | 'reject' | 'revoke'}Reactivation` | 'decompose';

/** The same operations as the official runtime names them. */
const official: Record<Operation, string> = {
	terminate: 'terminateRelationship',
	requestReactivation: 'requestRelationshipReactivation',
	acceptReactivation: 'acceptRelationshipReactivation',
	rejectReactivation: 'rejectRelationshipReactivation',
	revokeReactivation: 'revokeRelationshipReactivation',
	decompose: 'decomposeRelationship',
};

const results: Record<Operation, { status: RelationshipDto['status']; reason: string }> = {
	terminate: { status: 'Terminated', reason: 'Termination' },
	requestReactivation: { status: 'Terminated', reason: 'ReactivationRequested' },
	acceptReactivation: { status: 'Active', reason: 'AcceptanceOfReactivation' },
	rejectReactivation: { status: 'Terminated', reason: 'RejectionOfReactivation' },
	revokeReactivation: { status: 'Terminated', reason: 'RevocationOfReactivation' },
	decompose: { status: 'DeletionProposed', reason: 'Decomposition' },
};

type Actor = 'we' | 'peer';
type Step = readonly [Actor, Operation];

const other = (actor: Actor): Actor => (actor === 'we' ? 'peer' : 'we');

/** From active through every operation to decomposed; the second line swaps the roles. */
const life = (first: Actor): Step[] => [
	[first, 'terminate'],
	[first, 'requestReactivation'],
	[first, 'revokeReactivation'],
	[other(first), 'requestReactivation'],
	[first, 'rejectReactivation'],
	[first, 'requestReactivation'],
	[other(first), 'acceptReactivation'],
	[first, 'terminate'],
	[first, 'decompose'],
];

describe.each<[Generation, 6 | 7]>([
	[6, 6],
	[7, 7],
])('our gateway and the official runtime %d on a Backbone %d', (generation, majorVersion) => {
	let network: TestNetwork;
	let peer: Peer;
	let gateway: Gateway;
	let address: string;
	let id: string;
	beforeAll(async () => {
		network = await TestNetwork.open({ majorVersion });
		peer = await Peer.start(generation, { baseUrl: network.backbone.baseUrl });
	});
	afterAll(async () => {
		await peer.stop();
		await network.close();
	});
	beforeEach(async () => {
		gateway = await network.gateway();
		({ address } = await gateway.account.getIdentity());
	});

	/** An active relationship from a template of ours, or of the peer. */
	async function relate(templator: Actor): Promise<void> {
		if (templator === 'we') {
			const content = arbitraryTemplate(1);
			const template = await gateway.templates.create({ expiresAt: inOneHour(), content });
			const loaded = await peer.loadTemplate(template.truncatedReference);
			({ id } = await peer.createRelationship(loaded.id, 1));
			await gateway.account.sync();
			await gateway.relationships.accept(id);
			await peer.sync();
			return;
		}
		const template = await peer.createTemplate(arbitraryTemplate(1));
		const reference = referenceOf(template).truncated;
		const { id: templateId } = await gateway.templates.loadPeer({ reference });
		const creationContent = arbitraryCreation(1);
		({ id } = await gateway.relationships.create({ templateId, creationContent }));
		await peer.sync();
		await peer.acceptRelationship(id);
		await gateway.account.sync();
	}

	const act = (actor: Actor, operation: Operation): Promise<unknown> =>
		actor === 'we'
			? gateway.relationships[operation](id)
			: peer.call('transport.relationships', official[operation], { relationshipId: id });

	const syncOf = async (actor: Actor): Promise<void> => {
		if (actor === 'peer') return await peer.sync();
		expect((await gateway.account.sync()).pendingFailures).toEqual([]);
	};

	type Shown = Pick<RelationshipDto, 'status' | 'auditLog'>;
	const shownTo = async (actor: Actor): Promise<Shown | undefined> =>
		actor === 'we'
			? (await gateway.relationships.list()).find((one) => one.id === id)
			: ((await peer.relationships()).find((one) => one.id === id) as Shown | undefined);

	it.each<Actor>(['we', 'peer'])(
		'see the same after every operation, when %s begin',
		async (first) => {
			await relate(first);
			for (const [actor, operation] of life(first)) {
				await act(actor, operation);
				await syncOf(other(actor));
				const shown = await shownTo(other(actor));
				const { status, reason } = results[operation];
				expect(shown?.status).toBe(status);
				expect(shown?.auditLog.at(-1)?.reason).toBe(reason);
				if (operation === 'decompose') expect(await shownTo(actor)).toBeUndefined();
				else expect(await shownTo(actor)).toMatchObject({ status, auditLog: shown?.auditLog });
			}
			await act(other(first), 'decompose');
			expect(await shownTo(other(first))).toBeUndefined();
			// Both have left: they can begin anew, and be read.
			const former = id;
			await relate(other(first));
			expect(id).not.toBe(former);
			await gateway.messages.send(mailTo(peer.address, 'Anew'));
			await peer.sync();
			expect(await peer.messages({ createdBy: address })).toMatchObject([
				{ content: { subject: 'Anew' } },
			]);
		},
	);

	it('hear the same events, each side of its own and the other’s steps', async () => {
		await relate('we');
		const since = peer.events.length;
		const [last] = await gateway.events.recent({}, 1);
		const steps = life('we').slice(0, -1);
		for (const [actor, operation] of steps) {
			await act(actor, operation);
			await syncOf(other(actor));
		}
		const newest = await gateway.events.recent({}, 100);
		const ours = newest
			.filter(({ sequence }) => sequence > (last?.sequence ?? 0))
			.map(({ event }) => event);
		await act('we', 'decompose');
		await syncOf('peer');
		const theirs = peer.events
			.slice(since)
			.map(({ namespace }) => namespace)
			.filter((name) => name.startsWith('transport.relationship'));
		const changed = 'transport.relationshipChanged';
		const requested = 'transport.relationshipReactivationRequested';
		const completed = 'transport.relationshipReactivationCompleted';
		// Who acts is told of the change first, who hears of it last.
		expect(ours).toEqual([
			...[changed, changed, requested, changed, completed],
			...[requested, changed, changed, completed, changed, requested],
			...[completed, changed, changed],
		]);
		const [decomposed] = await gateway.events.recent({}, 1);
		expect(decomposed?.event).toBe('transport.relationshipDecomposedBySelf');
		expect(theirs).toEqual([
			...[changed, requested, changed, completed, changed],
			...[changed, requested, completed, changed, requested, changed],
			...[changed, completed, changed, changed],
		]);
	});

	it('know of a deletion that the peer announces and cancels', async () => {
		await relate('peer');
		const deletions = 'transport.identityDeletionProcesses';
		await peer.call(deletions, 'initiateIdentityDeletionProcess', {});
		await syncOf('we');
		const announced = await gateway.relationships.get(id);
		expect(announced.peerDeletionInfo?.deletionStatus).toBe('ToBeDeleted');
		await expect(gateway.messages.send(mailTo(peer.address))).rejects.toMatchObject({
			code: 'error.runtime.messages.peerIsInDeletion',
		});
		await peer.call(deletions, 'cancelIdentityDeletionProcess');
		await syncOf('we');
		expect(await gateway.relationships.get(id)).not.toHaveProperty('peerDeletionInfo');
		const news = await gateway.events.recent({}, 2);
		expect(news.map(({ event }) => event)).toEqual([
			'transport.peerToBeDeleted',
			'transport.peerDeletionCancelled',
		]);
	});

	it('let go of what the peer had shared', async () => {
		const template = await gateway.templates.create({
			expiresAt: inOneHour(),
			content: onboarding(ask('GivenName')),
		});
		const request = await peer.receiveRequest(template.truncatedReference);
		await peer.acceptRequest(request.id, [give(peer.address, 'GivenName', `Ada ${address}`)]);
		({ id } = await peer.relationshipWith(address));
		await syncOf('we');
		await gateway.relationships.accept(id);
		await syncOf('peer');
		await act('peer', 'terminate');
		await act('peer', 'decompose');
		await syncOf('we');
		const deletionDate = (await gateway.relationships.get(id)).auditLog.at(-1)?.createdAt;
		expect(await gateway.relationships.peerAttributes(id)).toMatchObject([
			{ deletionInfo: { deletionStatus: 'DeletedByOwner', deletionDate } },
		]);
		await act('we', 'decompose');
		expect(await gateway.attributes.list()).toEqual([]);
		expect(await gateway.outgoingRequests.list()).toEqual([]);
	});

	it('refuse what the other has made impossible, with the same codes', async () => {
		await relate('we');
		const codesOf = async (operation: Operation): Promise<unknown[]> => {
			const codes = [];
			for (const actor of ['we', 'peer'] as const) {
				const error: unknown = await act(actor, operation).catch((failure: unknown) => failure);
				codes.push((error as { code?: string }).code);
			}
			return codes;
		};
		const wrongStatus = 'error.transport.relationships.wrongRelationshipStatus';
		for (const operation of ['decompose', 'requestReactivation', 'acceptReactivation'] as const) {
			expect(await codesOf(operation)).toEqual([wrongStatus, wrongStatus]);
		}
		await act('we', 'terminate');
		await syncOf('peer');
		const notRequested = 'error.transport.relationships.reactivationNotRequested';
		expect(await codesOf('terminate')).toEqual([wrongStatus, wrongStatus]);
		for (const operation of ['accept', 'reject', 'revoke'] as const) {
			expect(await codesOf(`${operation}Reactivation`)).toEqual([notRequested, notRequested]);
		}
		await act('we', 'requestReactivation');
		await syncOf('peer');
		const already = 'error.transport.relationships.reactivationAlreadyRequested';
		expect(await codesOf('requestReactivation')).toEqual([already, already]);
		const onlyForPeer = 'error.transport.relationships.operationOnlyAllowedForPeer';
		for (const [actor, operation] of [
			['we', 'acceptReactivation'],
			['we', 'rejectReactivation'],
			['peer', 'revokeReactivation'],
		] as const) {
			await expect(act(actor, operation)).rejects.toMatchObject({ code: onlyForPeer });
		}
	});
});
