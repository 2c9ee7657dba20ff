import { loosely } from '../../support/loosely';
import { systemClock } from '../../../core/base/clock';
import { systemRandom } from '../../../core/base/random';
import { accountHome } from '../../../core/store/open-store';
import type { WriteTransaction } from '../../../core/store/store';
import type { Gateway } from '../../../core';
import { collectionNames } from '../../../core/account-transfer/account-content';
import { inOneHour, mailTo, relate, settle, type TestNetwork } from '../../support/gateways';
import { objectFields } from '../../support/fields/object-fields';
import { createdAt, intentRecord, workRecord } from '../../support/records';

export interface FullAccount {
	readonly folder: string;
	readonly address: string;
	/** related to the account, open */
	readonly peer: Gateway;
	readonly peerAddress: string;
}

const consumer = { name: 'trigger', position: 3, parked: [], seenAt: createdAt };

/** An account with something of every kind, closed; what gateways leave in passing is written by hand. */
export async function fullAccount(
	network: TestNetwork,
	parts: { readonly passphrase?: string } = {},
): Promise<FullAccount> {
	const folder = network.newFolder();
	const own = await network.gateway({ ...network.config(folder), ...parts });
	const peer = await network.gateway();
	const { addressA, addressB } = await relate(own, peer);
	await liveWith(own, peer, { own: addressA, peer: addressB });
	await own.close();
	const home = accountHome(
		{ account: 'default', store: { kind: 'sqlite', folder } },
		{ clock: systemClock, random: systemRandom },
	);
	const store = await home.open({ clientSecret: 'test', ...parts }, { alone: true });
	await store.transact((tx) => addRareRecords(tx, addressB));
	const counts = await store.read((tx) =>
		Promise.all(collectionNames.map(async (name) => [name, await tx[name].count()] as const)),
	);
	await store.close();
	// A new collection has to be filled here.
	expect(counts.filter(([, count]) => count === 0)).toEqual([]);
	return { folder, address: addressA, peer, peerAddress: addressB };
}

async function liveWith(
	own: Gateway,
	peer: Gateway,
	address: { readonly own: string; readonly peer: string },
): Promise<void> {
	const description = { filename: 'a.txt', mimetype: 'text/plain', expiresAt: inOneHour() };
	const file = await own.files.upload(description, new TextEncoder().encode('a file'));
	await own.tokens.create({ content: { some: 'thing' }, expiresAt: inOneHour(), ephemeral: false });
	await own.attributes.create({
		content: { value: { '@type': 'GivenName', value: 'Äda \u{1f600}' } },
	});
	await own.messages.send({ ...mailTo(address.peer, 'first'), attachments: [file.id] });
	await own.messages.send(mailTo(address.peer, 'second'));
	await peer.messages.send(mailTo(address.own, 'answer'));
	const content = {
		items: [{ '@type': 'ConsentRequestItem' as const, mustBeAccepted: true, consent: 'x' }],
	};
	await own.outgoingRequests.create({ content, peer: address.peer });
	await own.settings.create({ key: 'k', value: { a: 1 }, scope: 'Identity' });
	await own.webhooks.create({ url: 'https://crm.example', events: ['**'] });
	await own.accessKeys.create({ name: 'crm', scopes: ['core:*'] });
	await own.audit.record({
		account: 'default',
		actor: { kind: 'key', name: 'crm' },
		method: 'POST',
		route: '/Keys',
	});
	await own.hostedAccounts.add({ name: 'school', settings: '{}' });
	await own.drafts.create({ type: 't', content: { unfinished: true } });
	await own.identityMetadata.upsert({ reference: address.peer, key: 'k', value: 'remembered' });
	await settle(own);
}

async function addRareRecords(tx: WriteTransaction, peer: string): Promise<void> {
	const [relationship] = await tx.relationships.list();
	const { template } = relationship?.record ?? {};
	if (template === undefined) throw new Error('there is no relationship');
	await tx.attributeListeners.insert(
		{ id: 'ATL1', peer, query: { '@type': 'IdentityAttributeQuery', valueType: 'City' } },
		undefined,
	);
	await tx.localNotifications.insert(
		{
			id: 'NOT1',
			isOwn: true,
			peer,
			createdAt,
			content: loosely({}),
			status: 'Sent',
			source: { type: 'Message', reference: 'MSG1' },
		},
		undefined,
	);
	await tx.work.insert(workRecord('FIL1', 'deleteFile'), undefined);
	await tx.deletionProcesses.insert({ id: 'IDP1', status: 'Cancelled', createdAt }, undefined);
	await tx.sendIntents.insert(intentRecord('gone', { state: 'failed', recipients: [] }), {
		messageKey: 'key',
	});
	await tx.relationshipIntents.insert(
		{ id: 'RLI1', templateId: template.id, creationContent: loosely({}), createdAt },
		{ request: {} },
	);
	await tx.waits.insert(
		{
			id: 'instance:1:node',
			key: 'key',
			kind: 'request',
			subject: 'REQ1',
			peer,
			createdAt,
			resumeUrl: 'https://n8n.example.com/webhook-waiting/1/node',
			note: { answerAs: 'approval' },
		},
		undefined,
	);
	const keys = objectFields.idempotencyKeys;
	await tx.idempotencyKeys.insert(keys.full.record, keys.secrets);
	await tx.consumers.put(consumer);
	await tx.leases.take('elsewhere', 'another process', 60_000);
	// The oldest events were pruned long ago, and numbers went by that became no event.
	await tx.counters.reserve('outbox', 7);
	await tx.outbox.append({ name: 'transport.messageReceived', createdAt, data: { id: 'MSG1' } });
	await tx.outbox.prune('2029-01-01T00:00:00.000Z', { after: 0, limit: 100 });
}
