import type { Gateway } from '../../../core';
import type { RelationshipRow } from '../../../sandbox/state/records';
import { arrivals, inOneHour, mailTo, SandboxNetwork, settle } from '../../support/gateways';

/* An earlier relationship with the same peer that becomes known after the relationship in use. */

let network: SandboxNetwork;
let a: Gateway;
let b: Gateway;
let passedMs = 0;
const clock = { now: () => Date.now() + passedMs };
beforeEach(async () => {
	passedMs = 0;
	network = await SandboxNetwork.open({ repeatedShare: 0 });
	a = await network.gateway(network.config(), { clock });
	b = await network.gateway();
});
afterEach(() => network.close());

const creationContent = {
	'@type': 'ArbitraryRelationshipCreationContent' as const,
	value: 'Hello',
};

const rowOf = (id: string): RelationshipRow => {
	const row = network.backbone.state.relationships.get(id);
	if (row === undefined) throw new Error('The sandbox does not know the relationship');
	return row;
};

/** `b` creates a relationship, revokes it, and creates another one; `a` cannot read the first. */
async function relateAgain(): Promise<{ old: string; used: string; endGarbage: () => void }> {
	const { truncatedReference: reference } = await a.templates.create({
		expiresAt: inOneHour(),
		content: { '@type': 'ArbitraryRelationshipTemplateContent', value: 'Hello' },
	});
	const { id: templateId } = await b.templates.loadPeer({ reference });
	const { id: old } = await b.relationships.create({ templateId, creationContent });
	const endGarbage = network.backbone.faults.add({
		method: 'GET',
		path: new RegExp(old),
		times: Number.MAX_SAFE_INTEGER,
		action: { kind: 'status', status: 200, body: { result: 'garbage' } },
	});
	await settle(a);
	await b.relationships.revoke(old);
	const { id: used } = await b.relationships.create({ templateId, creationContent });
	await settle(a);
	await a.relationships.accept(used);
	await settle(b);
	return { old, used, endGarbage };
}

async function learnLate(old: string): Promise<void> {
	passedMs += 24 * 3_600_000;
	await settle(a);
	expect((await a.relationships.list()).map(({ id }) => id)).toContain(old);
}

describe('an earlier relationship that becomes known late', () => {
	it('leaves the relationship in use the current one, for what arrives and for what is sent', async () => {
		const { old, used, endGarbage } = await relateAgain();
		endGarbage();
		await learnLate(old);
		const addressA = (await a.account.getIdentity()).address;
		const addressB = (await b.account.getIdentity()).address;
		await b.messages.send(mailTo(addressA));
		const { messages, pendingFailures } = await arrivals(a);
		expect(pendingFailures).toEqual([]);
		expect(messages).toMatchObject([{ recipients: [{ relationshipId: used }] }]);
		await a.messages.send(mailTo(addressB));
		expect((await arrivals(b)).messages).toHaveLength(1);
	});

	it('does not hide the secrets of the one in use, even if the Backbone calls it newer and open', async () => {
		const { old, used, endGarbage } = await relateAgain();
		const row = rowOf(old);
		row.createdAt = new Date(Date.now() + 60_000).toISOString();
		row.status = 'Pending';
		row.auditLog.splice(1);
		endGarbage();
		await learnLate(old);
		await b.messages.send(mailTo((await a.account.getIdentity()).address));
		const { messages, pendingFailures } = await arrivals(a);
		expect(pendingFailures).toEqual([]);
		expect(messages).toMatchObject([{ recipients: [{ relationshipId: used }] }]);
	});

	it('does not stand for the one in use when a planned deletion of the peer is reviewed', async () => {
		const { old, used, endGarbage } = await relateAgain();
		const addressB = (await b.account.getIdentity()).address;
		const identityB = network.backbone.state.identities.get(addressB);
		if (identityB === undefined) throw new Error('The sandbox does not know the identity');
		const deletionDate = new Date(clock.now() + 14 * 24 * 3_600_000).toISOString();
		identityB.status = 'ToBeDeleted';
		network.backbone.events.add((await a.account.getIdentity()).address, 'PeerToBeDeleted', {
			relationshipId: used,
			deletionDate,
		});
		await settle(a);
		expect(await a.relationships.get(used)).toHaveProperty('peerDeletionInfo');
		endGarbage();
		await learnLate(old);
		expect(await a.relationships.get(old)).not.toHaveProperty('peerDeletionInfo');

		// The event that announces the cancellation is lost.
		identityB.status = 'Active';
		await a.messages.send(mailTo(addressB));
		expect(await a.relationships.get(used)).not.toHaveProperty('peerDeletionInfo');
	});
});
