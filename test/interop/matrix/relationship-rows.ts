import type { RelationshipDto } from '../../../core';
import { deletedIdentityPseudonyms } from '../../../core/model/address';
import { mailTo } from '../../support/gateways';
import { arbitraryCreation } from '../contents';
import type { Party } from './party';
import { amongStrangers, type Row, type RowGroup } from './row';
import {
	bothCanWrite,
	createTemplate,
	hasStatus,
	mail,
	pending,
	refused,
	sendToSeveral,
	syncOf,
	templateIdOf,
	untilItMayCreate,
	type HeardNames,
	type Role,
	type Stage,
} from './stage';

const changed = 'relationshipChanged';
const requested = 'relationshipReactivationRequested';
const completed = 'relationshipReactivationCompleted';

type Action = 'terminate' | `${'request' | 'accept' | 'reject' | 'revoke'}Reactivation`;

interface Transition {
	readonly name: string;
	readonly action: Action;
	/** what has happened to the active relationship before */
	readonly after: ReadonlyArray<readonly [Role, Action]>;
	readonly status: RelationshipDto['status'];
	readonly reason: string;
	readonly hears: HeardNames;
}

/* Who acts is told of the change first, who hears of it last (docs/protocol/transport.md 14). */
const whenRequested = { actor: [changed, requested], follower: [requested, changed] };
const whenCompleted = { actor: [changed, completed], follower: [completed, changed] };

const transitions: readonly Transition[] = [
	{
		name: 'terminate',
		action: 'terminate',
		after: [],
		status: 'Terminated',
		reason: 'Termination',
		hears: { actor: [changed], follower: [changed] },
	},
	{
		name: 'request reactivation',
		action: 'requestReactivation',
		after: [['follower', 'terminate']],
		status: 'Terminated',
		reason: 'ReactivationRequested',
		hears: whenRequested,
	},
	{
		name: 'accept reactivation',
		action: 'acceptReactivation',
		after: [
			['actor', 'terminate'],
			['follower', 'requestReactivation'],
		],
		status: 'Active',
		reason: 'AcceptanceOfReactivation',
		hears: whenCompleted,
	},
	{
		name: 'reject reactivation',
		action: 'rejectReactivation',
		after: [
			['follower', 'terminate'],
			['follower', 'requestReactivation'],
		],
		status: 'Terminated',
		reason: 'RejectionOfReactivation',
		hears: whenCompleted,
	},
	{
		name: 'revoke reactivation',
		action: 'revokeReactivation',
		after: [
			['actor', 'terminate'],
			['actor', 'requestReactivation'],
		],
		status: 'Terminated',
		reason: 'RevocationOfReactivation',
		hears: whenCompleted,
	},
];

const transitionRow = ({ name, action, after, status, reason, hears }: Transition): Row =>
	amongStrangers(name, async (stage) => {
		const { actor, follower } = stage;
		const id = await stage.relate();
		for (const [role, earlier] of after) await take(stage, role, earlier, id);
		await stage.hears(hears, () => take(stage, 'actor', action, id));
		await bothShow(stage, id, status, reason);
		if (status === 'Active') await bothCanWrite(actor, follower);
	});

/** One acts, the other hears of it. */
async function take(stage: Stage, role: Role, action: Action, id: string): Promise<void> {
	await stage[role].relationships[action](id);
	const other = stage[role === 'actor' ? 'follower' : 'actor'];
	const { auditLog } = await stage[role].relationships.get(id);
	await syncOf(other, async () => {
		const shown = await other.relationships.get(id);
		return shown.auditLog.length >= auditLog.length;
	});
}

async function bothShow(
	{ actor, follower }: Stage,
	id: string,
	status: string,
	reason: string,
): Promise<void> {
	const shown = await actor.relationships.get(id);
	expect(shown).toMatchObject({ id, status, peer: follower.address });
	expect(shown.auditLog.at(-1)?.reason).toBe(reason);
	const { auditLog } = await follower.relationships.get(id);
	expect(auditLog).toEqual(shown.auditLog);
	expect(await follower.relationships.get(id)).toMatchObject({ status, peer: actor.address });
}

const create = amongStrangers('create from a loaded template', async (stage) => {
	const { actor, follower } = stage;
	const template = await createTemplate(follower);
	const reference = template.reference.url;
	const { id: templateId } = await actor.templates.loadPeer({ reference });
	const input = { templateId, creationContent: arbitraryCreation({ any: ['thing', 1] }) };
	expect(await actor.relationships.canCreate(input)).toEqual({ isSuccess: true });
	const { id } = await stage.hears({ actor: [changed], follower: [changed] }, async () => {
		const created = await actor.relationships.create(input);
		await syncOf(follower);
		return created;
	});
	await bothShow(stage, id, 'Pending', 'Creation');
	expect(await follower.relationships.get(id)).toMatchObject({
		creationContent: input.creationContent,
		peerIdentity: { address: actor.address },
	});
	for (const party of [actor, follower]) {
		expect(templateIdOf(await party.relationships.get(id))).toBe(template.id);
	}
	expect(await actor.relationships.canCreate(input)).toMatchObject({
		isSuccess: false,
		code: 'error.transport.relationships.relationshipCurrentlyExists',
	});
	await refused(
		actor.relationships.accept(id),
		'error.transport.relationships.operationOnlyAllowedForPeer',
	);
});

const accept = amongStrangers('accept', async (stage) => {
	const { actor, follower } = stage;
	const id = await pending(actor, follower);
	await stage.hears({ actor: [changed], follower: [changed] }, async () => {
		await actor.relationships.accept(id);
		await syncOf(follower);
	});
	await bothShow(stage, id, 'Active', 'AcceptanceOfCreation');
	await bothCanWrite(actor, follower);
	await bothCanWrite(actor, follower);
});

const reject = amongStrangers('reject, then create again', async (stage) => {
	const { actor, follower } = stage;
	const id = await pending(actor, follower);
	await stage.hears({ actor: [changed], follower: [changed] }, async () => {
		await actor.relationships.reject(id);
		await syncOf(follower);
	});
	await bothShow(stage, id, 'Rejected', 'RejectionOfCreation');
	expect(await stage.relate()).not.toBe(id);
	await bothCanWrite(actor, follower);
});

const revoke = amongStrangers('revoke, then create again', async (stage) => {
	const { actor, follower } = stage;
	const id = await pending(follower, actor);
	await stage.hears({ actor: [changed], follower: [changed] }, async () => {
		await actor.relationships.revoke(id);
		await syncOf(follower);
	});
	await bothShow(stage, id, 'Revoked', 'RevocationOfCreation');
	expect(await stage.relate(follower, actor)).not.toBe(id);
	await bothCanWrite(actor, follower);
});

const hasty = amongStrangers('create and revoke before the peer synchronises', async (stage) => {
	const { actor, follower } = stage;
	const { reference } = await createTemplate(follower);
	const { id: templateId } = await actor.templates.loadPeer({ reference: reference.truncated });
	const creationContent = arbitraryCreation('too fast');
	const { id } = await actor.relationships.create({ templateId, creationContent });
	await actor.relationships.revoke(id);
	await stage.hears({ follower: [changed] }, () =>
		syncOf(follower, () => hasStatus(follower, id, 'Revoked')),
	);
	await bothShow(stage, id, 'Revoked', 'RevocationOfCreation');
});

const leaving = amongStrangers('refuse a peer that is being deleted', async (stage) => {
	const { actor, follower } = stage;
	const { reference } = await createTemplate(actor);
	const { id: templateId } = await follower.templates.loadPeer({ reference: reference.truncated });
	await actor.identityDeletion.initiate({});
	await stage.tellResidents();
	expect(await follower.relationships.canCreate({ templateId })).toMatchObject({
		isSuccess: false,
		code: 'error.transport.relationships.activeIdentityDeletionProcessOfOwnerOfRelationshipTemplate',
	});
	await actor.identityDeletion.cancel();
	await untilItMayCreate(actor);
	await syncOf(actor);
	await stage.tellResidents();
	expect(await follower.relationships.canCreate({ templateId })).toEqual({ isSuccess: true });
});

const decompose = amongStrangers('decompose, then create again', async (stage) => {
	const { actor, follower } = stage;
	const id = await stage.relate();
	await take(stage, 'follower', 'terminate', id);
	await stage.hears({ actor: ['relationshipDecomposedBySelf'], follower: [changed] }, async () => {
		await actor.relationships.decompose(id);
		await syncOf(follower);
	});
	expect(await actor.relationships.with(follower.address)).toEqual([]);
	const proposed = await follower.relationships.get(id);
	expect(proposed.status).toBe('DeletionProposed');
	expect(proposed.auditLog.at(-1)).toMatchObject({
		createdBy: actor.address,
		reason: 'Decomposition',
	});
	const early = await createTemplate(follower);
	const reference = early.reference.truncated;
	const { id: templateId } = await actor.templates.loadPeer({ reference });
	expect(await actor.relationships.canCreate({ templateId })).toMatchObject({
		code: 'error.transport.relationships.relationshipNotYetDecomposedByPeer',
	});
	await follower.relationships.decompose(id);
	await syncOf(actor);
	expect(await stage.relate(follower, actor)).not.toBe(id);
	await bothCanWrite(actor, follower);
});

const cleanUp = amongStrangers('decompose removes the data of the relationship', async (stage) => {
	const { actor, follower } = stage;
	const id = await stage.relate(follower, actor);
	const own = await mail(actor, follower);
	const received = await mail(follower, actor);
	const token = await follower.tokens.create({
		content: { any: 'thing' },
		expiresAt: (await createTemplate(follower)).expiresAt ?? '',
	});
	await actor.tokens.loadPeer({ reference: token.reference.truncated });
	await syncOf(actor);
	const templateId = templateIdOf(await actor.relationships.get(id));
	await take(stage, 'actor', 'terminate', id);
	await actor.relationships.decompose(id);
	const gone = 'error.runtime.recordNotFound';
	await refused(actor.messages.get(own.id), gone, 'error.transport.recordNotFound');
	await refused(actor.messages.get(received.id), gone, 'error.transport.recordNotFound');
	await refused(actor.templates.get(templateId), gone);
	await refused(actor.tokens.get(token.id), gone);
	await syncOf(follower);
	expect(await follower.messages.get(received.id)).toMatchObject({ isOwn: true });
});

const pseudonyms = amongStrangers('decompose leaves a pseudonym in group mails', async (stage) => {
	const { actor, follower } = stage;
	const third = await stage.newcomer();
	const [left, kept] = [await stage.relate(), await stage.relate(actor, third)];
	const recipients = [follower.address, third.address];
	const content = { '@type': 'Mail' as const, to: recipients, cc: [], subject: 's', body: 'b' };
	const { id } = await sendToSeveral(actor, { recipients, content });
	await take(stage, 'actor', 'terminate', left);
	await actor.relationships.decompose(left);
	const after = await actor.messages.get(id);
	expect(after.recipients).toMatchObject([
		{ address: deletedIdentityPseudonyms(actor.address.split(':')[2] ?? '').client },
		{ address: third.address, relationshipId: kept },
	]);
	expect(after.recipients[0]).not.toHaveProperty('relationshipId');
});

const refusals = amongStrangers('refuse what the status does not allow', async (stage) => {
	const { actor, follower } = stage;
	const id = await stage.relate();
	const each = async (actions: ReadonlyArray<Action | 'accept' | 'decompose'>, code: string) => {
		for (const action of actions) {
			await refused(actor.relationships[action](id), `error.transport.relationships.${code}`);
		}
	};
	await each(
		['accept', 'decompose', 'requestReactivation', 'acceptReactivation'],
		'wrongRelationshipStatus',
	);
	await take(stage, 'follower', 'terminate', id);
	await each(['accept', 'terminate'], 'wrongRelationshipStatus');
	await each(
		['acceptReactivation', 'rejectReactivation', 'revokeReactivation'],
		'reactivationNotRequested',
	);
	await take(stage, 'follower', 'requestReactivation', id);
	await each(['requestReactivation'], 'reactivationAlreadyRequested');
	await each(['revokeReactivation'], 'operationOnlyAllowedForPeer');
	await take(stage, 'follower', 'revokeReactivation', id);
	await take(stage, 'actor', 'requestReactivation', id);
	await each(['requestReactivation'], 'reactivationAlreadyRequested');
	await each(['acceptReactivation', 'rejectReactivation'], 'operationOnlyAllowedForPeer');
	await refusedMail(actor, follower);
	await refusedMail(follower, actor);
});

const refusedMail = (from: Party, to: Party): Promise<void> =>
	refused(
		from.messages.send(mailTo(to.address)),
		from.kind === 'ours'
			? 'error.transport.messages.missingOrInactiveRelationship'
			: 'error.runtime.messages.hasNoActiveRelationship',
	);

export const relationshipRows: RowGroup = {
	title: 'Relationships',
	source: 'transport.md 5, 6',
	rows: [
		create,
		accept,
		reject,
		revoke,
		hasty,
		leaving,
		...transitions.map(transitionRow),
		decompose,
		cleanUp,
		pseudonyms,
		refusals,
	],
};
