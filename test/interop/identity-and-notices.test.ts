import type { ChallengeDto, Gateway } from '../../core';
import { inOneHour, TestNetwork } from '../support/gateways';
import type { PeerError } from '../support/peer';
import { Peer, type Generation, type PeerObject } from '../support/peer';
import { arbitraryTemplate } from './contents';

jest.setTimeout(120_000);

/* docs/protocol/transport.md 10 to 12: what has no relationship of its own. */
const dayMs = 24 * 3_600_000;
const processes = 'transport.identityDeletionProcesses';

describe.each<[Generation, 6 | 7]>([
	[6, 6],
	[7, 6],
	[7, 7],
])('our gateway and the official runtime %d on a Backbone %d', (generation, majorVersion) => {
	let network: TestNetwork;
	let peer: Peer;
	let gateway: Gateway;
	let relationshipId: string;

	beforeAll(async () => {
		network = await TestNetwork.open({ majorVersion });
		peer = await Peer.start(generation, { baseUrl: network.backbone.baseUrl });
		gateway = await network.gateway();
		const template = await gateway.templates.create({
			expiresAt: inOneHour(),
			content: arbitraryTemplate(1),
		});
		const loaded = await peer.loadTemplate(template.truncatedReference);
		({ id: relationshipId } = await peer.createRelationship(loaded.id, 1));
		await gateway.account.sync();
		await gateway.relationships.accept(relationshipId);
		await peer.sync();
	});

	afterAll(async () => {
		await peer.stop();
		await network.close();
	});

	const wanted = (challengeType: ChallengeDto['type']) => ({
		challengeType,
		...(challengeType === 'Relationship' ? { relationship: relationshipId } : {}),
	});
	const proof = ({ challengeString, signature }: Partial<ChallengeDto>) => ({
		challengeString,
		signature,
	});
	const altered = (challenge: Partial<ChallengeDto>, other: Partial<ChallengeDto>) => ({
		...proof(challenge),
		signature: other.signature,
	});

	it.each(['Identity', 'Relationship'] as const)(
		'prove to each other who they are with a challenge of the type %s',
		async (type) => {
			const [ours, another] = [
				await gateway.challenges.create(wanted(type)),
				await gateway.challenges.create(wanted(type)),
			];
			const byPeer = (input: object) =>
				peer.call<PeerObject>('transport.challenges', 'validateChallenge', input);
			expect(await byPeer(proof(ours))).toMatchObject({
				isValid: true,
				correspondingRelationship: { id: relationshipId },
			});
			expect(await byPeer(altered(ours, another))).toMatchObject({ isValid: false });

			const create = () =>
				peer.call<PeerObject>('transport.challenges', 'createChallenge', wanted(type));
			const [theirs, other] = [await create(), await create()] as unknown as ChallengeDto[];
			expect(Object.keys(ours).sort()).toEqual(Object.keys(theirs ?? {}).sort());
			expect(await gateway.challenges.validate(proof(theirs ?? {}))).toMatchObject({
				isValid: true,
				correspondingRelationship: { id: relationshipId, peer: peer.address },
			});
			expect(await gateway.challenges.validate(altered(theirs ?? {}, other ?? {}))).toEqual({
				isValid: false,
			});
		},
	);

	it('both refuse to validate a challenge of a device', async () => {
		const ours = await gateway.challenges.create(wanted('Device'));
		const byPeer = peer.call('transport.challenges', 'validateChallenge', proof(ours));
		const refusal = await byPeer.catch((error: unknown) => error as PeerError);
		expect(refusal).toMatchObject({ code: 'error.runtime.notSupported' });
		const theirs = await peer.call<PeerObject>(
			'transport.challenges',
			'createChallenge',
			wanted('Device'),
		);
		await expect(gateway.challenges.validate(proof(theirs))).rejects.toMatchObject({
			code: 'error.runtime.notSupported',
		});
	});

	it('read the same announcements and tags', async () => {
		const texts = { en: { title: 'Hello', body: 'World' } };
		network.backbone.notices.announce({
			...{ texts, severity: 'High', expiresAt: inOneHour(), recipients: [], iqlQuery: null },
			actions: [{ displayName: { en: 'Read' }, link: 'https://example.com' }],
		});
		const input = { language: 'en' };
		const theirs = await peer.call<PeerObject[]>(
			'transport.announcements',
			'getAnnouncements',
			input,
		);
		expect(theirs).toHaveLength(1);
		const ours = await gateway.announcements.list(input);
		expect(ours).toMatchObject([{ id: theirs[0]?.id, title: 'Hello', body: 'World' }]);
		if (generation === 6) expect(ours).toEqual(theirs);
		expect(await gateway.tags.collection()).toEqual(
			await peer.call('consumption.attributes', 'getAttributeTagCollection'),
		);
	});

	it('notify each other through the Backbone, which gateways never get to see', async () => {
		const { notices } = network.backbone;
		const { address } = await gateway.account.getIdentity();
		await gateway.backboneNotifications.send({ recipients: [peer.address], code: 'test' });
		expect(notices.notifications).toMatchObject([{ from: address, recipients: [peer.address] }]);
		// The official runtime can send them from 6.63 on.
		if (generation === 6) return;
		await peer.call('transport.backboneNotifications', 'sendBackboneNotification', {
			recipients: [address],
			code: 'test',
		});
		expect(notices.notifications[1]).toMatchObject({ from: peer.address, recipients: [address] });
		expect(await gateway.account.sync()).toMatchObject({ messages: [], pendingFailures: [] });
	});

	const infoOf = async (): Promise<unknown> =>
		(await gateway.relationships.get(relationshipId)).peerDeletionInfo;
	const infoAtPeer = async (): Promise<unknown> =>
		(await peer.relationships()).find(({ id }) => id === relationshipId)?.['peerDeletionInfo'];

	it('tell each other that they will be deleted, and that they will not', async () => {
		const theirs = await peer.call<PeerObject>(processes, 'initiateIdentityDeletionProcess', {});
		await gateway.account.sync();
		const deletionDate = theirs['gracePeriodEndsAt'];
		expect(await infoOf()).toEqual({ deletionStatus: 'ToBeDeleted', deletionDate });
		await peer.call(processes, 'cancelIdentityDeletionProcess');
		await gateway.account.sync();
		expect(await infoOf()).toBeUndefined();

		const ours = await gateway.identityDeletion.initiate();
		// Generation 7 leaves out who approved it: whoever began.
		const missing = generation === 6 ? [] : ['approvedAt', 'approvedByDevice'];
		const names = Object.keys(ours).filter((name) => !missing.includes(name));
		expect(names.sort()).toEqual(Object.keys(theirs).sort());
		await peer.sync();
		expect(await infoAtPeer()).toEqual({
			deletionStatus: 'ToBeDeleted',
			deletionDate: ours.gracePeriodEndsAt,
		});
		await gateway.identityDeletion.cancel();
		await peer.sync();
		expect(await infoAtPeer()).toBeUndefined();
	});

	it('tell each other that they are gone', async () => {
		await peer.call(processes, 'initiateIdentityDeletionProcess', {
			lengthOfGracePeriodInDays: 1,
		});
		network.backbone.advanceClock(2 * dayMs);
		network.backbone.runJobs();
		expect((await gateway.account.sync()).pendingFailures).toEqual([]);
		expect(await infoOf()).toMatchObject({ deletionStatus: 'Deleted' });
		expect(await peer.call('transport.account', 'checkIfIdentityIsDeleted')).toMatchObject({
			isDeleted: true,
		});
		const witness = await Peer.start(generation, { baseUrl: network.backbone.baseUrl });
		try {
			const template = await gateway.templates.create({
				expiresAt: new Date(Date.now() + 30 * dayMs).toISOString(),
				content: arbitraryTemplate(2),
			});
			const loaded = await witness.loadTemplate(template.truncatedReference);
			const { id } = await witness.createRelationship(loaded.id, 1);
			await gateway.account.sync();
			await gateway.relationships.accept(id);
			await witness.sync();
			await gateway.identityDeletion.initiate({ lengthOfGracePeriodInDays: 1 });
			network.backbone.advanceClock(2 * dayMs);
			network.backbone.runJobs();
			await witness.sync();
			const [seen] = await witness.relationships();
			expect(seen?.['peerDeletionInfo']).toMatchObject({ deletionStatus: 'Deleted' });
			await expect(gateway.account.sync()).rejects.toMatchObject({
				code: 'error.gateway.identity.deleted',
			});
			expect((await gateway.account.checkIfDeleted()).isDeleted).toBe(true);
		} finally {
			await witness.stop();
		}
	});
});
