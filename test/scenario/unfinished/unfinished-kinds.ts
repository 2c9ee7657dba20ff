import { ownText } from '../../../core/model/json';
import type { Gateway, RelationshipUseCases } from '../../../core';
import { partsOf } from '../../../core/gateway/gateway-parts';
import { inOneHour, mailTo, relate, settle, type SandboxNetwork } from '../../support/gateways';
import { loosely } from '../../support/loosely';

/**
 * Calls of the Backbone whose answers never fit, by name: a predicate picks answers and failures;
 * `unsent` calls do not even reach the Backbone.
 */
export type BrokenCalls = Readonly<Record<string, 'unsent' | ((answer: unknown) => boolean)>>;

export interface UnfinishedKindDependencies {
	readonly network: SandboxNetwork;
	/** the account whose change cannot be finished */
	readonly gateway: Gateway;
	/** whom the change is about */
	readonly peer: Gateway;
	/** another account that the account has a relationship with */
	readonly friend: Gateway;
	readonly breakCalls: (calls: BrokenCalls) => void;
}

/** A change that was begun, as Get Problems names it. */
interface BegunChange {
	readonly id: string;
	/** whether the right answers have finished it */
	readonly isFinished: () => Promise<boolean>;
	/** a further step of the peer, once the answers are right again */
	readonly peerGoesOn?: () => Promise<void>;
}

export interface UnfinishedKind {
	readonly title: string;
	readonly kind: 'sending' | 'unfinishedChange';
	readonly subject: string;
	readonly isDiscardable: boolean;
	/** undefined: comes without tries, so no event tells of it */
	readonly isAttempted: boolean;
	readonly begin: (context: UnfinishedKindDependencies) => Promise<BegunChange>;
}

const always = (): boolean => true;
const mentions =
	(id: string) =>
	(answer: unknown): boolean =>
		answer instanceof Error || JSON.stringify(answer).includes(id);
const addressOf = async (gateway: Gateway) => (await gateway.account.getIdentity()).address;
const rejects = (work: Promise<unknown>): Promise<void> => expect(work).rejects.toThrow();
const bytes = new TextEncoder().encode('content');
const upload = (gateway: Gateway) =>
	gateway.files.upload({ filename: 'a.txt', mimetype: 'text/plain' }, bytes);
const template = (gateway: Gateway, content?: object) =>
	gateway.templates.create({
		// Long after the hours that pass.
		expiresAt: new Date(Date.now() + 30 * 24 * 3_600_000).toISOString(),
		content: loosely(content ?? { '@type': 'ArbitraryRelationshipTemplateContent', value: 1 }),
	});
const creation = { '@type': 'ArbitraryRelationshipCreationContent' as const, value: 1 };
const login = {
	'@type': 'AuthenticationRequestItem' as const,
	mustBeAccepted: true,
	title: 'Log in',
};
const yes = { items: [{ accept: true }] };
const givenName = (value: string) => ({ '@type': 'GivenName' as const, value });

const change = (
	title: string,
	subject: string,
	begin: UnfinishedKind['begin'],
): UnfinishedKind => ({
	title,
	kind: 'unfinishedChange',
	subject,
	isDiscardable: true,
	isAttempted: true,
	begin,
});

type Operation = {
	[Name in keyof RelationshipUseCases]: RelationshipUseCases[Name] extends (
		id: string,
	) => Promise<unknown>
		? Name
		: never;
}[keyof RelationshipUseCases];

/** What an operation leaves in the audit log, and the operations that make it possible. */
const operations = {
	accept: { reason: 'AcceptanceOfCreation', after: [] },
	reject: { reason: 'RejectionOfCreation', after: [] },
	terminate: { reason: 'Termination', after: ['accept'] },
	requestReactivation: { reason: 'ReactivationRequested', after: ['accept', 'terminate'] },
	revokeReactivation: {
		reason: 'RevocationOfReactivation',
		after: ['accept', 'terminate', 'requestReactivation'],
	},
	acceptReactivation: {
		reason: 'AcceptanceOfReactivation',
		after: ['accept', 'terminate', 'peer'],
	},
	rejectReactivation: { reason: 'RejectionOfReactivation', after: ['accept', 'terminate', 'peer'] },
	decompose: { reason: undefined, after: ['accept', 'terminate'] },
} as const satisfies Partial<
	Record<Operation, { reason: string | undefined; after: ReadonlyArray<Operation | 'peer'> }>
>;

/** A relationship that the peer has asked for, as far as the operation needs it. */
async function readyFor(
	action: keyof typeof operations,
	{ gateway, peer }: UnfinishedKindDependencies,
): Promise<string> {
	const { truncatedReference: reference } = await template(gateway);
	const { id: templateId } = await peer.templates.loadPeer({ reference });
	const { id } = await peer.relationships.create({ templateId, creationContent: creation });
	await settle(gateway);
	for (const before of operations[action].after) {
		if (before !== 'peer') {
			await gateway.relationships[before](id);
			continue;
		}
		await settle(peer);
		await peer.relationships.requestReactivation(id);
		await settle(gateway);
	}
	return id;
}

/** Begins an operation whose answers never say what became of it. */
async function beginOperation(
	id: string,
	action: keyof typeof operations | 'revoke',
	{ gateway, breakCalls }: UnfinishedKindDependencies,
): Promise<BegunChange> {
	const reason = action === 'revoke' ? 'RevocationOfCreation' : operations[action].reason;
	breakCalls({
		[`relationships.${action}`]: action === 'decompose' ? always : mentions(id),
		'relationships.list': mentions(id),
		'relationships.get': mentions(id),
	});
	await rejects(gateway.relationships[action](id));
	return {
		id,
		isFinished: async () => {
			const found = (await gateway.relationships.list()).find((one) => one.id === id);
			return found?.auditLog.at(-1)?.reason === reason;
		},
	};
}

const operation = (title: string, action: keyof typeof operations): UnfinishedKind =>
	change(title, `${action}Relationship`, async (context) =>
		beginOperation(await readyFor(action, context), action, context),
	);

const ownFile = async ({ gateway }: UnfinishedKindDependencies) => await upload(gateway);

const isGone = async (list: Promise<ReadonlyArray<{ id: string }>>, id: string) =>
	!(await list).some((one) => one.id === id);

export const unfinishedKinds: readonly UnfinishedKind[] = [
	{
		...change('a send', 'Mail', async ({ gateway, peer, breakCalls }) => {
			const { addressB } = await relate(gateway, peer);
			await gateway.messages.send(mailTo(addressB, 'before'));
			breakCalls({ 'messages.send': always, 'messages.page': always });
			await rejects(gateway.messages.send(mailTo(addressB, 'lost')));
			breakCalls({ 'messages.page': always });
			const [problem] = await gateway.problems.list({ kind: 'sending' });
			return {
				id: problem?.id ?? '',
				isFinished: async () =>
					(await gateway.messages.list()).some(
						({ content }) => ownText(content, 'subject') === 'lost',
					),
			};
		}),
		kind: 'sending',
	},
	{
		...change('an answer by message', 'ResponseWrapper', async (context) => {
			const { gateway, peer, breakCalls } = context;
			const { addressB } = await relate(peer, gateway);
			const asked = await peer.outgoingRequests.create({
				content: { items: [login] },
				peer: addressB,
			});
			await peer.messages.send({ recipients: [addressB], content: asked.content });
			await settle(gateway);
			breakCalls({ 'messages.send': always, 'messages.page': always });
			await gateway.incomingRequests.accept(asked.id, yes);
			breakCalls({ 'messages.page': always });
			const [problem] = await gateway.problems.list({ kind: 'sending' });
			return {
				id: problem?.id ?? '',
				isFinished: async () =>
					(await gateway.incomingRequests.get(asked.id)).status === 'Completed',
			};
		}),
		kind: 'sending',
		isDiscardable: false,
	},
	{
		...change('a notification', 'Notification', async ({ gateway, peer, breakCalls }) => {
			const { addressB } = await relate(gateway, peer);
			const { id } = await gateway.attributes.create({ content: { value: givenName('Ann') } });
			await gateway.attributes.share(id, { peer: addressB });
			await settle(peer);
			const [asked] = await peer.incomingRequests.list();
			await peer.incomingRequests.accept(asked?.id ?? '', yes);
			await settle(gateway);
			const { successor } = await gateway.attributes.succeed(id, {
				successorContent: { value: givenName('Anna') },
			});
			breakCalls({ 'messages.send': always, 'messages.page': always });
			await gateway.attributes.notifyPeer(successor.id, { peer: addressB }).catch(() => undefined);
			breakCalls({ 'messages.page': always });
			const [problem] = await gateway.problems.list({ kind: 'sending' });
			return {
				id: problem?.id ?? '',
				isFinished: async () => {
					await settle(peer);
					const { address } = await gateway.account.getIdentity();
					const known = await peer.attributes.listPeerShared({ peer: address });
					return JSON.stringify(known).includes('Anna');
				},
			};
		}),
		kind: 'sending',
		isDiscardable: false,
	},
	{
		...change('a decision of a rule', 'decideRequest', async (context) => {
			const { gateway, peer, breakCalls } = context;
			const { addressB } = await relate(peer, gateway);
			const { id: fileId, truncatedReference: fileReference, ownershipToken } = await upload(peer);
			breakCalls({ 'files.claimOwnership': always, 'files.metadata': mentions(fileId) });
			const transfer = {
				'@type': 'TransferFileOwnershipRequestItem' as const,
				mustBeAccepted: true,
				fileReference,
				ownershipToken,
			};
			const asked = await peer.outgoingRequests.create({
				content: { items: [loosely(transfer)] },
				peer: addressB,
			});
			await peer.messages.send({ recipients: [addressB], content: asked.content });
			await settle(gateway);
			return {
				id: asked.id,
				isFinished: async () =>
					(await gateway.incomingRequests.get(asked.id)).status === 'Completed',
			};
		}),
		isDiscardable: false,
	},
	{
		...change('an answer by a relationship', 'acceptRequest', async (context) => {
			const { gateway, peer, breakCalls } = context;
			const { truncatedReference: reference } = await template(peer, {
				'@type': 'RelationshipTemplateContent' as const,
				onNewRelationship: { '@type': 'Request' as const, items: [login] },
			});
			await gateway.templates.loadPeer({ reference });
			const peerAddress = await addressOf(peer);
			const request = (await gateway.incomingRequests.list()).find(
				(one) => one.peer === peerAddress,
			);
			const id = request?.id ?? '';
			breakCalls({ 'relationships.create': 'unsent' });
			await gateway.incomingRequests.accept(id, yes);
			return {
				id,
				isFinished: async () => (await gateway.incomingRequests.get(id)).status === 'Completed',
				peerGoesOn: async () => {
					await settle(peer);
					const [pending] = await peer.relationships.list();
					if (pending?.status === 'Pending') await peer.relationships.accept(pending.id);
				},
			};
		}),
		isDiscardable: false,
	},
	{
		...change('the creation of a relationship', 'createRelationship', async (context) => {
			const { gateway, peer, breakCalls } = context;
			const { truncatedReference: reference } = await template(peer);
			const { id: templateId } = await gateway.templates.loadPeer({ reference });
			breakCalls({ 'relationships.create': always });
			await rejects(gateway.relationships.create({ templateId, creationContent: creation }));
			const [intent] = await partsOf(gateway).store.read((tx) => tx.relationshipIntents.list());
			const peerAddress = await addressOf(peer);
			return {
				id: intent?.record.templateId ?? '',
				isFinished: async () =>
					(await gateway.relationships.list()).some((one) => one.peer === peerAddress),
				peerGoesOn: async () => {
					await settle(peer);
					const [pending] = await peer.relationships.list();
					if (pending?.status === 'Pending') await peer.relationships.accept(pending.id);
				},
			};
		}),
		isDiscardable: false,
		isAttempted: false,
	},
	operation('the acceptance of a relationship', 'accept'),
	operation('the rejection of a relationship', 'reject'),
	operation('the termination of a relationship', 'terminate'),
	operation('the wish for a reactivation', 'requestReactivation'),
	operation('the revocation of a reactivation', 'revokeReactivation'),
	operation('the acceptance of a reactivation', 'acceptReactivation'),
	operation('the rejection of a reactivation', 'rejectReactivation'),
	operation('leaving a relationship', 'decompose'),
	change('the revocation of a relationship', 'revokeRelationship', async (context) => {
		const { gateway, peer } = context;
		const { truncatedReference: reference } = await template(peer);
		const { id: templateId } = await gateway.templates.loadPeer({ reference });
		const { id } = await gateway.relationships.create({ templateId, creationContent: creation });
		return await beginOperation(id, 'revoke', context);
	}),
	change('the deletion of a file', 'deleteFile', async (context) => {
		const { gateway, breakCalls } = context;
		const { id } = await ownFile(context);
		breakCalls({ 'files.delete': always });
		await rejects(gateway.files.delete(id));
		return { id, isFinished: () => isGone(gateway.files.list(), id) };
	}),
	change('a new ownership token', 'regenerateFileToken', async (context) => {
		const { gateway, breakCalls } = context;
		const { id } = await ownFile(context);
		breakCalls({ 'files.regenerateOwnershipToken': always, 'files.metadata': always });
		await rejects(gateway.files.regenerateOwnershipToken(id));
		return {
			id,
			isFinished: async () =>
				(await gateway.files.get(id)).ownershipToken ===
				context.network.backbone.state.files.get(id)?.ownershipToken,
		};
	}),
	change('the claim of a file', 'claimFile', async ({ gateway, peer, breakCalls }) => {
		const { id, truncatedReference: reference, ownershipToken = '' } = await upload(peer);
		await gateway.files.getOrLoad({ reference });
		breakCalls({ 'files.claimOwnership': always, 'files.metadata': always });
		await rejects(gateway.files.claimOwnership(id, ownershipToken));
		return { id, isFinished: async () => (await gateway.files.get(id)).isOwn };
	}),
	change('the deletion of a token', 'deleteToken', async ({ gateway, breakCalls }) => {
		const { id } = await gateway.tokens.create({
			content: { value: 1 },
			expiresAt: inOneHour(),
			ephemeral: false,
		});
		breakCalls({ 'tokens.delete': always });
		await rejects(gateway.tokens.delete(id));
		return { id, isFinished: () => isGone(gateway.tokens.list(), id) };
	}),
	change('the deletion of a template', 'deleteTemplate', async ({ gateway, breakCalls }) => {
		const { id } = await template(gateway);
		breakCalls({ 'templates.delete': always });
		await rejects(gateway.templates.delete(id));
		return { id, isFinished: () => isGone(gateway.templates.list(), id) };
	}),
	{
		...change('the deletion of the identity', 'deleteIdentity', async (context) => {
			const { gateway, friend, network, breakCalls } = context;
			const address = await addressOf(gateway);
			const row = network.backbone.state.identities.get(address);
			if (row === undefined) throw new Error('The sandbox does not know the identity');
			const process = network.backbone.deletions.start(row, 'support');
			// No sync runs while the deletion lasts; its end is what cannot be read.
			await rejects(gateway.account.sync());
			await settle(friend);
			network.backbone.deletions.cancel(row, process, 'support');
			await settle(friend);
			breakCalls({ 'deletionProcesses.list': always, 'deletionProcesses.get': always });
			return {
				id: 'identityDeletion',
				isFinished: async () =>
					(await gateway.identityDeletion.get(process.id)).status === 'Cancelled',
			};
		}),
		isDiscardable: false,
	},
];
