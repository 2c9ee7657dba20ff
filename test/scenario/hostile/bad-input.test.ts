import { judged, type Gateway } from '../../../core';
import { systemRandom } from '../../../core/base/random';
import { asSecretKey } from '../../../core/crypto/keys';
import {
	writeFileTokenContent,
	writeTemplateTokenContent,
} from '../../../core/domain/token/token-contents';
import { sealToken } from '../../../core/domain/token/token-envelope';
import type { JsonObject } from '../../../core/model/json';
import { parseReference, writeTruncatedReference } from '../../../core/model/reference';
import { failureOf } from '../../core/backbone/fixture-server';
import { TestClock } from '../../support/clock';
import { inOneHour, mailTo, relate, SandboxNetwork, settle } from '../../support/gateways';
import { loosely } from '../../support/loosely';

/* What a person or a peer can get wrong while using an account: a coded error, and no damage. */
let network: SandboxNetwork;
let gateway: Gateway;
let peer: Gateway;

beforeEach(async () => {
	network = await SandboxNetwork.open();
	gateway = await network.gateway();
	peer = await network.gateway();
});

afterEach(() => network.close());

const invalidValue = 'error.runtime.validation.invalidPropertyValue';
const content = { '@type': 'ArbitraryRelationshipTemplateContent' as const, value: 1 };
const creationContent = { '@type': 'ArbitraryRelationshipCreationContent' as const, value: 1 };

/** The code of the failure, which says in a sentence what to do. */
async function codeOf(work: Promise<unknown>): Promise<unknown> {
	const error = await failureOf(work);
	expect(error.message.length).toBeGreaterThan(10);
	expect(error['remedy']).toMatch(/\w+ \w+/);
	expect(error['kind']).not.toBe('internal');
	return error['code'];
}

async function template(
	creator = gateway,
	more: object = {},
): Promise<{ id: string; reference: string }> {
	const { id, truncatedReference: reference } = await creator.templates.create({
		content,
		expiresAt: inOneHour(),
		...more,
	});
	return { id, reference };
}

/** The reference of a token at the Backbone; null is the content of an empty one. */
function tokenWith(inside: JsonObject | null): string {
	const { state } = network.backbone;
	const id = state.newId('TOK');
	const sealed = sealToken(inside ?? {}, systemRandom);
	state.tokens.set(id, {
		id,
		createdBy: inside === null ? null : 'did:e:localhost:dids:0123456789abcdef012345',
		createdByDevice: inside === null ? null : state.newId('DVC'),
		createdAt: state.timestamp(),
		expiresAt: inOneHour(),
		content: inside === null ? null : sealed.content,
		forIdentity: null,
		password: null,
		allocations: [],
		failures: 0,
	});
	const { baseUrl: backboneBaseUrl } = network.backbone;
	return writeTruncatedReference({ id, key: sealed.secretKey, backboneBaseUrl });
}

/** The peer asks us for a relationship; it is pending. */
async function pending(): Promise<string> {
	const { reference } = await template();
	const { id: templateId } = await peer.templates.loadPeer({ reference });
	const { id } = await peer.relationships.create({ templateId, creationContent });
	await settle(gateway);
	return id;
}

const addressOf = async (who: Gateway): Promise<string> =>
	(await who.account.getIdentity()).address;

describe('a template', () => {
	it.each([
		['that has expired', { expiresAt: '2020-01-01T00:00:00.000Z' }, invalidValue],
		['that expires at no date', { expiresAt: 'tomorrow' }, invalidValue],
		['without any use', { maxNumberOfAllocations: 0 }, invalidValue],
		['for a malformed address', { forIdentity: 'me' }, invalidValue],
		['with an unknown member', { surprise: true }, invalidValue],
		[
			'with content of an unknown type',
			{ content: { '@type': 'Nope' } },
			'error.runtime.unknownType',
		],
		[
			'with a request without items',
			{ content: { '@type': 'RelationshipTemplateContent', onNewRelationship: { items: [] } } },
			'error.runtime.requestDeserialization',
		],
		[
			'with a request that expires after it',
			{
				content: {
					'@type': 'RelationshipTemplateContent',
					onNewRelationship: {
						'@type': 'Request',
						expiresAt: '2099-01-01T00:00:00.000Z',
						items: [
							{
								'@type': 'ReadAttributeRequestItem',
								mustBeAccepted: true,
								query: { '@type': 'IdentityAttributeQuery', valueType: 'GivenName' },
							},
						],
					},
				},
			},
			'error.runtime.relationshipTemplates.requestCannotExpireAfterRelationshipTemplate',
		],
	])('%s is not created', async (_, change, code) => {
		const create = gateway.templates.create(judged({ content, expiresAt: inOneHour(), ...change }));
		expect(await codeOf(create)).toBe(code);
		expect(await gateway.templates.list()).toEqual([]);
		expect(network.backbone.state.templates.size).toBe(0);
	});

	it.each([
		['text that is not a reference', 'hello', invalidValue],
		['a link to something else', 'https://example.com/r/x', invalidValue],
		[
			'a reference to a file',
			Buffer.from(`FILabcdefghijklmnopq|3|${'A'.repeat(43)}||`).toString('base64url'),
			invalidValue,
		],
		[
			'a reference without key',
			Buffer.from(`RLTabcdefghijklmnopq|3|||${' '.repeat(60)}`).toString('base64url'),
			'error.crypto.encryption.wrongSecretKey',
		],
	])('is not loaded with %s', async (_, reference, code) => {
		expect(await codeOf(peer.templates.loadPeer({ reference }))).toBe(code);
		expect(await peer.templates.list()).toEqual([]);
	});

	it('is not loaded after it has expired or was used up, nor without its password', async () => {
		const load = (reference: string, password?: string) =>
			codeOf(peer.templates.loadPeer({ reference, password }));
		const notFound = 'error.runtime.recordNotFound';
		const other = await network.gateway();
		const once = await template(gateway, { maxNumberOfAllocations: 1 });
		await other.templates.loadPeer({ reference: once.reference });
		expect(await load(once.reference)).toBe(
			'error.platform.validation.relationshipTemplate.maxNumberOfAllocationsExhausted',
		);
		const locked = await template(gateway, { passwordProtection: { password: 'right' } });
		expect(await load(locked.reference)).toBe('error.transport.noPasswordProvided');
		expect(await load(locked.reference, 'wrong')).toBe(notFound);
		const forOther = await template(gateway, { forIdentity: await addressOf(other) });
		expect(await load(forOther.reference)).toBe('error.transport.general.notIntendedForYou');
		const short = await template();
		network.backbone.advanceClock(3_600_001);
		expect(await load(short.reference)).toBe(notFound);
	});

	it('is loaded by a token that leads to it, and by no other token', async () => {
		const { reference } = await template();
		const { id: templateId, key } = parseReference(reference);
		const secretKey = asSecretKey(key);
		const load = (content: JsonObject | null) =>
			peer.templates.loadPeer({ reference: tokenWith(content) });
		expect((await load(writeTemplateTokenContent({ templateId, secretKey }))).id).toBe(templateId);
		const invalidContent = 'error.runtime.invalidTokenContent';
		expect(await codeOf(load(null))).toBe('error.transport.tokens.emptyToken');
		expect(await codeOf(load({ any: 'thing' }))).toBe(invalidContent);
		expect(await codeOf(load(writeFileTokenContent('FILabcdefghijklmnopq', secretKey)))).toBe(
			invalidContent,
		);
		const forIdentity = await addressOf(gateway);
		const forOther = writeTemplateTokenContent({ templateId, secretKey, forIdentity });
		expect(await codeOf(load(forOther))).toBe('error.transport.general.notIntendedForYou');
	});

	it('that is known cannot be used after it has expired, or when its owner is going', async () => {
		const ask = async (reference: string) => {
			const { id: templateId } = await peer.templates.loadPeer({ reference });
			return await codeOf(peer.relationships.create({ templateId, creationContent }));
		};
		const clock = new TestClock(Date.now());
		const late = await network.gateway(network.config(), { clock });
		const { reference } = await template();
		const { id: templateId } = await late.templates.loadPeer({ reference });
		clock.advance(2 * 3_600_000);
		expect(await codeOf(late.relationships.create({ templateId, creationContent }))).toBe(
			'error.transport.relationships.relationshipTemplateIsExpired',
		);
		const owner = await network.gateway();
		const identity = network.backbone.state.identities.get(await addressOf(owner));
		const usable = await template(owner);
		if (identity === undefined) throw new Error('The sandbox does not know the owner');
		network.backbone.deletions.start(identity, 'support', 0);
		expect(await ask(usable.reference)).toBe(
			'error.transport.relationships.activeIdentityDeletionProcessOfOwnerOfRelationshipTemplate',
		);
	});

	it('of an identity that is deleted says so', async () => {
		const owner = await network.gateway();
		const { reference } = await template(owner);
		const { id: templateId } = await peer.templates.loadPeer({ reference });
		const identity = network.backbone.state.identities.get(await addressOf(owner));
		if (identity === undefined) throw new Error('The sandbox does not know the owner');
		network.backbone.deletions.start(identity, 'support', 0);
		network.backbone.deletions.runJob();
		expect(await codeOf(peer.relationships.create({ templateId, creationContent }))).toBe(
			'error.transport.relationships.deletedOwnerOfRelationshipTemplate',
		);
	});
});

describe('a relationship', () => {
	it('that we created can be revoked, and not be accepted or rejected, by us', async () => {
		const id = await pending();
		const onlyForPeer = 'error.transport.relationships.operationOnlyAllowedForPeer';
		expect(await codeOf(peer.relationships.accept(id))).toBe(onlyForPeer);
		expect(await codeOf(peer.relationships.reject(id))).toBe(onlyForPeer);
		expect(await codeOf(gateway.relationships.revoke(id))).toBe(onlyForPeer);
		expect((await peer.relationships.revoke(id)).status).toBe('Revoked');
	});

	it('that is not pending cannot be decided again, and an unknown one not at all', async () => {
		const id = await pending();
		await gateway.relationships.accept(id);
		const wrongStatus = 'error.transport.relationships.wrongRelationshipStatus';
		for (const action of ['accept', 'reject', 'revoke'] as const) {
			expect(await codeOf(gateway.relationships[action](id))).toBe(wrongStatus);
		}
		expect(await codeOf(gateway.relationships.accept('REL00000000000000000'))).toBe(
			'error.runtime.recordNotFound',
		);
		expect((await gateway.relationships.get(id)).status).toBe('Active');
	});

	it('that the peer has revoked meanwhile is not accepted, and shown as revoked', async () => {
		const id = await pending();
		await peer.relationships.revoke(id);
		expect(await codeOf(gateway.relationships.accept(id))).toBe(
			'error.transport.relationships.wrongRelationshipStatus',
		);
		await settle(gateway);
		expect((await gateway.relationships.get(id)).status).toBe('Revoked');
	});

	it('begins once with a peer, and needs a template that is known', async () => {
		await relate(gateway, peer);
		const { reference } = await template();
		const { id: templateId } = await peer.templates.loadPeer({ reference });
		const create = peer.relationships.create({ templateId, creationContent });
		expect(await codeOf(create)).toBe('error.transport.relationships.relationshipCurrentlyExists');
		const unknown = peer.relationships.create({ templateId: 'RLT0', creationContent });
		expect(await codeOf(unknown)).toBe('error.runtime.recordNotFound');
		expect(await peer.relationships.list()).toHaveLength(1);
	});

	it('is not possible before the peer has left the former one, nor when the Backbone minds', async () => {
		const { reference } = await template();
		const { id: templateId } = await peer.templates.loadPeer({ reference });
		const refuse = (code: string | null) =>
			network.backbone.faults.add({
				path: /CanCreate/,
				action: { kind: 'status', status: 200, body: { result: { canCreate: false, code } } },
			});
		const create = () => codeOf(peer.relationships.create({ templateId, creationContent }));
		refuse('error.platform.validation.relationship.relationshipToTargetAlreadyExists');
		expect(await create()).toBe('error.transport.relationships.relationshipNotYetDecomposedByPeer');
		refuse(null);
		expect(await create()).toBe('error.gateway.relationships.refusedByBackbone');
		expect(await peer.relationships.list()).toEqual([]);
	});
});

describe('a message', () => {
	const noRelationship = 'error.transport.messages.missingOrInactiveRelationship';

	it('is not sent to strangers, or while the relationship is pending', async () => {
		const stranger = await addressOf(await network.gateway());
		expect(await codeOf(gateway.messages.send(mailTo(stranger)))).toBe(noRelationship);
		await pending();
		expect(await codeOf(gateway.messages.send(mailTo(await addressOf(peer))))).toBe(noRelationship);
		expect(await gateway.messages.list()).toEqual([]);
		expect(network.backbone.state.messages.size).toBe(0);
	});

	it.each([
		['without recipients', { recipients: [] }, invalidValue],
		['to an address that is none', { recipients: ['stranger'] }, invalidValue],
		['with an attachment that is not a file', { attachments: ['FIL1'] }, invalidValue],
		[
			'with one attachment twice',
			{ attachments: ['FILabcdefghijklmnopq', 'FILabcdefghijklmnopq'] },
			invalidValue,
		],
		[
			'with an attachment that is not known here',
			{ attachments: ['FILabcdefghijklmnopq'] },
			'error.runtime.recordNotFound',
		],
		[
			'with content of an unknown type',
			{ content: { '@type': 'Nope' } },
			'error.runtime.unknownType',
		],
		['with content that has no type', { content: { body: 'b' } }, invalidValue],
	])('%s is not sent', async (_, change, code) => {
		const { addressB } = await relate(gateway, peer);
		const send = gateway.messages.send(loosely({ ...mailTo(addressB), ...change }));
		expect(await codeOf(send)).toBe(code);
		expect(network.backbone.state.messages.size).toBe(0);
		expect(await gateway.messages.unresolvedSends()).toEqual([]);
	});

	it('whose Mail names others than its recipients, or one twice, is not sent', async () => {
		const { addressA, addressB } = await relate(gateway, peer);
		const mail = (to: string[]) => ({ ...mailTo(addressB).content, to });
		for (const to of [[addressA], [addressB, addressB], [addressA, addressB]]) {
			const send = gateway.messages.send({ recipients: [addressB], content: mail(to) });
			expect(await codeOf(send)).toBe(invalidValue);
		}
		const twice = gateway.messages.send({
			...mailTo(addressB),
			recipients: [addressB, addressB],
		});
		expect(await codeOf(twice)).toBe(invalidValue);
		expect(network.backbone.state.messages.size).toBe(0);
	});

	it('is not sent to a peer that is being deleted or is gone', async () => {
		const { addressB } = await relate(gateway, peer);
		const identity = network.backbone.state.identities.get(addressB);
		if (identity === undefined) throw new Error('The sandbox does not know the peer');
		const { deletions } = network.backbone;
		const process = deletions.start(identity, 'support');
		await settle(gateway);
		expect(await codeOf(gateway.messages.send(mailTo(addressB)))).toBe(
			'error.runtime.messages.peerIsInDeletion',
		);
		deletions.cancel(identity, process, 'support');
		await settle(gateway);
		await gateway.messages.send(mailTo(addressB, 'in between'));
		deletions.start(identity, 'support', 0);
		deletions.runJob();
		await settle(gateway);
		expect(await codeOf(gateway.messages.send(mailTo(addressB)))).toBe(noRelationship);
	});
});

describe('an attribute', () => {
	const value = (type: string, text: unknown) => ({
		content: { value: { '@type': type, value: text } },
	});

	it.each([
		['of a type that does not exist', value('Nope', 'x'), invalidValue],
		[
			'with a part that is out of its range',
			{ content: { value: { '@type': 'BirthDate', day: 32, month: 2, year: 2000 } } },
			'error.runtime.requestDeserialization',
		],
		['whose value is not a text', value('GivenName', 7), invalidValue],
		[
			'with an owner',
			{ content: { ...value('GivenName', 'x').content, owner: 'me' } },
			invalidValue,
		],
		['without content', {}, invalidValue],
	])('%s is not created', async (_, input, code) => {
		expect(await codeOf(gateway.attributes.create(judged(input)))).toBe(code);
		expect(await gateway.attributes.list()).toEqual([]);
	});

	it('that exists is not created again, whatever white space surrounds it', async () => {
		await gateway.attributes.create(loosely(value('GivenName', 'Ada')));
		expect(await codeOf(gateway.attributes.create(loosely(value('GivenName', ' Ada '))))).toBe(
			'error.runtime.attributes.cannotCreateDuplicateRepositoryAttribute',
		);
		expect(await gateway.attributes.list()).toHaveLength(1);
	});
});
