import type { TestNetwork } from '../../support/gateways';
import { PeerError, type Peer, type PeerObject } from '../../support/peer/peer';
import { NoSuchOperation, type Heard, type Party } from './party';

/**
 * An official runtime as a party of the matrix: which use case is which of our operations, and how
 * its input looks (docs/protocol/transport.md 4 to 12).
 */
export function officialParty(peer: Peer, network: TestNetwork): Party {
	const heard: Heard[] = [];
	peer.onEvent(({ namespace, data }) => {
		if (!namespace.startsWith('transport.')) return;
		heard.push({ event: namespace.replace('transport.', ''), data });
	});
	const call = useCasesOf(peer);
	const message = (id: string) => call<PeerObject>('transport.messages', 'getMessage', { id });
	return {
		kind: peer.generation,
		address: peer.address,
		mark: () => Promise.resolve(heard.length),
		heardSince: (mark) => Promise.resolve(heard.slice(mark)),
		sync: async () => {
			await peer.sync();
			return { failures: 0 };
		},
		settle: async (arrived) => {
			await network.settleParties([peer.syncing], arrived);
			return { failures: 0 };
		},
		account: { checkIfDeleted: () => call('transport.account', 'checkIfIdentityIsDeleted') },
		announcements: {
			list: (input) => call('transport.announcements', 'getAnnouncements', input),
		},
		backboneNotifications: {
			send: (input) => call('transport.backboneNotifications', 'sendBackboneNotification', input),
		},
		challenges: {
			create: (input) => call('transport.challenges', 'createChallenge', input),
			validate: (input) => call('transport.challenges', 'validateChallenge', input),
		},
		files: filesOf(peer, call),
		identityDeletion: deletionOf(call),
		messages: {
			send: (input) => call('transport.messages', 'sendMessage', input),
			get: async (id) => {
				const found = await message(id);
				const attachments = (found['attachments'] as PeerObject[]).map((file) => file.id);
				return { ...found, attachments } as never;
			},
			sendUnchecked: async (recipient, content) => {
				const input = { recipients: [recipient], content };
				await call('transport.messages', 'sendMessage', input).catch((error: unknown) => {
					const isChecked =
						error instanceof PeerError && error.code === 'error.runtime.unknownType';
					throw isChecked ? new NoSuchOperation(error.message) : error;
				});
			},
			markAsRead: (id) => call('transport.messages', 'markMessageAsRead', { id }),
			markAsUnread: (id) => call('transport.messages', 'markMessageAsUnread', { id }),
			listAttachments: async (id) => (await message(id))['attachments'] as never,
		},
		relationships: relationshipsOf(call),
		tags: { collection: () => call('consumption.attributes', 'getAttributeTagCollection') },
		templates: templatesOf(call),
		tokens: tokensOf(call),
	};
}

type Call = <Result>(service: string, useCase: string, input?: unknown) => Promise<Result>;

function useCasesOf(peer: Peer): Call {
	return async <Result>(service: string, useCase: string, input?: unknown) => {
		try {
			return await peer.call<Result>(service, useCase, input);
		} catch (error) {
			const isMissing =
				error instanceof PeerError && error.message.startsWith('the runtime has no');
			throw isMissing ? new NoSuchOperation(error.message) : error;
		}
	};
}

function filesOf(peer: Peer, call: Call): Party['files'] {
	const files = 'transport.files';
	return {
		upload: (input, text) => {
			const content = { $bytes: Buffer.from(text).toString('base64') };
			return call(files, 'uploadOwnFile', { ...input, content });
		},
		read: async (id) => {
			const { content } = await call<{ content: { $bytes: string } }>(files, 'downloadFile', {
				id,
			});
			return Buffer.from(content.$bytes, 'base64').toString();
		},
		get: (id) => call(files, 'getFile', { id }),
		getOrLoad: (input) => call(files, 'getOrLoadFile', input),
		delete: (fileId) => call(files, 'deleteFile', { fileId }),
		createToken: (fileId, input: object = {}) =>
			call(files, 'createTokenForFile', { fileId, ...input }),
		regenerateOwnershipToken: (id) => call(files, 'regenerateFileOwnershipToken', { id }),
		offer: (file, ownershipToken = String(file.ownershipToken)) =>
			Promise.resolve({ file, ownershipToken }),
		takeOver: async ({ file, request }) => {
			const { id } = await peer.receiveRequest(String(request));
			await peer.acceptRequest(id, [{ accept: true }]);
			await peer.waitForEvent('consumption.incomingRequestStatusChanged', ({ data }) => {
				const { request: decided, newStatus } = data as { request: PeerObject; newStatus: string };
				return decided.id === id && newStatus === 'Completed';
			});
			return await call(files, 'getFile', { id: file.id });
		},
	};
}

function deletionOf(call: Call): Party['identityDeletion'] {
	const processes = 'transport.identityDeletionProcesses';
	return {
		initiate: (input = {}) => call(processes, 'initiateIdentityDeletionProcess', input),
		cancel: () => call(processes, 'cancelIdentityDeletionProcess'),
		getActive: () => call(processes, 'getActiveIdentityDeletionProcess'),
		list: () => call(processes, 'getIdentityDeletionProcesses'),
	};
}

function relationshipsOf(call: Call): Party['relationships'] {
	const relationships = 'transport.relationships';
	const action = (useCase: string) => (relationshipId: string) =>
		call<never>(relationships, useCase, { relationshipId });
	return {
		create: (input) => call(relationships, 'createRelationship', input),
		canCreate: (input) => call(relationships, 'canCreateRelationship', input),
		get: (id) => call(relationships, 'getRelationship', { id }),
		with: (peer) => call(relationships, 'getRelationships', { query: { peer } }),
		accept: action('acceptRelationship'),
		reject: action('rejectRelationship'),
		revoke: action('revokeRelationship'),
		terminate: action('terminateRelationship'),
		requestReactivation: action('requestRelationshipReactivation'),
		acceptReactivation: action('acceptRelationshipReactivation'),
		rejectReactivation: action('rejectRelationshipReactivation'),
		revokeReactivation: action('revokeRelationshipReactivation'),
		decompose: action('decomposeRelationship'),
	};
}

function templatesOf(call: Call): Party['templates'] {
	const templates = 'transport.relationshipTemplates';
	return {
		create: (input) => call(templates, 'createOwnRelationshipTemplate', input),
		get: (id) => call(templates, 'getRelationshipTemplate', { id }),
		loadPeer: (input) => call(templates, 'loadPeerRelationshipTemplate', input),
		delete: (templateId) => call(templates, 'deleteRelationshipTemplate', { templateId }),
		createToken: (templateId, input: object = {}) =>
			call(templates, 'createTokenForOwnRelationshipTemplate', { templateId, ...input }),
	};
}

function tokensOf(call: Call): Party['tokens'] {
	const tokens = 'transport.tokens';
	return {
		create: (input: object) => call(tokens, 'createOwnToken', { ephemeral: false, ...input }),
		get: (id) => call(tokens, 'getToken', { id }),
		loadPeer: (input: object) => call(tokens, 'loadPeerToken', { ephemeral: false, ...input }),
		loadAnonymous: (input) => call('anonymous.tokens', 'loadPeerToken', input),
		delete: (tokenId) => call(tokens, 'deleteToken', { tokenId }),
		createForDevice: async () => {
			const { id } = await call<PeerObject>('transport.devices', 'createDevice', {});
			return await call('transport.devices', 'createDeviceOnboardingToken', { id });
		},
		createEmpty: () => call('anonymous.tokens', 'createEmptyToken', {}),
		fill: ({ reference }) =>
			call('transport.devices', 'fillDeviceOnboardingTokenWithNewDevice', {
				reference: reference.truncated,
			}),
	};
}
