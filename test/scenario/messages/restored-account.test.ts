import { ownText } from '../../../core/model/json';
import { cpSync } from 'node:fs';
import type { Gateway } from '../../../core';
import {
	arrivals,
	inOneHour,
	mailTo,
	relate,
	SandboxNetwork,
	settle,
} from '../../support/gateways';

/* docs/operations.md: what is right again after a restore, what is listed, and what is lost. */
let network: SandboxNetwork;
let backup: string;
/** the account after the backup, which is lost at the end of `live` */
let lost: Gateway;
let peer: Gateway;
let to: string;

beforeEach(async () => {
	network = await SandboxNetwork.open();
	const folder = network.newFolder();
	const gateway = await network.gateway(network.config(folder));
	peer = await network.gateway();
	({ addressB: to } = await relate(gateway, peer));
	await gateway.messages.send(mailTo(to, 'before'));
	await settle(gateway);
	await gateway.close();
	backup = network.newFolder();
	cpSync(folder, backup, { recursive: true });
	lost = await network.gateway(network.config(folder));
});
afterEach(() => network.close());

async function restore(): Promise<Gateway> {
	await lost.close();
	return await network.gateway(network.config(backup));
}

const sendOnce = (gateway: Gateway, order: number, subject = `order ${order}`) =>
	gateway.messages.send(mailTo(to, subject), { idempotencyKey: `key ${order}` });

const orders = [1, 2, 3, 4, 5];
const atBackbone = (): number => network.backbone.state.messages.size;

describe('own messages that were sent after the backup', () => {
	it('are not sent again under their keys, whatever the restored account has done before', async () => {
		const sent = [];
		for (const order of orders) sent.push((await sendOnce(lost, order)).id);
		const restored = await restore();
		const before = atBackbone();
		const repeated = [];
		for (const order of orders) repeated.push((await sendOnce(restored, order)).id);
		await settle(restored);
		for (const order of orders) repeated.push((await sendOnce(restored, order)).id);
		expect(repeated).toEqual([...sent, ...sent]);
		expect(atBackbone()).toBe(before);
		const fresh = await sendOnce(restored, 6);
		expect(sent).not.toContain(fresh.id);
	});

	it('are in the list again, with their attachments', async () => {
		const metadata = { filename: 'invoice.txt', mimetype: 'text/plain', expiresAt: inOneHour() };
		const file = await lost.files.upload(metadata, Buffer.from('invoice'));
		await lost.messages.send({ ...mailTo(to, 'with a file'), attachments: [file.id] });
		for (const order of orders) await sendOnce(lost, order);
		const all = (await lost.messages.list()).map(({ id }) => id).sort();
		const restored = await restore();
		await settle(restored);
		const messages = await restored.messages.list();
		expect(messages.map(({ id }) => id).sort()).toEqual(all);
		const [mail] = messages.filter(({ content }) => ownText(content, 'subject') === 'with a file');
		expect(mail).toMatchObject({ isOwn: true, attachments: [file.id] });
		expect(await restored.problems.list()).toEqual([]);
	});
});

describe('a request that was sent after the backup', () => {
	async function ask(): Promise<string> {
		const { id, content } = await lost.outgoingRequests.create({
			peer: to,
			content: {
				items: [{ '@type': 'ConsentRequestItem', mustBeAccepted: true, consent: 'Agreed?' }],
			},
		});
		await lost.messages.send({ recipients: [to], content });
		return id;
	}

	const answer = async (id: string): Promise<void> => {
		await settle(peer);
		await peer.incomingRequests.accept(id, { items: [{ accept: true }] });
	};

	it('is found at the Backbone, and its answer is applied', async () => {
		const id = await ask();
		const restored = await restore();
		await answer(id);
		await settle(restored);
		expect(await restored.outgoingRequests.get(id)).toMatchObject({
			status: 'Completed',
			response: { content: { result: 'Accepted' } },
		});
		expect(await restored.problems.list()).toEqual([]);
	});

	it('whose message the Backbone has deleted is a problem that names the answer', async () => {
		const id = await ask();
		await lost.messages.send(mailTo(to, 'lost, and still there'));
		await answer(id);
		const restored = await restore();
		const { state } = network.backbone;
		const [asked] = [...state.messages.values()].slice(-3);
		if (asked !== undefined) state.forgetMessage(asked.createdBy, asked);
		const { messages: arrived } = await arrivals(restored);
		expect(await restored.problems.list()).toMatchObject([
			{
				kind: 'receivedEvent',
				code: 'error.gateway.requests.answerToLostRequest',
				message: expect.stringMatching(`${to}.*${id}.*${arrived[0]?.id}`) as string,
				isRetriedAutomatically: false,
				isDiscardable: true,
			},
		]);
	});

	it('that a peer has invented is not a problem', async () => {
		const restored = await restore();
		await settle(restored);
		const { address } = await restored.account.getIdentity();
		await peer.messages.send(mailTo(address, 'no answer'));
		await settle(restored);
		expect(await restored.problems.list()).toEqual([]);
	});
});

it('a request that was answered after the backup waits for a decision again, and the peer keeps the first answer', async () => {
	const { address } = await lost.account.getIdentity();
	const item = { '@type': 'ConsentRequestItem' as const, mustBeAccepted: true, consent: 'Agreed?' };
	const { id, content } = await peer.outgoingRequests.create({
		peer: address,
		content: { items: [item] },
	});
	await peer.messages.send({ recipients: [address], content });
	await settle(lost);
	await lost.incomingRequests.accept(id, { items: [{ accept: true }] });
	await settle(lost, peer);
	const restored = await restore();
	await settle(restored);
	expect(await restored.incomingRequests.get(id)).toMatchObject({
		status: 'ManualDecisionRequired',
	});
	await restored.incomingRequests.reject(id, { items: [{ accept: false }] });
	await settle(restored, peer);
	expect(await peer.outgoingRequests.get(id)).toMatchObject({
		status: 'Completed',
		response: { content: { result: 'Accepted' } },
	});
	expect(await peer.problems.list()).toEqual([]);
	expect(await restored.problems.list()).toEqual([]);
});

describe('a person who answers a template that was made after the backup', () => {
	const template = (gateway: Gateway) =>
		gateway.templates.create({
			expiresAt: inOneHour(),
			content: { '@type': 'ArbitraryRelationshipTemplateContent', value: { hello: 'wallet' } },
		});

	async function connect(person: Gateway, reference: string): Promise<string> {
		const loaded = await person.templates.loadPeer({ reference });
		const { id } = await person.relationships.create({
			templateId: loaded.id,
			creationContent: { '@type': 'ArbitraryRelationshipCreationContent', value: { hi: 'there' } },
		});
		return id;
	}

	it('is listed, can be let go, and connects anew', async () => {
		const { truncatedReference } = await template(lost);
		const restored = await restore();
		const person = await network.gateway();
		const { address } = await person.account.getIdentity();
		const id = await connect(person, truncatedReference);
		for (let sync = 0; sync < 3; sync++) await settle(restored);
		const [problem] = await restored.problems.list();
		expect(problem).toMatchObject({
			kind: 'receivedEvent',
			code: 'error.gateway.relationships.unknownTemplate',
			message: expect.stringMatching(`${id}.*${address}`) as string,
		});

		await restored.relationships.decompose(id);
		expect(await restored.problems.list()).toEqual([]);
		await settle(person);
		expect(await person.relationships.get(id)).toMatchObject({ status: 'Rejected' });
		const again = await connect(person, (await template(restored)).truncatedReference);
		await settle(restored);
		expect(await restored.relationships.get(again)).toMatchObject({ status: 'Pending' });
	});

	it('and was accepted before the account was lost is let go after the next word of the person', async () => {
		const { truncatedReference } = await template(lost);
		const person = await network.gateway();
		const id = await connect(person, truncatedReference);
		await settle(lost);
		await lost.relationships.accept(id);
		await settle(person);
		const restored = await restore();
		await settle(restored);
		await person.relationships.terminate(id);
		for (let sync = 0; sync < 3; sync++) await settle(restored);
		expect(await restored.problems.list()).toMatchObject([
			{ code: 'error.gateway.relationships.unknownTemplate' },
		]);
		await restored.relationships.decompose(id);
		await person.relationships.decompose(id);
		const again = await connect(person, (await template(restored)).truncatedReference);
		await settle(restored);
		expect(await restored.relationships.get(again)).toMatchObject({ status: 'Pending' });
		expect(await restored.problems.list()).toEqual([]);
	});
});
