import type { EventName, Gateway, RelationshipDto } from '../../../core';
import { inOneHour, relate, SandboxNetwork } from '../../support/gateways';

jest.setTimeout(120_000);

/* docs/adr/0025-reconciliation.md: what the Backbone has stored and never announced, one kind at a time */
describe.each([6, 7] as const)('an event that the Backbone %i has lost', (majorVersion) => {
	let network: SandboxNetwork;
	let own: Gateway;
	let peer: Gateway;
	let address: string;
	let peerAddress: string;

	beforeEach(async () => {
		network = await SandboxNetwork.open({ majorVersion, maxUnreceivedMessages: 1_000 });
		own = await network.gateway();
		peer = await network.gateway();
		({ address } = await own.account.getIdentity());
		({ address: peerAddress } = await peer.account.getIdentity());
	});
	afterEach(() => network.close());

	/** Nothing of what this brings about is told to the account. */
	async function unannounced<Result>(work: () => Promise<Result>): Promise<Result> {
		const { queues } = network.backbone;
		queues.drop({ owner: address });
		const result = await work();
		queues.restore();
		await network.settle(own);
		return result;
	}

	const countOf = async (name: EventName): Promise<number> =>
		(await own.events.recent({ names: [name] }, 50)).length;

	/** What one comparison told, and the next does not tell again. */
	async function foundNames(): Promise<string[]> {
		const names = async (): Promise<string[]> =>
			(await own.events.recent({}, 200)).map(({ id, event }) => `${id} ${event}`);
		const before = new Set(await names());
		await own.account.reconcile();
		const after = await names();
		await own.account.reconcile();
		expect(await names()).toEqual(after);
		return after.filter((one) => !before.has(one)).map((one) => one.split(' ')[1] ?? '');
	}

	/** Of the peer, not answered yet. */
	async function pending(templator: Gateway, requestor: Gateway): Promise<RelationshipDto> {
		const template = await templator.templates.create({
			expiresAt: inOneHour(),
			content: { '@type': 'ArbitraryRelationshipTemplateContent', value: {} },
		});
		const { id } = await requestor.templates.loadPeer({ reference: template.truncatedReference });
		const asked = await requestor.relationships.create({
			templateId: id,
			creationContent: { '@type': 'ArbitraryRelationshipCreationContent', value: {} },
		});
		await network.settle(templator);
		return asked;
	}

	const terminated = async (): Promise<string> => {
		const { relationshipId } = await relate(own, peer);
		await own.relationships.terminate(relationshipId);
		await network.settle(own, peer);
		return relationshipId;
	};

	it('about the answer to a request for a relationship is found', async () => {
		const accepted = await pending(peer, own);
		await unannounced(() => peer.relationships.accept(accepted.id));
		expect(await foundNames()).toContain('transport.relationshipChanged');
		expect((await own.relationships.get(accepted.id)).status).toBe('Active');
	});

	it('about a refusal is found', async () => {
		const refused = await pending(peer, own);
		await unannounced(() => peer.relationships.reject(refused.id));
		expect(await foundNames()).toContain('transport.relationshipChanged');
		expect((await own.relationships.get(refused.id)).status).toBe('Rejected');
	});

	it('about a withdrawn request is found', async () => {
		const revoked = await pending(own, peer);
		await unannounced(() => peer.relationships.revoke(revoked.id));
		expect(await foundNames()).toContain('transport.relationshipChanged');
		expect((await own.relationships.get(revoked.id)).status).toBe('Revoked');
	});

	it('about a request to reactivate, and about its withdrawal, is found', async () => {
		const id = await terminated();
		await unannounced(() => peer.relationships.requestReactivation(id));
		expect(await foundNames()).toContain('transport.relationshipReactivationRequested');
		await unannounced(() => peer.relationships.revokeReactivation(id));
		expect(await foundNames()).toContain('transport.relationshipReactivationCompleted');
	});

	it.each(['acceptReactivation', 'rejectReactivation'] as const)(
		'about the answer to a request to reactivate is found: %s',
		async (answer) => {
			const id = await terminated();
			await own.relationships.requestReactivation(id);
			await network.settle(peer);
			await unannounced(() => peer.relationships[answer](id));
			expect(await foundNames()).toContain('transport.relationshipReactivationCompleted');
		},
	);

	it('about the end of a relationship at the peer is found', async () => {
		const id = await terminated();
		await unannounced(() => peer.relationships.decompose(id));
		expect(await foundNames()).toContain('transport.relationshipChanged');
		expect((await own.relationships.get(id)).status).toBe('DeletionProposed');
	});

	it('about the planned deletion of a peer, its cancellation and its end is found', async () => {
		const { relationshipId } = await relate(own, peer);
		const info = async () => (await own.relationships.get(relationshipId)).peerDeletionInfo;
		for (const round of [1, 2]) {
			await unannounced(() => peer.identityDeletion.initiate({ lengthOfGracePeriodInDays: 1 }));
			expect(await foundNames()).toEqual(['transport.peerToBeDeleted']);
			expect(await info()).toMatchObject({ deletionStatus: 'ToBeDeleted' });
			await unannounced(() => peer.identityDeletion.cancel());
			expect(await foundNames()).toEqual(['transport.peerDeletionCancelled']);
			expect(await info()).toBeUndefined();
			expect(await countOf('transport.peerDeletionCancelled')).toBe(round);
		}
		await unannounced(async () => {
			await peer.identityDeletion.initiate({ lengthOfGracePeriodInDays: 0 });
			network.backbone.advanceClock(1_000);
			network.backbone.runJobs();
		});
		expect(await foundNames()).toContain('transport.peerDeleted');
		expect(await info()).toMatchObject({ deletionStatus: 'Deleted' });
	});

	it('about what support does with the deletion of the own identity is found', async () => {
		const { deletions, state } = network.backbone;
		const row = state.identities.get(address);
		if (row === undefined) throw new Error('The sandbox does not know the account');
		await network.settle(own);
		network.backbone.queues.drop({ owner: address });
		const process = deletions.start(row, 'support');
		deletions.cancel(row, process, 'support');
		network.backbone.queues.restore();
		await network.settle(own);
		expect(await foundNames()).toEqual(['transport.identityDeletionProcessStatusChanged']);
		expect((await own.identityDeletion.get(process.id)).status).toBe('Cancelled');
	});

	const upload = (name: string) =>
		own.files.upload(
			{ filename: name, mimetype: 'text/plain', title: name, expiresAt: inOneHour() },
			Buffer.from(name),
		);

	it('about the lock of an own file, and about its claim, is found', async () => {
		const [locked, claimed] = [await upload('locked'), await upload('claimed')];
		await peer.files.getOrLoad({ reference: locked.truncatedReference });
		await peer.files.getOrLoad({ reference: claimed.truncatedReference });
		await unannounced(async () => {
			await peer.files.validateOwnershipToken(locked.id, 'a-token-of-no-value');
			await peer.files.claimOwnership(claimed.id, claimed.ownershipToken ?? '');
		});
		expect((await foundNames()).sort()).toEqual([
			'transport.fileOwnershipClaimed',
			'transport.fileOwnershipLocked',
		]);
		expect((await own.files.get(claimed.id)).owner).toBe(peerAddress);
	});

	it('about files that the account has claimed is found, although no list shows them', async () => {
		const names = ['first', 'second', 'third'];
		for (const name of names) {
			const made = await peer.files.upload(
				{ filename: name, mimetype: 'text/plain', title: name, expiresAt: inOneHour() },
				Buffer.from(name),
			);
			const { id } = await own.files.getOrLoad({ reference: made.truncatedReference });
			await own.files.claimOwnership(id, made.ownershipToken ?? '');
		}
		await network.settle(peer);
		const files = (await own.files.list()).filter(({ filename }) => names.includes(filename));
		const stranger = await network.gateway();
		await unannounced(async () => {
			for (const { id } of files) {
				const { truncatedReference } = await own.files.get(id);
				await stranger.files.getOrLoad({ reference: truncatedReference });
				await stranger.files.validateOwnershipToken(id, 'a-token-of-no-value');
			}
		});
		await own.account.reconcile({ full: true });
		for (const { id } of files) {
			expect(await own.files.get(id)).toMatchObject({ ownershipIsLocked: true });
		}
		expect(await countOf('transport.fileOwnershipLocked')).toBe(names.length);
	});
});
