import { ownMember, type JsonObject } from '../../../core/model/json';
import { Gateway } from '../../../core';
import { openCarelessPeer } from '../../support/peer/careless-peer';
import { inOneHour, mailTo, relate, SandboxNetwork, settle } from '../../support/gateways';
import { loosely } from '../../support/loosely';

jest.setTimeout(60_000);

/* What peers tell each other of attributes that both hold (docs/protocol/consumption.md 8.7 to 8.14, 9). */

let network: SandboxNetwork;
let a: Gateway;
let b: Gateway;
let relationshipId: string;
let [addressA, addressB] = ['', ''];
let elapsedMs = 0;

beforeEach(async () => {
	elapsedMs = 0;
	network = await SandboxNetwork.open();
	const clock = { now: () => Date.now() + elapsedMs };
	[a, b] = [await network.gateway(network.config(), { clock }), await network.gateway()];
	({ relationshipId, addressA, addressB } = await relate(a, b));
});
afterEach(() => network.close());

const name = (value: string) => ({ '@type': 'GivenName' as const, value });
const valuesOf = async (gateway: Gateway): Promise<unknown[]> =>
	(await gateway.attributes.list({ onlyLatestVersions: true })).map(
		({ content }) => (content['value'] as { value: unknown }).value,
	);

/** Sends the requests that wait, lets the other side take them, and brings the answers. */
async function acceptAll(sender: Gateway, recipient: Gateway): Promise<void> {
	await settle(recipient);
	const waiting = await recipient.incomingRequests.list({
		query: { status: 'ManualDecisionRequired' },
	});
	for (const { id, content } of waiting) {
		const items = (content['items'] as unknown[]).map(() => ({ accept: true }));
		await recipient.incomingRequests.accept(id, { items });
	}
	await settle(sender);
}

/** An attribute of A that B has, with the id of the copy. */
async function shared(value = 'Ann'): Promise<{ id: string; copyId: string }> {
	const { id } = await a.attributes.create({ content: { value: name(value) } });
	await a.attributes.share(id, { peer: addressB });
	await acceptAll(a, b);
	const [copy] = await a.attributes.sharedVersions(id);
	return { id, copyId: copy?.id ?? '' };
}

const succeedAndNotify = async (id: string, value: string): Promise<string> => {
	const { successor } = await a.attributes.succeed(id, {
		successorContent: { value: name(value) },
	});
	await a.attributes.notifyPeer(successor.id, { peer: addressB });
	return successor.id;
};

const failSends = (kind: 'cutBefore' | 'cutAfter', times = 1): void => {
	network.backbone.faults.add({ method: 'POST', path: /Messages/, times, action: { kind } });
};

describe('a notification', () => {
	it.each(['cutBefore', 'cutAfter'] as const)(
		'arrives once although its sending is interrupted (%s)',
		async (kind) => {
			const { id } = await shared();
			failSends(kind);
			await succeedAndNotify(id, 'Anna');
			await settle(b);
			if (kind === 'cutBefore') expect(await valuesOf(b)).toEqual(['Ann']);
			await settle(a);
			await settle(b);
			expect(await valuesOf(b)).toEqual(['Anna']);
			expect(await b.localNotifications.list()).toHaveLength(1);
			expect(await a.localNotifications.list()).toMatchObject([{ status: 'Sent' }]);
			expect((await a.account.getSyncStatus()).unresolvedSends).toBe(0);
		},
	);

	it('waits for those before it, so that versions arrive in their order', async () => {
		const { id } = await shared();
		failSends('cutBefore', 2);
		const second = await succeedAndNotify(id, 'Anna');
		await succeedAndNotify(second, 'Anne');
		await settle(a);
		await settle(b);
		expect(await valuesOf(b)).toEqual(['Anne']);
		expect((await b.localNotifications.list()).map(({ status }) => status)).toEqual([
			'Completed',
			'Completed',
		]);
	});

	it('is sent by the next process when this one dies before the call', async () => {
		const config = network.config();
		const dying = network.adopt(await Gateway.open(config));
		const { addressA: addressOfDying, addressB: to } = await relate(dying, b);
		const { id } = await dying.attributes.create({ content: { value: name('Eve') } });
		await dying.attributes.share(id, { peer: to });
		await acceptAll(dying, b);
		const { successor } = await dying.attributes.succeed(id, {
			successorContent: { value: name('Eva') },
		});
		failSends('cutBefore');
		await dying.attributes.notifyPeer(successor.id, { peer: to });
		await dying.close();
		const clock = { now: () => Date.now() + elapsedMs };
		const next = await network.gateway(config, { clock });
		const eva = async (): Promise<unknown[]> =>
			await b.attributes.listPeerShared({ peer: addressOfDying });
		// Another process may be in the middle of its call: nothing is sent twice in haste.
		await settle(next);
		await settle(b);
		expect(await eva()).toMatchObject([{ content: { value: name('Eve') } }]);
		elapsedMs = 3 * 60_000;
		await settle(next);
		await settle(b);
		expect(await eva()).toMatchObject([{ content: { value: name('Eva') } }]);
	});

	it('that the Backbone refuses for good is an event, and holds up nothing', async () => {
		const { id } = await shared();
		const body = { error: { code: 'error.platform.validation.message.nope', message: 'no' } };
		network.backbone.faults.add({
			method: 'POST',
			path: /Messages/,
			action: { kind: 'status', status: 400, body },
		});
		await expect(succeedAndNotify(id, 'Anna')).rejects.toMatchObject({
			code: 'error.platform.validation.message.nope',
		});
		expect(await a.events.recent({ names: ['gateway.messageNotSent'] }, 10)).toMatchObject([
			{ data: { recipients: [addressB], content: { '@type': 'Notification' } } },
		]);
		expect((await a.account.getSyncStatus()).unresolvedSends).toBe(0);
		await a.messages.send(mailTo(addressB));
	});

	it('of a change that cannot be told changes nothing', async () => {
		const { id } = await shared();
		const { successor } = await a.attributes.succeed(id, {
			successorContent: { value: name('Anna') },
		});
		await b.relationships.terminate(relationshipId);
		await b.relationships.decompose(relationshipId);
		await settle(a);
		const before = await a.attributes.list();
		await expect(a.attributes.notifyPeer(successor.id, { peer: addressB })).rejects.toMatchObject({
			code: 'error.runtime.attributes.cannotSucceedAttributesWithDeletionInfo',
		});
		expect(await a.attributes.list()).toEqual(before);
	});

	it('of a deletion arrives through a terminated relationship once it is active again', async () => {
		const { copyId } = await shared();
		await a.relationships.terminate(relationshipId);
		const { notificationId } = await a.attributes.deleteOwnShared(copyId);
		expect(notificationId).toMatch(/^NOT/);
		await settle(b);
		await b.relationships.requestReactivation(relationshipId);
		await settle(a);
		await a.relationships.acceptReactivation(relationshipId);
		await settle(b);
		await settle(b);
		expect(await b.attributes.list()).toMatchObject([
			{ id: copyId, deletionInfo: { deletionStatus: 'DeletedByOwner' } },
		]);
	});

	it('of a deletion is not sent to a peer that has left', async () => {
		const { copyId } = await shared();
		await b.relationships.terminate(relationshipId);
		await b.relationships.decompose(relationshipId);
		await settle(a);
		expect(await a.attributes.get(copyId)).toMatchObject({
			deletionInfo: { deletionStatus: 'DeletedByPeer' },
		});
		expect(await a.attributes.deleteOwnShared(copyId)).toEqual({});
		expect(await a.attributes.listOwnShared({ peer: addressB })).toEqual([]);
	});
});

describe('a notification of a hostile peer', () => {
	const send = async (content: object): Promise<void> => {
		await b.messages.send({ recipients: [addressA], content: loosely(content) });
		await settle(a);
	};
	const notification = (id: string, ...items: readonly object[]) => ({
		'@type': 'Notification' as const,
		id,
		items,
	});
	const deleted = (attributeId: string) => ({
		'@type': 'OwnSharedAttributeDeletedByOwnerNotificationItem' as const,
		attributeId,
	});

	it('has all of its effects or none', async () => {
		await a.attributes.create({ content: { value: name('Own') } });
		const { id: sourceId } = await b.attributes.create({ content: { value: name('Bob') } });
		await b.attributes.share(sourceId, { peer: addressA });
		await acceptAll(b, a);
		const before = await a.attributes.list();
		const [own, bobs] = before;
		const id = 'NOT00000000000000001';
		await send(notification(id, deleted(bobs?.id ?? ''), deleted(own?.id ?? '')));
		expect(await a.localNotifications.get(id)).toMatchObject({ status: 'Error' });
		expect(await a.attributes.list()).toEqual(before);
		const names = ['consumption.ownSharedAttributeDeletedByOwner'] as const;
		expect(await a.events.recent({ names }, 10)).toEqual([]);
		expect(await a.localNotifications.process(id)).toMatchObject({ status: 'Error' });
	});

	it('changes nothing when its id is taken or malformed', async () => {
		const { id: sourceId } = await b.attributes.create({ content: { value: name('Bob') } });
		await b.attributes.share(sourceId, { peer: addressA });
		await acceptAll(b, a);
		const [bobs] = await a.attributes.list();
		const item = deleted(bobs?.id ?? '');
		await send(notification('NOT00000000000000001', deleted('ATT00000000000000001')));
		await send(notification('NOT00000000000000001', item));
		await send(notification('nope', item));
		expect(await a.attributes.list()).toEqual([bobs]);
		expect(await a.localNotifications.list()).toMatchObject([{ status: 'Completed' }]);
	});

	it('cannot touch attributes that are shared with another peer', async () => {
		const c = await network.gateway();
		const { addressB: addressC } = await relate(a, c);
		const { id } = await a.attributes.create({ content: { value: name('Ann') } });
		await a.attributes.share(id, { peer: addressC });
		await acceptAll(a, c);
		const [copy] = await a.attributes.sharedVersions(id);
		const item = {
			'@type': 'PeerSharedAttributeDeletedByPeerNotificationItem' as const,
			attributeId: copy?.id ?? '',
		};
		await send(notification('NOT00000000000000001', item));
		expect(await a.attributes.get(copy?.id ?? '')).toEqual(copy);
	});
});

describe('the deletion of an attribute of another relationship', () => {
	const relationshipAttribute = {
		key: 'customer',
		confidentiality: 'public' as const,
		value: { '@type': 'ProprietaryString' as const, title: 'Number', value: '7' },
	};

	/** An attribute of A and B, owned by either, that A has forwarded to C; C seems to have version 7. */
	async function forwarded(owner: 'A' | 'B') {
		const [sharer, receiver, peer] = owner === 'A' ? [a, b, addressB] : [b, a, addressA];
		const content = relationshipAttribute;
		await sharer.attributes.createAndShareRelationshipAttribute({ peer, content });
		await acceptAll(sharer, receiver);
		const [attribute] = await a.attributes.list({ query: { 'content.key': 'customer' } });
		const config = network.config();
		const wallet = await network.gateway(config);
		const { addressB: addressC } = await relate(a, wallet);
		const item = {
			'@type': 'ShareAttributeRequestItem' as const,
			sourceAttributeId: attribute?.id,
			attribute: attribute?.content,
			thirdPartyAddress: addressB,
			mustBeAccepted: true,
		};
		const request = await a.outgoingRequests.create({
			content: { items: [loosely(item)] },
			peer: addressC,
		});
		await a.messages.send({ recipients: [addressC], content: request.content });
		await acceptAll(a, wallet);
		await wallet.close();
		const writing = await openCarelessPeer(config);
		const { sourceAttributeId: _, ...ofVersion7 } = item;
		const items = [loosely<JsonObject>({ ...ofVersion7, attributeId: 'ATT00000000000000007' })];
		await writing.send(addressA, { '@type': 'Request', id: 'REQ00000000000000007', items });
		await writing.close();
		await settle(a);
		const c = await network.gateway(config);
		const [copy] = await a.attributes.list({ query: { 'shareInfo.peer': addressC } });
		return { c, copyId: copy?.id ?? '' };
	}

	it.each([
		['A', 'OwnAttributeDeletedByOwnerNotificationItem', 'DeletedByOwner'],
		['B', 'PeerRelationshipAttributeDeletedByPeerNotificationItem', 'DeletedByPeer'],
	] as const)(
		'owned by %s, is told to whom it was forwarded as %s',
		async (owner, type, deletionStatus) => {
			const { c, copyId } = await forwarded(owner);
			await a.attributes.deleteThirdParty(copyId);
			const [told] = (await a.messages.list()).filter(
				({ content }) => content['@type'] === 'Notification',
			);
			expect(ownMember(told?.content, 'items')).toEqual([{ '@type': type, attributeId: copyId }]);
			await settle(c);
			expect(await c.localNotifications.list()).toMatchObject([{ status: 'Completed' }]);
			expect(await c.attributes.get(copyId)).toMatchObject({ deletionInfo: { deletionStatus } });
		},
	);
});

describe('the notification of a message', () => {
	it('is found by it, in its direction only', async () => {
		const { id } = await shared();
		await succeedAndNotify(id, 'Anna');
		await settle(b);
		const [sent] = await a.localNotifications.list({ query: { isOwn: 'true' } });
		const messageId = sent?.source.reference ?? '';
		expect(await a.localNotifications.sent(messageId)).toEqual(sent);
		expect(await b.localNotifications.received(messageId)).toMatchObject({ status: 'Completed' });
		await expect(a.localNotifications.received(messageId)).rejects.toMatchObject({
			code: 'error.runtime.notifications.cannotReceiveNotificationFromOwnMessage',
		});
		await expect(b.localNotifications.sent(messageId)).rejects.toMatchObject({
			code: 'error.runtime.notifications.cannotSaveSentNotificationFromPeerMessage',
		});
		const mail = await a.messages.send(mailTo(addressB));
		await expect(a.localNotifications.sent(mail.id)).rejects.toMatchObject({
			code: 'error.runtime.notifications.messageDoesNotContainNotification',
		});
		await expect(a.localNotifications.sent('MSG00000000000000001')).rejects.toMatchObject({
			code: 'error.runtime.recordNotFound',
		});
	});
});

describe('attributes of a relationship that is not active', () => {
	/** C asks for an attribute with a template and B, or no party yet, has accepted it. */
	async function pending(): Promise<{ c: Gateway; id: string; copyId: string }> {
		const c = await network.gateway();
		const template = await c.templates.create({
			expiresAt: inOneHour(),
			content: {
				'@type': 'RelationshipTemplateContent',
				onNewRelationship: {
					items: [
						{
							'@type': 'ReadAttributeRequestItem',
							mustBeAccepted: true,
							query: { '@type': 'IdentityAttributeQuery', valueType: 'GivenName' },
						},
					],
				},
			},
		});
		await b.templates.loadPeer({ reference: template.truncatedReference });
		const [request] = await b.incomingRequests.list();
		const newAttribute = {
			'@type': 'IdentityAttribute' as const,
			owner: addressB,
			value: name('Bea'),
		};
		await b.incomingRequests.accept(request?.id ?? '', { items: [{ accept: true, newAttribute }] });
		await settle(c);
		const [relationship] = await c.relationships.list();
		const [copy] = await c.attributes.list();
		return { c, id: relationship?.id ?? '', copyId: copy?.id ?? '' };
	}

	it('cannot be deleted while it is pending', async () => {
		const { c, copyId } = await pending();
		const refused = {
			code: 'error.runtime.attributes.cannotDeleteSharedAttributeWhileRelationshipIsPending',
		};
		await expect(c.attributes.deletePeerShared(copyId)).rejects.toMatchObject(refused);
		await expect(b.attributes.deleteOwnShared(copyId)).rejects.toMatchObject(refused);
	});

	// shows connector-7 4.3: paragraph 3
	it('vanish on both sides, with events, when it is rejected', async () => {
		const { c, id, copyId } = await pending();
		await c.relationships.reject(id);
		await settle(b);
		const deletions = { names: ['consumption.attributeDeleted'] } as const;
		for (const gateway of [b, c]) {
			const shared = await gateway.attributes.list({ query: { shareInfo: '' } });
			expect(shared).toEqual([]);
			expect(await gateway.events.recent(deletions, 10)).toMatchObject([{ data: { id: copyId } }]);
		}
		expect(await valuesOf(b)).toEqual(['Bea']);
	});
});

describe('a peer that waits for attributes', () => {
	const register = async (query: object): Promise<void> => {
		const content = {
			items: [
				{ '@type': 'RegisterAttributeListenerRequestItem' as const, mustBeAccepted: true, query },
			],
		};
		const request = await b.outgoingRequests.create({ content: loosely(content), peer: addressA });
		await b.messages.send({ recipients: [addressA], content: request.content });
		await acceptAll(b, a);
	};
	const drafts = async () => (await a.outgoingRequests.list()).filter((r) => r.status === 'Draft');

	it('is offered what fits as soon as there is some, by a draft', async () => {
		await register({ '@type': 'IdentityAttributeQuery' as const, valueType: 'GivenName' as const });
		const [listener] = await a.attributes.listeners();
		await a.attributes.create({ content: { value: { '@type': 'Surname', value: 'Doe' } } });
		expect(await drafts()).toEqual([]);
		const { owner: _owner, ...attribute } = await a.attributes.create({
			content: { value: name('Ann') },
		});
		const [draft] = await drafts();
		expect(draft).toMatchObject({
			peer: addressB,
			content: {
				items: [
					{
						'@type': 'ShareAttributeRequestItem',
						sourceAttributeId: attribute.id,
						mustBeAccepted: true,
						metadata: { attributeListenerId: listener?.id },
					},
				],
			},
		});
		const names = [
			'consumption.attributeCreated',
			'consumption.outgoingRequestCreated',
			'consumption.attributeListenerTriggered',
		] as const;
		const events = (await a.events.recent({ names }, 3)).map(({ event, data }) => ({
			event,
			data,
		}));
		expect(events).toEqual([
			{ event: names[0], data: attribute },
			{ event: names[1], data: draft },
			{ event: names[2], data: { attributeListener: listener, attribute, request: draft } },
		]);
	});

	it('is not offered new versions, nor what it has', async () => {
		await register({ '@type': 'IdentityAttributeQuery' as const, valueType: 'GivenName' as const });
		const { id } = await a.attributes.create({ content: { value: name('Ann') } });
		await a.attributes.succeed(id, { successorContent: { value: name('Anna') } });
		expect(await drafts()).toHaveLength(1);
	});

	it('is offered an attribute of another relationship', async () => {
		await register({
			'@type': 'ThirdPartyRelationshipAttributeQuery' as const,
			key: 'customer',
			owner: '',
			thirdParty: [''],
		});
		const c = await network.gateway();
		const { addressB: addressC } = await relate(a, c);
		await a.attributes.createAndShareRelationshipAttribute({
			peer: addressC,
			content: {
				key: 'customer',
				confidentiality: 'public',
				value: { '@type': 'ProprietaryString', title: 'Number', value: '7' },
			},
		});
		await acceptAll(a, c);
		expect(await drafts()).toMatchObject([
			{ peer: addressB, content: { items: [{ thirdPartyAddress: addressC }] } },
		]);
	});

	it('is forgotten when we leave', async () => {
		await register({ '@type': 'IdentityAttributeQuery' as const, valueType: 'GivenName' as const });
		await a.relationships.terminate(relationshipId);
		await a.relationships.decompose(relationshipId);
		expect(await a.attributes.listeners()).toEqual([]);
		await a.attributes.create({ content: { value: name('Ann') } });
		expect(await drafts()).toEqual([]);
	});
});
