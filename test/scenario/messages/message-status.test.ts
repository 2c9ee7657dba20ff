import type { EventName, Gateway } from '../../../core';
import { arrivals, mailTo, relate, SandboxNetwork, settle } from '../../support/gateways';

jest.setTimeout(60_000);

describe('the status of a message', () => {
	let network: SandboxNetwork;
	let sender: Gateway;
	let receiver: Gateway;
	let addressA: string;
	let addressB: string;

	const namesOf = async (gateway: Gateway, name: EventName): Promise<number> =>
		(await gateway.events.recent({ names: [name] }, 100)).length;

	beforeAll(async () => {
		network = await SandboxNetwork.open();
		sender = await network.gateway();
		receiver = await network.gateway();
		({ addressA, addressB } = await relate(sender, receiver));
	});

	afterAll(async () => {
		await network.close();
	});

	it('is read and unread as a person says, and each change is one event', async () => {
		const { id } = await sender.messages.send(mailTo(addressB));
		await settle(receiver);
		const changes = 'transport.messageWasReadAtChanged';
		expect(await receiver.messages.markAsUnread(id)).not.toHaveProperty('wasReadAt');
		expect(await namesOf(receiver, changes)).toBe(0);
		const { wasReadAt } = await receiver.messages.markAsRead(id);
		expect(wasReadAt).toEqual(expect.any(String));
		expect(await receiver.messages.markAsRead(id)).toMatchObject({ wasReadAt });
		expect(await namesOf(receiver, changes)).toBe(1);
		expect(await receiver.messages.markAsUnread(id)).not.toHaveProperty('wasReadAt');
		expect(await namesOf(receiver, changes)).toBe(2);
		expect(await receiver.messages.get(id)).not.toHaveProperty('wasReadAt');
		await expect(receiver.messages.markAsUnread('MSGunknown')).rejects.toMatchObject({
			code: 'error.runtime.recordNotFound',
		});
	});

	it('says when a recipient has fetched it, once the Backbone tells', async () => {
		const { id } = await sender.messages.send(mailTo(addressB, 'delivered'));
		expect((await sender.messages.get(id)).recipients[0]).not.toHaveProperty('receivedAt');
		await settle(receiver);
		network.backbone.events.add(addressA, 'MessageDelivered', { id });
		const { messages } = await arrivals(sender);
		expect(messages).toMatchObject([
			{
				id,
				recipients: [
					{
						address: addressB,
						receivedAt: expect.any(String),
						receivedByDevice: expect.any(String),
						relationshipId: expect.any(String),
					},
				],
			},
		]);
		expect(await namesOf(sender, 'transport.messageDelivered')).toBe(1);
	});

	it('is not changed by news of a message that is not ours', async () => {
		const { id } = await sender.messages.send(mailTo(addressB, 'theirs'));
		await settle(receiver);
		const before = await receiver.messages.get(id);
		network.backbone.events.add(addressB, 'MessageDelivered', { id });
		await settle(receiver);
		expect(await receiver.messages.get(id)).toEqual(before);
		expect(await namesOf(receiver, 'transport.messageDelivered')).toBe(0);
	});
});
