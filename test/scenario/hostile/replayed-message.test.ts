import { cpSync } from 'node:fs';
import type { Gateway } from '../../../core';
import { TestClock } from '../../support/clock';
import { arrivals, mailTo, relate, SandboxNetwork, settle } from '../../support/gateways';
import { openLog } from '../../support/log-lines';

/* docs/protocol/transport.md 7.4: the Backbone shows a message again under a new id and a new time. */

let network: SandboxNetwork;
let receiver: Gateway;
let sender: Gateway;
let address: string;
let addressOfSender: string;
let log: ReturnType<typeof openLog>;
let folder: string;

beforeEach(async () => {
	network = await SandboxNetwork.open({ repeatedShare: 0, maxMessageRecipients: 2 });
	log = openLog();
	folder = network.newFolder();
	receiver = await network.gateway(network.config(folder), { logger: log.logger });
	sender = await network.gateway();
	({ addressA: address, addressB: addressOfSender } = await relate(receiver, sender));
});
afterEach(() => network.close());

const events = async (): Promise<unknown[]> =>
	(await receiver.events.recent({}, 200)).map(({ event, data }) => [event, data]);

/** Expects that what the Backbone shows again changes nothing, and is told in the log. */
async function expectUnchangedBy(...messageIds: string[]): Promise<void> {
	const before = { messages: await receiver.messages.list(), events: await events() };
	const again = messageIds.map((id) => network.backbone.events.showAgain(id));
	const { messages, pendingFailures } = await arrivals(receiver);
	expect({ messages, pendingFailures }).toEqual({ messages: [], pendingFailures: [] });
	expect(await receiver.messages.list()).toEqual(before.messages);
	expect(await events()).toEqual(before.events);
	for (const [index, id] of again.entries()) {
		const told = log.lines.filter((line) => line.includes(id));
		expect(told).toEqual([expect.stringContaining(messageIds[index] ?? '')]);
	}
	expect(await receiver.problems.list()).toEqual([]);
}

it('a mail that was received before is not stored again, and no event is told', async () => {
	const { id } = await sender.messages.send(mailTo(address, 'Yes'));
	await settle(receiver);
	await expectUnchangedBy(id);
	await receiver.messages.markAsRead(id);
	await expectUnchangedBy(id, id);
});

it('a mail with a file is not fetched again', async () => {
	const { id: file } = await sender.files.upload(
		{ filename: 'file.txt', mimetype: 'text/plain' },
		Buffer.from('content'),
	);
	const mail = mailTo(address, 'With a file');
	const { id } = await sender.messages.send({ ...mail, attachments: [file] });
	await settle(receiver);
	await expectUnchangedBy(id);
});

it('a mail to several people is known to each of them', async () => {
	const other = await network.gateway();
	const { addressB: addressOfOther } = await relate(sender, other);
	const { id } = await sender.messages.send({
		...mailTo(address, 'To both'),
		recipients: [address, addressOfOther],
		content: { '@type': 'Mail', to: [address, addressOfOther], subject: 'To both', body: '' },
	});
	await settle(receiver, other);
	await expectUnchangedBy(id);
	await settle(other);
	expect(await other.messages.list()).toHaveLength(1);
});

it('a request and a response are not processed again', async () => {
	const item = { '@type': 'ConsentRequestItem' as const, consent: 'May we?', mustBeAccepted: true };
	const ask = async (from: Gateway, to: string): Promise<string> => {
		const { content } = await from.outgoingRequests.create({
			content: { items: [item] },
			peer: to,
		});
		return (await from.messages.send({ recipients: [to], content })).id;
	};
	const request = await ask(sender, address);
	await ask(receiver, addressOfSender);
	await settle(receiver, sender);
	const [asked] = await sender.incomingRequests.list();
	await sender.incomingRequests.accept(asked?.id ?? '', { items: [{ accept: true }] });
	await settle(sender, receiver);
	const responses = (await receiver.messages.list()).filter(
		({ content }) => content['@type'] === 'ResponseWrapper',
	);
	expect(responses).toHaveLength(1);
	await expectUnchangedBy(request, responses[0]?.id ?? '');
});

it('a notification is not carried out again', async () => {
	const value = (name: string) => ({ '@type': 'GivenName' as const, value: name });
	const { id } = await sender.attributes.create({ content: { value: value('Anna') } });
	await sender.attributes.share(id, { peer: address });
	await settle(receiver);
	const [asked] = await receiver.incomingRequests.list();
	await receiver.incomingRequests.accept(asked?.id ?? '', { items: [{ accept: true }] });
	await settle(sender);
	const { successor } = await sender.attributes.succeed(id, {
		successorContent: { value: value('Anne') },
	});
	await sender.attributes.notifyPeer(successor.id, { peer: address });
	await settle(receiver);
	const notification = (await receiver.messages.list()).find(
		(message) => message.content['@type'] === 'Notification',
	);
	await expectUnchangedBy(notification?.id ?? '');
});

it('equal mails that are sent at the same time all arrive', async () => {
	const sender = await network.gateway(network.config(), { clock: new TestClock(Date.now()) });
	await relate(receiver, sender);
	await Promise.all([1, 2, 3].map(() => sender.messages.send(mailTo(address, 'Equal'))));
	await settle(receiver);
	expect(await receiver.messages.list()).toHaveLength(3);
});

it('an own mail is not stored again, and is not a sign of another copy of the account', async () => {
	const clock = new TestClock(Date.now());
	const sender = await network.gateway(network.config(), { clock });
	await relate(receiver, sender);
	const mail = mailTo(address, 'Yes');
	const { id } = await sender.messages.send(mail, { idempotencyKey: 'yes' });
	network.backbone.events.showAgain(id);
	clock.advance(3_600_000);
	await sender.account.reconcile();
	await sender.account.sync();
	expect((await sender.messages.list()).map((message) => message.id)).toEqual([id]);
	expect(await sender.problems.list()).toEqual([]);
	expect((await sender.messages.send(mail, { idempotencyKey: 'yes' })).id).toBe(id);
});

it('an own mail hides no later ones from an account that is restored', async () => {
	const folder = network.newFolder();
	const before = await network.gateway(network.config(folder));
	await relate(receiver, before);
	const { id } = await before.messages.send(mailTo(address, 'before'));
	await before.close();
	const backup = network.newFolder();
	cpSync(folder, backup, { recursive: true });
	const lost = await network.gateway(network.config(folder));
	const sent = await lost.messages.send(mailTo(address, 'lost'), { idempotencyKey: 'lost' });
	await lost.close();
	network.backbone.events.showAgain(id);
	network.backbone.events.showAgain(sent.id);
	const restored = await network.gateway(network.config(backup));
	const repeated = await restored.messages.send(mailTo(address, 'lost'), {
		idempotencyKey: 'lost',
	});
	expect(repeated.id).toBe(sent.id);
	await settle(restored);
	expect(await restored.messages.list()).toHaveLength(2);
});
