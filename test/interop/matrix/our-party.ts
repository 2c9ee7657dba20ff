import type { FileDto, Gateway, GatewayConfigInput } from '../../../core';
import { openCarelessPeer, type CarelessPeer } from '../../support/peer/careless-peer';
import { partyOf, type TestNetwork } from '../../support/gateways';
import { NoSuchOperation, type Party } from './party';

/** `recent` looks back no further. */
const manyEvents = 500;

/** What the gateway does not offer; the day it does, this says so. */
const lacks = (offered: object, name: string) => (): Promise<never> =>
	Promise.reject(
		name in offered
			? new Error(`The gateway has '${name}' now: let the matrix use it`)
			: new NoSuchOperation(`the gateway has no '${name}'`),
	);

/** A new identity of our gateway as a party of the matrix: the facade is nearly what the rows ask for. */
export async function ourParty(network: TestNetwork): Promise<Party> {
	const config = network.config();
	const gateway = await network.gateway(config);
	const { address } = await gateway.account.getIdentity();
	const failedEvents = async (): Promise<string[]> =>
		(await gateway.problems.list({ kind: 'receivedEvent' })).map(({ id }) => id);
	return {
		kind: 'ours',
		address,
		mark: async () => (await gateway.events.recent({}, 1))[0]?.sequence ?? 0,
		heardSince: async (mark) => {
			const events = await gateway.events.recent({}, manyEvents);
			return events
				.filter(({ sequence, event }) => sequence > mark && event.startsWith('transport.'))
				.map(({ event, data }) => ({ event: event.replace('transport.', ''), data }));
		},
		sync: async () => ({ failures: (await gateway.account.sync()).pendingFailures.length }),
		settle: async (arrived) => {
			const before = await failedEvents();
			await network.settleParties([await partyOf(gateway)], arrived);
			const fresh = (await failedEvents()).filter((id) => !before.includes(id));
			return { failures: fresh.length };
		},
		account: gateway.account,
		announcements: gateway.announcements,
		backboneNotifications: gateway.backboneNotifications,
		challenges: gateway.challenges,
		files: filesOf(gateway, config),
		identityDeletion: gateway.identityDeletion,
		messages: {
			...gateway.messages,
			sendUnchecked: (recipient, content) =>
				withCarelessHand(config, async (hand) => {
					await hand.send(recipient, content);
				}),
		},
		relationships: {
			...gateway.relationships,
			with: (peer) =>
				gateway.relationships.list({ where: [{ field: 'peer', op: 'eq', value: peer }] }),
		},
		tags: gateway.tags,
		templates: gateway.templates,
		tokens: {
			...gateway.tokens,
			createForDevice: lacks(gateway, 'devices'),
			createEmpty: lacks(gateway.tokens, 'createEmpty'),
			fill: ({ reference }) =>
				gateway.tokens.fill({ reference: reference.truncated, content: { filled: 'by us' } }),
		},
	};
}

function filesOf({ files }: Gateway, config: GatewayConfigInput): Party['files'] {
	return {
		...files,
		upload: (input, text) => files.upload(input, Buffer.from(text)),
		read: async (id) => Buffer.from((await files.download(id)).content).toString(),
		offer: async (file, ownershipToken = String(file.ownershipToken)) => {
			const request = await requestTransfer(config, file, ownershipToken);
			return { file, ownershipToken, request };
		},
		takeOver: async ({ file, ownershipToken }) => {
			await files.getOrLoad({ reference: file.reference.truncated });
			return await files.claimOwnership(file.id, ownershipToken);
		},
	};
}

/**
 * The gateway does not send requests of this type yet, so it is written for it.
 *
 * @returns the reference of a template
 */
async function requestTransfer(
	config: GatewayConfigInput,
	file: FileDto,
	ownershipToken: string,
): Promise<string> {
	const item = {
		'@type': 'TransferFileOwnershipRequestItem',
		mustBeAccepted: true,
		fileReference: file.reference.truncated,
		ownershipToken,
	};
	const items = { items: [item] };
	return await withCarelessHand(config, (hand) =>
		hand.createTemplate({
			'@type': 'RelationshipTemplateContent',
			onNewRelationship: items,
			onExistingRelationship: items,
		}),
	);
}

async function withCarelessHand<Result>(
	config: GatewayConfigInput,
	act: (hand: CarelessPeer) => Promise<Result>,
): Promise<Result> {
	const hand = await openCarelessPeer(config);
	try {
		return await act(hand);
	} finally {
		await hand.close();
	}
}
