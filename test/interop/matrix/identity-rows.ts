import type { ChallengeDto } from '../../../core';
import { inOneHour, mailTo } from '../../support/gateways';
import type { Kind } from './party';
import { amongFriends, amongStrangers, withControls, type RowGroup } from './row';
import {
	bothCanWrite,
	createTemplate,
	refused,
	syncOf,
	untilItMayCreate,
	type Stage,
} from './stage';

const statusChanged = 'identityDeletionProcessStatusChanged';
const dayMs = 24 * 3_600_000;

/** How each shows a deletion that is under way. */
const running: Record<Kind, string> = { ours: 'Approved', 6: 'Approved', 7: 'Active' };

const peerInfo = async ({ follower, friendship }: Stage, id = friendship): Promise<unknown> =>
	(await follower.relationships.get(id)).peerDeletionInfo;

const start = amongFriends(
	'start the deletion of the own identity, and cancel it',
	async (stage) => {
		const { actor, follower } = stage;
		const { gracePeriodEndsAt: deletionDate, id } = await stage.hears(
			{ actor: [statusChanged], follower: ['peerToBeDeleted'] },
			async () => {
				const process = await actor.identityDeletion.initiate({});
				await syncOf(follower);
				return process;
			},
		);
		expect(await peerInfo(stage)).toEqual({ deletionStatus: 'ToBeDeleted', deletionDate });
		expect(await actor.identityDeletion.getActive()).toMatchObject({
			id,
			status: running[actor.kind],
		});
		await refused(
			actor.identityDeletion.initiate({}),
			'error.runtime.identityDeletionProcess.activeIdentityDeletionProcessAlreadyExists',
		);
		await refused(
			follower.messages.send(mailTo(actor.address)),
			'error.runtime.messages.peerIsInDeletion',
		);
		await stage.hears({ actor: [statusChanged], follower: ['peerDeletionCancelled'] }, async () => {
			await actor.identityDeletion.cancel();
			await syncOf(follower);
		});
		await untilItMayCreate(actor);
		await syncOf(actor);
		expect(await peerInfo(stage)).toBeUndefined();
		expect((await actor.identityDeletion.list()).at(-1)).toMatchObject({ id, status: 'Cancelled' });
		expect(await actor.account.checkIfDeleted()).toEqual({ isDeleted: false });
		await bothCanWrite(actor, follower);
	},
);

const bySupport = amongFriends(
	'learn that support has started and cancelled it',
	withControls(async (stage) => {
		const { actor, backbone } = stage;
		const identity = backbone.state.identities.get(actor.address);
		if (identity === undefined) throw new Error('The Backbone does not know the actor');
		const process = backbone.deletions.start(identity, 'support');
		await stage.tellResidents();
		// An identity that is to be deleted cannot sync: both events come at once, when it is over.
		await refused(
			actor.sync(),
			'error.platform.validation.syncRun.cannotStartSyncRunWhileIdentityIsToBeDeleted',
		);
		backbone.deletions.cancel(identity, process, 'support');
		backbone.queues.deliverAll();
		// We publish a change, the official runtime each event of the Backbone.
		const heard = actor.kind === 'ours' ? [statusChanged] : [statusChanged, statusChanged];
		await stage.hears({ actor: heard }, () => syncOf(actor));
		expect((await actor.identityDeletion.list()).at(-1)).toMatchObject({
			id: process.id,
			status: 'Cancelled',
		});
		await syncOf(stage.follower);
	}),
);

/** The last row: an identity that plays the actor is gone afterwards. */
const deleted = amongStrangers(
	'be deleted when the grace period is over',
	withControls(async (stage) => {
		const { actor, follower, backbone } = stage;
		const id = await stage.relate();
		const late = await stage.newcomer();
		const { reference } = await createTemplate(actor);
		const { id: templateId } = await late.templates.loadPeer({ reference: reference.truncated });
		await actor.identityDeletion.initiate({ lengthOfGracePeriodInDays: 1 });
		await syncOf(follower);
		backbone.advanceClock(2 * dayMs);
		try {
			backbone.runJobs();
			await stage.hears({ follower: ['peerDeleted', 'relationshipChanged'] }, () =>
				syncOf(follower),
			);
			expect(await peerInfo(stage, id)).toMatchObject({ deletionStatus: 'Deleted' });
			const { status, auditLog } = await follower.relationships.get(id);
			expect(status).toBe('DeletionProposed');
			expect(auditLog.at(-1)?.reason).toBe('DecompositionDueToIdentityDeletion');
			expect(await actor.account.checkIfDeleted()).toMatchObject({ isDeleted: true });
			expect(await late.relationships.canCreate({ templateId })).toMatchObject({
				code: 'error.transport.relationships.deletedOwnerOfRelationshipTemplate',
			});
			if (actor.kind === 'ours') await refused(actor.sync(), 'error.gateway.identity.deleted');
			await follower.relationships.decompose(id);
			expect(await follower.relationships.with(actor.address)).toEqual([]);
		} finally {
			// What is due by the later time would otherwise wait for two days.
			backbone.queues.deliverAll();
			backbone.advanceClock(-2 * dayMs);
		}
	}),
);

const proof = ({ challengeString, signature }: ChallengeDto) => ({ challengeString, signature });

const challengeMembers = [
	'challengeString',
	'createdBy',
	'createdByDevice',
	'expiresAt',
	'id',
	'signature',
	'type',
];

const titleOf = (challengeType: ChallengeDto['type']): string =>
	challengeType === 'Device'
		? 'create a challenge of the type Device, which no party can validate'
		: `create a challenge of the type ${challengeType}, which the peer validates`;

const challenge = (challengeType: ChallengeDto['type']) =>
	amongFriends(titleOf(challengeType), async (stage) => {
		const { actor, follower, friendship } = stage;
		const wanted =
			challengeType === 'Relationship'
				? { challengeType, relationship: friendship }
				: { challengeType };
		const [made, other] = [
			await actor.challenges.create(wanted),
			await actor.challenges.create(wanted),
		];
		expect(made).toMatchObject({ type: challengeType, createdBy: actor.address });
		expect(Object.keys(made).sort()).toEqual(challengeMembers);
		if (challengeType === 'Device') {
			// The key of a peer's device is unknown.
			await refused(follower.challenges.validate(proof(made)), 'error.runtime.notSupported');
			return;
		}
		expect(await follower.challenges.validate(proof(made))).toMatchObject({
			isValid: true,
			correspondingRelationship: { id: friendship, peer: actor.address },
		});
		const forged = { ...proof(made), signature: other.signature };
		expect(await follower.challenges.validate(forged)).toEqual({ isValid: false });
	});

const announcements = amongFriends(
	'read the same announcements',
	withControls(async (stage) => {
		const { actor, follower, backbone } = stage;
		const texts = { en: { title: 'Hello', body: 'World' }, de: { title: 'Hallo', body: 'Welt' } };
		const { id } = backbone.operatorTexts.announce({
			...{ texts, severity: 'High', expiresAt: inOneHour(), recipients: [], iqlQuery: null },
			actions: [{ displayName: { en: 'Read' }, link: 'https://example.com' }],
		});
		const actions = [{ displayName: 'Read', link: 'https://example.com' }];
		const shown = { id, severity: 'High', title: 'Hallo', body: 'Welt', actions };
		for (const party of [actor, follower]) {
			expect(await party.announcements.list({ language: 'de' })).toMatchObject([shown]);
		}
		backbone.operatorTexts.withdraw(id);
	}),
);

const tags = amongFriends('read the same tags', async ({ actor, follower }) => {
	const collection = await actor.tags.collection();
	expect(Object.keys(collection.tagsForAttributeValueTypes)).not.toEqual([]);
	expect(await follower.tags.collection()).toEqual(collection);
});

const notification = amongFriends(
	'send a notification of the Backbone',
	withControls(async ({ actor, follower, backbone }) => {
		await actor.backboneNotifications.send({ recipients: [follower.address], code: 'test' });
		expect(backbone.operatorTexts.notifications.at(-1)).toMatchObject({
			from: actor.address,
			recipients: [follower.address],
		});
		// Phones show it; gateways never get to see it.
		await syncOf(follower);
	}),
	{ actor: { 6: 'the use case came with 6.63' } },
);

export const identityRows: RowGroup = {
	title: 'Identity, announcements, tags and notifications',
	source: 'transport.md 10 to 12',
	rows: [
		challenge('Identity'),
		challenge('Relationship'),
		challenge('Device'),
		announcements,
		tags,
		notification,
		start,
		bySupport,
		deleted,
	],
};
