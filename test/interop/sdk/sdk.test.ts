import { apiKey, HttpGateway } from '../../core/server/support/http-gateway';
import { inOneHour, TestNetwork } from '../../support/gateways';
import { OfficialClient } from './official-client';

jest.setTimeout(120_000);

/* The published client 6.7.0, unmodified, against our server (docs/protocol/http-api.md 16.1). */

let network: TestNetwork;
let a: HttpGateway;
let b: HttpGateway;
let ofA: OfficialClient;
let ofB: OfficialClient;
let addressA: string;
let addressB: string;
/** of both gateways; made by the first test, which all others build on */
let relationshipId: string;
/** the attribute that A has shared with B: own, and its copy */
let shared: { own: string; copy: string };

const png = (bytes: ArrayBuffer | Uint8Array): string =>
	Buffer.from(bytes as Uint8Array).toString('latin1', 1, 4);
const arbitrary = (value: unknown = {}) => ({
	'@type': 'ArbitraryRelationshipTemplateContent',
	value,
});
const name = (value: string) => ({ '@type': 'GivenName', value });

beforeAll(async () => {
	network = await TestNetwork.open();
	a = await HttpGateway.open(network, { version: '6.7.0' });
	b = await HttpGateway.open(network);
	ofA = new OfficialClient(a.server.address, apiKey);
	ofB = new OfficialClient(b.server.address, apiKey);
	addressA = (await ofA.ask('account.getIdentityInfo')).address;
	addressB = (await ofB.ask('account.getIdentityInfo')).address;
});
afterAll(async () => {
	await a.close();
	await b.close();
	await network.close();
});

/** The first sync is the client's own; what comes later is waited for. */
const syncA = async (): Promise<void> => {
	await ofA.ask('account.sync');
	await network.settle(a.gateway);
};
const syncB = async (): Promise<void> => {
	await ofB.ask('account.sync');
	await network.settle(b.gateway);
};
const syncBoth = async (): Promise<void> => {
	await syncA();
	await syncB();
};

describe('the official client', () => {
	it('onboards a person with a request, as in docs/protocol/http-api.md 8.17', async () => {
		const own = await ofA.ask('attributes.createRepositoryAttribute', {
			content: { value: { '@type': 'DisplayName', value: 'Example Org' } },
		});
		const items = [
			{
				'@type': 'ShareAttributeRequestItem',
				mustBeAccepted: true,
				attribute: own.content,
				sourceAttributeId: own.id,
			},
			{
				'@type': 'ReadAttributeRequestItem',
				mustBeAccepted: true,
				query: { '@type': 'IdentityAttributeQuery', valueType: 'GivenName' },
			},
		];
		expect(
			await ofA.ask('outgoingRequests.canCreateRequest', { content: { items } }),
		).toMatchObject({ isSuccess: true, items: [{ isSuccess: true }, { isSuccess: true }] });
		const template = await ofA.ask('relationshipTemplates.createOwnRelationshipTemplate', {
			maxNumberOfAllocations: 1,
			expiresAt: inOneHour(),
			content: {
				'@type': 'RelationshipTemplateContent',
				title: 'Demo',
				onNewRelationship: { '@type': 'Request', items },
			},
		});
		const picture = await ofA.ask(
			'relationshipTemplates.getQrCodeForOwnRelationshipTemplate',
			template.id,
		);
		expect(png(picture)).toBe('PNG');

		const loaded = await ofB.ask('relationshipTemplates.loadPeerRelationshipTemplate', {
			reference: template.truncatedReference,
		});
		expect(loaded).toMatchObject({ id: template.id, isOwn: false });
		const [request] = await ofB.ask('incomingRequests.getRequests', {
			source: { reference: template.id },
		});
		expect(request.status).toBe('ManualDecisionRequired');
		const decision = {
			items: [
				{ accept: true },
				{
					accept: true,
					newAttribute: { '@type': 'IdentityAttribute', owner: addressB, value: name('Ada') },
				},
			],
		};
		const no = { items: [{ accept: false }, { accept: false }] };
		expect((await ofB.ask('incomingRequests.canAccept', request.id, decision)).isSuccess).toBe(
			true,
		);
		expect((await ofB.ask('incomingRequests.canAccept', request.id, no)).isSuccess).toBe(false);
		expect((await ofB.ask('incomingRequests.canReject', request.id, no)).isSuccess).toBe(true);
		await ofB.ask('incomingRequests.accept', request.id, decision);
		expect((await ofB.ask('incomingRequests.getRequest', request.id)).response.content.result).toBe(
			'Accepted',
		);

		await syncBoth();
		const [pending] = await ofA.ask('relationships.getRelationships', {
			template: { id: template.id },
		});
		expect(pending).toMatchObject({ status: 'Pending', peer: addressB });
		relationshipId = pending.id;
		const accepted = await ofA.ask('relationships.acceptRelationship', relationshipId);
		expect(accepted.status).toBe('Active');
		const received = await ofA.ask('attributes.getAttributes', {
			content: { owner: addressB },
			shareInfo: { peer: addressB },
		});
		expect(received).toMatchObject([{ content: { value: name('Ada') } }]);
		const [copy] = await ofA.ask('attributes.getOwnSharedIdentityAttributes', { peer: addressB });
		expect(copy.shareInfo.sourceAttribute).toBe(own.id);
		shared = { own: own.id, copy: copy.id };
		const [completed] = await ofA.ask('outgoingRequests.getRequests', { peer: addressB });
		expect(completed).toMatchObject({ status: 'Completed', peer: addressB });
		expect(await ofA.ask('outgoingRequests.getRequest', completed.id)).toEqual(completed);
		expect(
			(await ofA.ask('relationships.getAttributesForRelationship', relationshipId)).length,
		).toBeGreaterThan(0);
		await syncB();
		expect((await ofB.ask('relationships.getRelationship', relationshipId)).status).toBe('Active');
	});

	it('exchanges mails with files', async () => {
		const file = await ofA.ask('files.uploadOwnFile', {
			title: 'A note',
			description: 'Text',
			expiresAt: inOneHour(),
			filename: 'Übersicht.txt',
			file: Buffer.from('Grüße'),
		});
		expect(file).toMatchObject({ title: 'A note', description: 'Text', filesize: 7 });
		const mail = { '@type': 'Mail', to: [addressB], subject: 'Hello', body: 'Text' };
		const sent = await ofA.ask('messages.sendMessage', {
			recipients: [addressB],
			content: mail,
			attachments: [file.id],
		});
		await syncB();
		const [received] = await ofB.ask('messages.getMessages', { participant: addressA });
		expect(received).toMatchObject({ id: sent.id, content: mail });
		expect(await ofB.ask('messages.getMessages', { content: { '@type': 'Request' } })).toEqual([]);
		expect((await ofB.ask('messages.getMessage', sent.id)).attachments).toMatchObject([
			{ id: file.id },
		]);
		expect((await ofB.ask('messages.getAttachment', sent.id, file.id)).id).toBe(file.id);
		const bytes = await ofB.ask('messages.downloadAttachment', sent.id, file.id);
		expect(Buffer.from(bytes).toString()).toBe('Grüße');
	});

	it('sends a request by message and gets it rejected', async () => {
		const draft = await ofA.ask('outgoingRequests.createRequest', {
			peer: addressB,
			content: {
				items: [{ '@type': 'ConsentRequestItem', mustBeAccepted: true, consent: 'Yes?' }],
			},
		});
		expect(draft.status).toBe('Draft');
		await ofA.ask('messages.sendMessage', { recipients: [addressB], content: draft.content });
		await syncB();
		const rejected = await ofB.ask('incomingRequests.reject', draft.id, {
			items: [{ accept: false, code: 'no', message: 'No' }],
		});
		expect(rejected.response.content.result).toBe('Rejected');
		await syncBoth();
		expect(await ofA.ask('outgoingRequests.getRequest', draft.id)).toMatchObject({
			status: 'Completed',
			response: { content: { result: 'Rejected' } },
		});
	});

	it('keeps attributes, with their versions, and tells peers', async () => {
		const { predecessor, successor } = await ofA.ask('attributes.succeedAttribute', shared.own, {
			successorContent: { value: { '@type': 'DisplayName', value: 'Example Inc' } },
		});
		expect([predecessor.succeededBy, successor.succeeds]).toEqual([successor.id, predecessor.id]);
		const notified = await ofA.ask(
			'attributes.notifyPeerAboutRepositoryAttributeSuccession',
			successor.id,
			{ peer: addressB },
		);
		expect(notified.notificationId).toMatch(/^NOT/);
		await syncB();
		const [atPeer] = await ofB.ask('attributes.getPeerSharedIdentityAttributes', {
			peer: addressA,
		});
		expect(atPeer.content.value.value).toBe('Example Inc');
		// Ours: routes of attributes name the owner at the top, results of a succession do not.
		const kept = await ofA.ask('attributes.getAttribute', successor.id);
		expect(kept).toEqual({ ...successor, owner: addressA });
		expect((await ofA.ask('attributes.getValidAttributes', {})).length).toBeGreaterThan(1);
		expect(await ofA.ask('attributes.getOwnRepositoryAttributes', {})).toHaveLength(1);
		expect(
			await ofA.ask('attributes.getOwnRepositoryAttributes', { onlyLatestVersions: false }),
		).toHaveLength(2);
		const versions = await ofA.ask('attributes.getVersionsOfAttribute', successor.id);
		expect(versions.map(({ id }: { id: string }) => id)).toEqual([successor.id, shared.own]);
		const copies = await ofA.ask('attributes.getSharedVersionsOfAttribute', successor.id, {
			peers: [addressB],
			onlyLatestVersions: false,
		});
		expect(copies).toHaveLength(2);

		const query = { '@type': 'IdentityAttributeQuery', valueType: 'DisplayName' };
		expect(
			(await ofA.ask('attributes.executeIdentityAttributeQuery', { query })).length,
		).toBeGreaterThan(0);
		const iql = { queryString: 'DisplayName' };
		expect((await ofA.ask('attributes.executeIQLQuery', { query: iql })).length).toBeGreaterThan(0);
		const thirdParty = {
			'@type': 'ThirdPartyRelationshipAttributeQuery',
			key: 'customer',
			owner: '',
			thirdParty: [addressB],
		};
		expect(
			await ofA.ask('attributes.executeThirdPartyRelationshipAttributeQuery', {
				query: thirdParty,
			}),
		).toEqual([]);
		const relationshipQuery = {
			'@type': 'RelationshipAttributeQuery',
			key: 'customer',
			owner: addressA,
			attributeCreationHints: {
				title: 'Customer',
				valueType: 'ProprietaryString',
				confidentiality: 'public',
			},
		};
		expect(
			await ofA.refused('attributes.executeRelationshipAttributeQuery', {
				query: relationshipQuery,
			}),
		).toBe('error.runtime.recordNotFound');
	});

	it('deletes attributes in all directions', async () => {
		const own = await ofA.ask('attributes.createRepositoryAttribute', {
			content: { value: { '@type': 'City', value: 'Heidelberg' } },
		});
		await ofA.ask('attributes.deleteRepositoryAttribute', own.id);
		expect(await ofA.refused('attributes.getAttribute', own.id)).toBe(
			'error.runtime.recordNotFound',
		);
		const [given] = await ofA.ask('attributes.getOwnSharedIdentityAttributes', { peer: addressB });
		const deleted = await ofA.ask('attributes.deleteOwnSharedAttributeAndNotifyPeer', given.id);
		expect(deleted.notificationId).toMatch(/^NOT/);
		await syncB();
		expect((await ofB.ask('attributes.getAttribute', given.id)).deletionInfo.deletionStatus).toBe(
			'DeletedByOwner',
		);
		const [taken] = await ofA.ask('attributes.getPeerSharedIdentityAttributes', { peer: addressB });
		await ofA.ask('attributes.deletePeerSharedAttributeAndNotifyOwner', taken.id);
		await syncB();
		expect((await ofB.ask('attributes.getAttribute', taken.id)).deletionInfo.deletionStatus).toBe(
			'DeletedByPeer',
		);
		expect(
			await ofA.refused(
				'attributes.deleteThirdPartyRelationshipAttributeAndNotifyPeer',
				shared.own,
			),
		).toBe('error.runtime.attributes.isNotThirdPartyRelationshipAttribute');
	});

	it('shares files and tokens', async () => {
		const file = await ofA.ask('files.uploadOwnFile', {
			title: 'Shared',
			expiresAt: inOneHour(),
			filename: 'a.bin',
			file: Buffer.from([1, 2, 3]),
		});
		expect(await ofA.ask('files.getFile', file.id)).toEqual(file);
		expect((await ofA.ask('files.getFiles', { title: 'Shared' })).length).toBe(1);
		expect((await ofA.ask('files.getOwnFiles', { title: 'Other' })).length).toBe(0);
		expect(Buffer.from(await ofA.ask('files.downloadFile', file.id))).toEqual(
			Buffer.from([1, 2, 3]),
		);
		expect(png(await ofA.ask('files.getQrCodeForFile', file.id))).toBe('PNG');
		expect(png(await ofA.ask('files.createTokenQrCodeForFile', file.id, {}))).toBe('PNG');
		const token = await ofA.ask('files.createTokenForFile', file.id, { ephemeral: false });
		await ofB.ask('files.loadPeerFile', { reference: token.truncatedReference });
		expect((await ofB.ask('files.getPeerFiles', {})).length).toBeGreaterThan(0);

		const own = await ofA.ask('tokens.createOwnToken', {
			content: { any: 'thing' },
			expiresAt: inOneHour(),
			ephemeral: false,
		});
		expect((await ofA.ask('tokens.getToken', own.id)).id).toBe(own.id);
		expect(png(await ofA.ask('tokens.getQrCodeForToken', own.id))).toBe('PNG');
		expect((await ofA.ask('tokens.getOwnTokens', {})).length).toBe(2);
		await ofB.ask('tokens.loadPeerToken', { reference: own.truncatedReference, ephemeral: false });
		expect((await ofB.ask('tokens.getPeerTokens', {})).length).toBe(1);
	});

	it('remembers identities and proves itself', async () => {
		const reference = addressB;
		await ofA.ask('identityMetadata.upsertIdentityMetadata', { reference, value: { vip: true } });
		expect((await ofA.ask('identityMetadata.getIdentityMetadata', reference)).value).toEqual({
			vip: true,
		});
		await ofA.ask('identityMetadata.deleteIdentityMetadata', reference);
		expect(await ofA.refused('identityMetadata.getIdentityMetadata', reference)).toBe(
			'error.runtime.identityMetadata.notFound',
		);
		const challenge = await ofA.ask('challenges.createChallenge', { challengeType: 'Identity' });
		const verdict = await ofB.ask('challenges.validateChallenge', {
			challengeString: challenge.challengeString,
			signature: challenge.signature,
		});
		expect(verdict).toMatchObject({
			isValid: true,
			correspondingRelationship: { peer: addressA },
		});
	});

	it('lists and shares templates', async () => {
		const own = await ofA.ask('relationshipTemplates.createOwnRelationshipTemplate', {
			content: arbitrary(),
			expiresAt: inOneHour(),
		});
		expect(await ofA.ask('relationshipTemplates.getRelationshipTemplate', own.id)).toEqual(own);
		expect(await ofA.ask('relationshipTemplates.getRelationshipTemplates', {})).toHaveLength(2);
		expect(await ofA.ask('relationshipTemplates.getOwnRelationshipTemplates', {})).toHaveLength(2);
		expect(await ofB.ask('relationshipTemplates.getPeerRelationshipTemplates', {})).toHaveLength(1);
		const token = await ofA.ask(
			'relationshipTemplates.createTokenForOwnRelationshipTemplate',
			own.id,
			{ ephemeral: true },
		);
		expect(token.isEphemeral).toBe(true);
		const picture = await ofA.ask(
			'relationshipTemplates.createTokenQrCodeForOwnRelationshipTemplate',
			own.id,
			{},
		);
		expect(png(picture)).toBe('PNG');
	});

	it('ends and brings back relationships', async () => {
		const terminated = await ofA.ask('relationships.terminateRelationship', relationshipId);
		expect(terminated.status).toBe('Terminated');
		await syncB();
		for (const verb of ['reject', 'revoke', 'accept']) {
			await ofA.ask('relationships.requestRelationshipReactivation', relationshipId);
			await syncB();
			const who = verb === 'revoke' ? ofA : ofB;
			const after = await who.ask(`relationships.${verb}RelationshipReactivation`, relationshipId);
			expect(after.status).toBe(verb === 'accept' ? 'Active' : 'Terminated');
			await syncBoth();
		}
		await ofB.ask('relationships.terminateRelationship', relationshipId);
		await ofB.ask('relationships.decomposeRelationship', relationshipId);
		expect(await ofB.refused('relationships.getRelationship', relationshipId)).toBe(
			'error.runtime.recordNotFound',
		);
		await syncA();
		expect((await ofA.ask('relationships.getRelationship', relationshipId)).status).toBe(
			'DeletionProposed',
		);
		await ofA.ask('relationships.decomposeRelationship', relationshipId);
	});

	it('answers templates without a request', async () => {
		for (const [who, verb, status] of [
			[ofA, 'reject', 'Rejected'],
			[ofB, 'revoke', 'Revoked'],
		] as const) {
			const template = await ofA.ask('relationshipTemplates.createOwnRelationshipTemplate', {
				content: arbitrary(),
				expiresAt: inOneHour(),
			});
			await ofB.ask('relationshipTemplates.loadPeerRelationshipTemplate', {
				reference: template.truncatedReference,
			});
			const creation = {
				templateId: template.id,
				creationContent: { '@type': 'ArbitraryRelationshipCreationContent', value: {} },
			};
			expect(await ofB.ask('relationships.canCreateRelationship', creation)).toEqual({
				isSuccess: true,
			});
			const created = await ofB.ask('relationships.createRelationship', creation);
			await syncA();
			const done = await who.ask(`relationships.${verb}Relationship`, created.id);
			expect(done.status).toBe(status);
			await syncBoth();
		}
	});

	it('watches over the gateway', async () => {
		// These three have no envelope, and come as they are.
		expect(await ofA.raw('monitoring.getHealth')).toMatchObject({ isHealthy: true });
		expect(await ofA.raw('monitoring.getVersion')).toMatchObject({ version: '6.7.0' });
		expect(await ofA.raw('monitoring.getRequests')).toMatchObject({
			requestCount: expect.any(Number) as number,
		});
		expect(await ofA.raw('monitoring.getSupport')).toMatchObject({
			identityInfo: { address: addressA },
		});
		expect((await ofA.ask('account.getSyncInfo')).lastSyncRun.completedAt).toMatch(/Z$/);
		const stranger = new OfficialClient(a.server.address, 'wrong');
		expect(await stranger.refused('account.getIdentityInfo')).toBe('error.connector.unauthorized');
	});

	it('has no method that was not used here', () => {
		expect(ofA.methods().length).toBeGreaterThan(70);
		expect(ofA.uncalled(ofB)).toEqual([]);
	});
});
