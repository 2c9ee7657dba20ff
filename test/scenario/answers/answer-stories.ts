import type { Backbone } from '../../../core/backbone/port/backbone';
import { HttpBackbone } from '../../../core/backbone/http/http-backbone';
import type { Gateway } from '../../../core';
import { partsOf } from '../../../core/gateway/gateway-parts';
import { failureOf } from '../../core/backbone/fixture-server';
import { mailTo, type SandboxNetwork } from '../../support/gateways';
import type { AnswerName } from './answer-forms';

export interface StoryDependencies {
	readonly network: SandboxNetwork;
	/** the account whose answers are changed */
	readonly gateway: Gateway;
	/** has a relationship with the account */
	readonly friend: Gateway;
	/** address of the Backbone whose answers are changed */
	readonly baseUrl: string;
	/** another account whose answers are changed */
	readonly openChanged: () => Promise<Gateway>;
	/** an account whose answers stay as they are */
	readonly openPeer: () => Promise<Gateway>;
}

/** How the gateway comes to read an answer. */
export interface Story {
	/** a sync that reads the answers, and that nonsense about one object does not end */
	readonly syncs?: () => Promise<void>;
	/** reads the answers that are changed */
	readonly reads?: () => Promise<unknown>;
	/** what the other side does once the answers are right again */
	readonly recover?: () => Promise<void>;
	/** fails unless everything is as if the answers had not been changed */
	readonly check?: () => Promise<void>;
}

type StoryOf = (context: StoryDependencies) => Promise<Story>;

const bytes = Buffer.from('content');
const file = { filename: 'a.txt', mimetype: 'text/plain' };
/** later than the test's clocks get */
const expiresAt = new Date(Date.now() + 365 * 24 * 3_600_000).toISOString();
const creationContent = { '@type': 'ArbitraryRelationshipCreationContent' as const, value: 1 };

const addressOf = async (gateway: Gateway): Promise<string> =>
	(await gateway.account.getIdentity()).address;

const backboneOf = (gateway: Gateway): Backbone => partsOf(gateway).backbone;

const newTemplate = (gateway: Gateway) =>
	gateway.templates.create({
		expiresAt,
		maxNumberOfAllocations: 5,
		content: { '@type': 'ArbitraryRelationshipTemplateContent', value: 1 },
	});

const newToken = (gateway: Gateway) =>
	gateway.tokens.create({ content: { value: 1 }, expiresAt, ephemeral: false });

/** An active relationship; answers its id. */
export async function befriend(
	network: SandboxNetwork,
	gateway: Gateway,
	peer: Gateway,
): Promise<string> {
	const { truncatedReference: reference } = await newTemplate(gateway);
	const { id: templateId } = await peer.templates.loadPeer({ reference });
	const { id } = await peer.relationships.create({ templateId, creationContent });
	await network.settle(gateway);
	await gateway.relationships.accept(id);
	await network.settle(peer);
	return id;
}

/** A call that needs nothing before it and leaves nothing behind. */
const asking =
	(reads: (context: StoryDependencies) => Promise<unknown>): StoryOf =>
	async (context) => ({ reads: () => reads(context) });

/** A new account, which reads what only new accounts read. */
const opening: StoryOf = async ({ openChanged }) => ({ reads: openChanged });

async function tellOfMails({ gateway, friend, network }: StoryDependencies): Promise<string[]> {
	const address = await addressOf(gateway);
	const ids: string[] = [];
	for (const subject of ['one', 'two', 'three']) {
		ids.push((await friend.messages.send(mailTo(address, subject))).id);
	}
	network.backbone.queues.deliverAll();
	return ids;
}

const receivingMails: StoryOf = async (context) => {
	const ids = await tellOfMails(context);
	const { gateway } = context;
	return {
		syncs: () => context.network.settle(gateway),
		check: async () => {
			for (const id of ids) {
				expect(await gateway.messages.get(id)).toMatchObject({ content: { '@type': 'Mail' } });
			}
		},
	};
};

export const answerStories: Readonly<Record<AnswerName, StoryOf>> = {
	version: opening,
	accessToken: opening,
	identity: opening,
	refusedLogin: asking(async ({ baseUrl }) => {
		const backbone = HttpBackbone.open({ baseUrl, clientId: 'test', clientSecret: 'wrong' });
		try {
			const { verdict } = await backbone.authentication.checkClient();
			expect(verdict).toBe('clientRefused');
		} finally {
			await backbone.close();
		}
	}),
	error: async ({ gateway, friend }) => {
		const { id, truncatedReference: reference } = await newTemplate(friend);
		await friend.templates.delete(id);
		return {
			reads: async () => {
				expect(await failureOf(gateway.templates.loadPeer({ reference }))).toMatchObject({
					code: 'error.runtime.recordNotFound',
				});
			},
		};
	},
	challenge: async ({ gateway, friend }) => {
		const ofFriend = await friend.challenges.create({ challengeType: 'Identity' });
		const { challengeString, signature } = ofFriend;
		return {
			reads: async () => {
				const own = await gateway.challenges.create({ challengeType: 'Identity' });
				expect(own.createdBy).toBe(await addressOf(gateway));
				const verdict = await gateway.challenges.validate({ challengeString, signature });
				expect(verdict).toMatchObject({ isValid: true });
			},
		};
	},
	identityState: asking(async ({ gateway }) => {
		expect(await gateway.account.checkIfDeleted()).toEqual({ isDeleted: false });
	}),
	self: asking(async ({ gateway }) => {
		const address = await addressOf(gateway);
		expect(await backboneOf(gateway).identities.self()).toMatchObject({ address });
	}),
	flags: async ({ gateway, friend }) => {
		await backboneOf(friend).identities.setFeatureFlags({ mails: true, files: false });
		const address = await addressOf(friend);
		return {
			reads: async () => {
				const flags = await backboneOf(gateway).identities.featureFlags(address);
				expect(flags).toMatchObject({ mails: true, files: false });
			},
		};
	},
	device: asking(({ gateway }) => backboneOf(gateway).devices.self()),
	deletionProcess: async ({ openChanged }) => {
		const gateway = await openChanged();
		return {
			reads: async () => {
				const { id } = await gateway.identityDeletion.initiate();
				await gateway.identityDeletion.list();
				expect(await gateway.identityDeletion.get(id)).toMatchObject({ id });
				await backboneOf(gateway).deletionProcesses.get(id);
				await backboneOf(gateway).deletionProcesses.list();
			},
		};
	},
	cancelledDeletion: async ({ openChanged }) => {
		const gateway = await openChanged();
		const { id } = await gateway.identityDeletion.initiate();
		return {
			reads: async () => {
				expect(await gateway.identityDeletion.cancel()).toMatchObject({ id });
			},
		};
	},
	datawallet: asking(async ({ gateway }) => {
		expect(await backboneOf(gateway).datawallet.get()).toEqual({ version: 1 });
	}),
	syncRunStart: receivingMails,
	syncRunEnd: receivingMails,
	externalEvent: receivingMails,
	message: async (context) => {
		const { gateway, friend } = context;
		const { id } = await friend.messages.send(mailTo(await addressOf(gateway), 'zero'));
		const story = await receivingMails(context);
		return {
			...story,
			reads: async () => {
				const { messages } = backboneOf(gateway);
				await gateway.account.reconcile({ full: true });
				await messages.page({ pageNumber: 1, pageSize: 2 });
				await messages.get(id);
			},
		};
	},
	syncRun: async (context) => {
		const { gateway, network } = context;
		await network.settle(gateway);
		await tellOfMails(context);
		const { syncRuns } = backboneOf(gateway);
		const { id = '' } = (await syncRuns.start('ExternalEventSync')) ?? {};
		return {
			reads: async () => {
				try {
					expect(await syncRuns.get(id)).toMatchObject({ id });
					await syncRuns.refreshExpirationTime(id);
				} finally {
					await syncRuns.finalizeExternalEventSync(id, []);
				}
			},
		};
	},
	newTemplate: asking(({ gateway }) => newTemplate(gateway)),
	template: async ({ gateway, friend }) => {
		const { id, truncatedReference: reference } = await newTemplate(friend);
		return {
			reads: async () => {
				expect(await gateway.templates.loadPeer({ reference })).toMatchObject({
					id,
					content: { value: 1 },
				});
				await backboneOf(gateway).templates.list([{ id }]);
			},
		};
	},
	canCreate: async ({ gateway, openPeer }) => {
		const peer = await openPeer();
		const { truncatedReference: reference } = await newTemplate(peer);
		const { id: templateId } = await gateway.templates.loadPeer({ reference });
		return {
			reads: async () => {
				expect(await gateway.relationships.canCreate({ templateId, creationContent })).toEqual({
					isSuccess: true,
				});
			},
		};
	},
	newRelationship: async ({ gateway, network, openPeer }) => {
		const peer = await openPeer();
		const { truncatedReference: reference } = await newTemplate(peer);
		const { id: templateId } = await gateway.templates.loadPeer({ reference });
		return {
			reads: async () => {
				const { id } = await gateway.relationships.create({ templateId, creationContent });
				expect(await gateway.relationships.get(id)).toMatchObject({
					peer: await addressOf(peer),
				});
			},
			recover: async () => {
				await network.settle(peer);
				const [pending] = await peer.relationships.list();
				if (pending?.status === 'Pending') await peer.relationships.accept(pending.id);
			},
		};
	},
	changedRelationship: async ({ gateway, network, openPeer }) => {
		const kept = await befriend(network, gateway, await openPeer());
		const left = await befriend(network, gateway, await openPeer());
		await gateway.relationships.terminate(left);
		return {
			reads: async () => {
				const { relationships } = backboneOf(gateway);
				await gateway.relationships.terminate(kept);
				await relationships.requestReactivation(kept);
				await relationships.revokeReactivation(kept);
				await gateway.relationships.decompose(left);
			},
			check: async () => {
				expect((await gateway.relationships.list()).map(({ id }) => id)).not.toContain(left);
			},
		};
	},
	relationship: async ({ gateway, network, openPeer }) => {
		const { id: templateId, truncatedReference: reference } = await newTemplate(gateway);
		const peers = [await openPeer(), await openPeer()];
		const ids: string[] = [];
		for (const peer of peers) {
			await peer.templates.loadPeer({ reference });
			ids.push((await peer.relationships.create({ templateId, creationContent })).id);
		}
		return {
			syncs: () => network.settle(gateway),
			reads: () => gateway.account.reconcile({ full: true }),
			check: async () => {
				for (const id of ids) {
					const { creationContent: content } = await gateway.relationships.get(id);
					expect(content).toEqual(creationContent);
				}
			},
		};
	},
	sentMessage: async ({ gateway, friend, network }) => {
		const address = await addressOf(friend);
		let id = '';
		return {
			reads: async () => {
				({ id } = await gateway.messages.send(mailTo(address, 'sent')));
			},
			check: async () => {
				await network.settle(friend);
				expect(await friend.messages.get(id)).toMatchObject({ content: { subject: 'sent' } });
			},
		};
	},
	newFile: asking(async ({ gateway }) => {
		const { id } = await gateway.files.upload(file, bytes);
		expect(Buffer.from((await gateway.files.download(id)).content)).toEqual(bytes);
	}),
	file: async ({ gateway, friend }) => {
		const own = await gateway.files.upload(file, bytes);
		const { id, truncatedReference: reference } = await friend.files.upload(file, bytes);
		return {
			reads: async () => {
				const { files } = backboneOf(gateway);
				expect(await gateway.files.getOrLoad({ reference })).toMatchObject({ id, ...file });
				await gateway.account.reconcile({ full: true });
				await files.list([own.id]);
			},
			check: async () => {
				expect(Buffer.from((await gateway.files.download(id)).content)).toEqual(bytes);
			},
		};
	},
	validity: async ({ gateway }) => {
		const { id, ownershipToken = '' } = await gateway.files.upload(file, bytes);
		return {
			reads: async () => {
				expect(await gateway.files.validateOwnershipToken(id, ownershipToken)).toBe(true);
			},
		};
	},
	newOwnershipToken: async ({ gateway, friend }) => {
		const {
			id,
			truncatedReference: reference,
			ownershipToken = '',
		} = await friend.files.upload(file, bytes);
		await gateway.files.getOrLoad({ reference });
		return {
			reads: async () => {
				expect(await gateway.files.claimOwnership(id, ownershipToken)).toMatchObject({
					isOwn: true,
				});
				await backboneOf(gateway).files.regenerateOwnershipToken(id);
			},
		};
	},
	newToken: asking(({ gateway }) => newToken(gateway)),
	token: async ({ gateway, friend, network }) => {
		const { id, truncatedReference: reference } = await newToken(friend);
		const empty = await newToken(friend);
		const row = network.backbone.state.tokens.get(empty.id);
		Object.assign(row ?? {}, { content: null, createdBy: null, createdByDevice: null });
		return {
			reads: async () => {
				expect(await gateway.tokens.loadPeer({ reference, ephemeral: true })).toMatchObject({
					id,
					content: { value: 1 },
				});
				await backboneOf(gateway).tokens.list([id]);
				const content = { filled: true };
				expect(
					await gateway.tokens.fill({ reference: empty.truncatedReference, content }),
				).toMatchObject({ id: empty.id, content });
			},
		};
	},
	tags: asking(async ({ gateway, network }) => {
		const { collection } = (await backboneOf(gateway).tags.get()) as { collection: unknown };
		expect(collection).toMatchObject(network.backbone.operatorTexts.tags);
	}),
	announcement: async ({ gateway, network }) => {
		const { operatorTexts } = network.backbone;
		const texts = { en: { title: 'Hello', body: 'World' } };
		for (const severity of ['Low', 'High'] as const) {
			operatorTexts.announce({
				...{ texts, severity, recipients: [], iqlQuery: null, expiresAt: null },
				actions: [{ displayName: { en: 'Read' }, link: 'https://example.com' }],
			});
		}
		return {
			reads: async () => {
				const found = await gateway.announcements.list({ language: 'en' });
				expect(found.length).toBeGreaterThan(1);
			},
		};
	},
};
