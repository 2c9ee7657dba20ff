import { systemRandom } from '../../../core/base/random';
import { generateSignatureKeyPair } from '../../../core/crypto/signature-keys';
import type { EnvelopeIdentity } from '../../../core/domain/envelope/envelope-identity';
import { deriveAddress } from '../../../core/model/address';
import type { Gateway } from '../../../core';
import type { RelationshipRow } from '../../../sandbox/state/records';
import { openCarelessPeer, type CarelessPeer } from '../../support/peer/careless-peer';
import {
	arrivals,
	inOneHour,
	mailTo,
	relate,
	SandboxNetwork,
	settle,
} from '../../support/gateways';

/* The attacks of docs/protocol/transport.md 20 that concern relationships. */

const notGenuine = 'error.transport.signatureNotValid';
const undecryptable = 'error.crypto.encryption.decrypt';
const creationContent = {
	'@type': 'ArbitraryRelationshipCreationContent' as const,
	value: 'Hello',
};

let network: SandboxNetwork;
let passedMs = 0;
const clock = { now: () => Date.now() + passedMs };
const letRetriesComeDue = (): void => void (passedMs += 24 * 3_600_000);
beforeEach(async () => {
	passedMs = 0;
	// No repetitions: each test counts what is reported about one event.
	network = await SandboxNetwork.open({ repeatedShare: 0 });
});
afterEach(() => network.close());

const templateOf = async (gateway: Gateway): Promise<{ id: string; reference: string }> => {
	const content = { '@type': 'ArbitraryRelationshipTemplateContent' as const, value: 'Hello' };
	const { id, truncatedReference } = await gateway.templates.create({
		expiresAt: inOneHour(),
		content,
	});
	return { id, reference: truncatedReference };
};
const rowOf = (id: string): RelationshipRow => {
	const row = network.backbone.state.relationships.get(id);
	if (row === undefined) throw new Error('The sandbox does not know the relationship');
	return row;
};
const eventNames = async (gateway: Gateway): Promise<string[]> =>
	(await gateway.events.recent({}, 50)).map(({ event }) => event);

describe('a creation', () => {
	let templator: Gateway;
	let template: { id: string; reference: string };
	let attacker: CarelessPeer;
	beforeEach(async () => {
		templator = await network.gateway(network.config(), { clock });
		template = await templateOf(templator);
		const config = network.config();
		const gateway = await network.gateway(config);
		await gateway.templates.loadPeer({ reference: template.reference });
		await gateway.close();
		attacker = await openCarelessPeer(config);
	});
	afterEach(() => attacker.close());

	async function expectRefused(code: string, events: readonly string[] = []): Promise<void> {
		const { pendingFailures, relationships } = await arrivals(templator);
		expect(pendingFailures).toMatchObject([{ type: 'RelationshipStatusChanged', code }]);
		expect(relationships).toEqual([]);
		expect(await templator.relationships.list()).toEqual([]);
		expect(await eventNames(templator)).toEqual(events);
	}

	const victim = (): EnvelopeIdentity => {
		const { publicKey } = generateSignatureKeyPair(systemRandom);
		return { address: deriveAddress(publicKey, 'localhost'), publicKey };
	};

	it('in the name of another identity is refused', async () => {
		await attacker.createRelationship(template.id, { identity: victim() });
		await expectRefused(notGenuine);
	});

	it('with an address that does not belong to its key is refused', async () => {
		const { publicKey } = generateSignatureKeyPair(systemRandom);
		const identity = { address: victim().address, publicKey };
		await attacker.createRelationship(template.id, { identity });
		await expectRefused(notGenuine);
	});

	it('that was signed for another template is refused', async () => {
		const { id } = await templateOf(templator);
		await attacker.createRelationship(template.id, { templateId: id });
		await expectRefused(notGenuine);
	});

	it('that the Backbone shows under another own template is refused', async () => {
		const id = await attacker.createRelationship(template.id, {});
		rowOf(id).relationshipTemplateId = (await templateOf(templator)).id;
		await expectRefused(undecryptable);
	});

	it('that the Backbone shows under another sender is refused', async () => {
		const id = await attacker.createRelationship(template.id, {});
		const row = rowOf(id);
		const sender = row.from;
		row.from = victim().address;
		await expectRefused(notGenuine);
		// Once it is shown as it is, the kept event brings it.
		row.from = sender;
		letRetriesComeDue();
		expect((await arrivals(templator)).relationships).toMatchObject([{ id, peer: sender }]);
	});

	it('without content, or for a template we do not have, is refused', async () => {
		const id = await attacker.createRelationship(template.id, {});
		rowOf(id).creationContent = null;
		await expectRefused('error.transport.recordNotFound');
		rowOf(id).relationshipTemplateId = null;
		letRetriesComeDue();
		// No later attempt could succeed.
		await expectRefused('error.gateway.relationships.unknownTemplate', [
			'gateway.externalEventGivenUp',
		]);
	});
});

describe('a creation that the Backbone repeats under another id', () => {
	it('is refused, and the real relationship stays the current one', async () => {
		const [templator, requestor] = [
			await network.gateway(network.config(), { clock }),
			await network.gateway(),
		];
		const { relationshipId, addressB } = await relate(templator, requestor);
		const { address } = await templator.account.getIdentity();
		const replayed = 'RELreplayed000000000';
		const pending = { status: 'Pending', auditLog: rowOf(relationshipId).auditLog.slice(0, 1) };
		network.backbone.faults.add({
			method: 'GET',
			path: new RegExp(replayed),
			action: {
				kind: 'status',
				status: 200,
				body: { result: { ...rowOf(relationshipId), ...pending, id: replayed } },
			},
		});
		network.backbone.events.add(address, 'RelationshipStatusChanged', {
			relationshipId: replayed,
		});
		expect((await arrivals(templator)).pendingFailures).toMatchObject([{ code: notGenuine }]);
		expect((await templator.relationships.list()).map(({ id }) => id)).toEqual([relationshipId]);
		await templator.messages.send(mailTo(addressB, 'to the real one'));
		expect((await arrivals(requestor)).messages).toHaveLength(1);
	});
});

describe('the answer to our creation', () => {
	let requestor: Gateway;
	let peers: [Gateway, Gateway];
	let ids: [string, string];
	beforeEach(async () => {
		requestor = await network.gateway(network.config(), { clock });
		peers = [await network.gateway(), await network.gateway()];
		ids = [await createWith(peers[0]), await createWith(peers[1])];
	});

	async function createWith(peer: Gateway): Promise<string> {
		const { reference } = await templateOf(peer);
		const { id: templateId } = await requestor.templates.loadPeer({ reference });
		const { id } = await requestor.relationships.create({ templateId, creationContent });
		await settle(peer);
		return id;
	}

	async function accept(): Promise<[RelationshipRow, RelationshipRow]> {
		await peers[0].relationships.accept(ids[0]);
		await peers[1].relationships.accept(ids[1]);
		return [rowOf(ids[0]), rowOf(ids[1])];
	}

	async function expectRefused(...codes: string[]): Promise<void> {
		const before = await eventNames(requestor);
		const { pendingFailures } = await arrivals(requestor);
		expect(pendingFailures.map(({ code }) => code)).toEqual(codes);
		const { status } = await requestor.relationships.get(ids[0]);
		expect(status).toBe('Pending');
		const { address } = await peers[0].account.getIdentity();
		await expect(requestor.messages.send(mailTo(address))).rejects.toMatchObject({
			code: 'error.transport.messages.missingOrInactiveRelationship',
		});
		expect(await eventNames(requestor)).toEqual(before);
	}

	it('that belongs to another relationship is not used, and the right one is in the end', async () => {
		const [first, second] = await accept();
		const answers = [first.creationResponseContent, second.creationResponseContent] as const;
		[second.creationResponseContent, first.creationResponseContent] = answers;
		await expectRefused(undecryptable, undecryptable);
		[first.creationResponseContent, second.creationResponseContent] = answers;
		letRetriesComeDue();
		await settle(requestor);
		const { address } = await peers[0].account.getIdentity();
		await requestor.messages.send(mailTo(address, 'At last'));
		expect((await arrivals(peers[0])).messages).toMatchObject([
			{ content: { subject: 'At last' } },
		]);
	});

	it('that is left out of a relationship which is called active makes nothing active', async () => {
		const [first] = await accept();
		first.creationResponseContent = null;
		const [creation, acceptance] = first.auditLog;
		if (creation === undefined || acceptance === undefined) throw new Error('There is no log');
		first.auditLog = [creation, { ...acceptance, reason: 'Termination' }];
		await expectRefusedFirst('error.transport.recordNotFound');
	});

	async function expectRefusedFirst(code: string): Promise<void> {
		const { pendingFailures } = await arrivals(requestor);
		expect(pendingFailures).toMatchObject([{ code }]);
		expect(await requestor.relationships.get(ids[0])).toMatchObject({ status: 'Pending' });
		const { address } = await peers[0].account.getIdentity();
		await expect(requestor.messages.send(mailTo(address))).rejects.toMatchObject({
			code: 'error.transport.messages.missingOrInactiveRelationship',
		});
	}

	it('that is missing or garbage leaves the relationship as it was', async () => {
		const [first, second] = await accept();
		first.creationResponseContent = null;
		second.creationResponseContent = Buffer.from('{}').toString('base64url');
		await expectRefused('error.transport.recordNotFound', 'error.crypto.wrongSerializedBuffer');
	});

	it('that is a rejection is one, whatever is written beside it', async () => {
		await peers[0].relationships.reject(ids[0]);
		rowOf(ids[0]).creationResponseContent = Buffer.from('{}').toString('base64url');
		expect((await arrivals(requestor)).pendingFailures).toEqual([]);
		expect(await requestor.relationships.get(ids[0])).toMatchObject({ status: 'Rejected' });
	});

	it('does not hold up what else is to be found out, when it is foreign', async () => {
		for (const id of ids) {
			network.backbone.faults.add({
				method: 'PUT',
				path: /revoke/i,
				action: { kind: 'cutBefore' },
			});
			await expect(requestor.relationships.revoke(id)).rejects.toThrow();
		}
		const [first] = await accept();
		first.creationResponseContent = null;
		// One sync: those that follow find the same of what stays unknown.
		network.backbone.queues.deliverAll();
		const outcome = await requestor.account.sync();
		expect(outcome.pendingFailures).toHaveLength(1);
		expect(await requestor.relationships.get(ids[0])).toMatchObject({ status: 'Pending' });
		expect(await requestor.relationships.get(ids[1])).toMatchObject({ status: 'Active' });
	});
});
