import { ownText } from '../../../core/model/json';
import { arrivals, inOneHour, mailTo, relate, settle, TestNetwork } from '../../support/gateways';

describe('two gateways on one Backbone', () => {
	let network: TestNetwork;
	beforeAll(async () => {
		network = await TestNetwork.open();
	});
	afterAll(async () => {
		await network.close();
	});

	it('go from template to mail in both directions', async () => {
		const a = await network.gateway();
		const b = await network.gateway();
		const { relationshipId, addressA, addressB } = await relate(a, b);

		const [atA] = await a.relationships.list();
		expect(atA).toMatchObject({ id: relationshipId, status: 'Active', peer: addressB });
		expect(atA?.auditLog.map(({ reason }) => reason)).toEqual(['Creation', 'AcceptanceOfCreation']);
		expect(atA?.creationContent).toEqual({
			'@type': 'ArbitraryRelationshipCreationContent',
			value: { hi: 'there' },
		});

		const sent = await a.messages.send(mailTo(addressB, 'First'));
		await a.messages.send(mailTo(addressB, 'Second'));
		const outcome = await arrivals(b);
		expect(outcome.messages.map(({ content }) => ownText(content, 'subject'))).toEqual([
			'First',
			'Second',
		]);
		expect(outcome.messages[0]).toMatchObject({ id: sent.id, isOwn: false, createdBy: addressA });
		await b.messages.send(mailTo(addressA, 'Answer'));
		await settle(a);
		const received = await a.messages.list({ where: [{ field: 'isOwn', op: 'eq', value: false }] });
		expect(received.map(({ content }) => ownText(content, 'subject'))).toEqual(['Answer']);
	});

	it('keep everything across a restart', async () => {
		const config = network.config();
		const first = await network.gateway(config);
		const { address } = await first.account.getIdentity();
		const template = await first.templates.create({
			expiresAt: inOneHour(),
			maxNumberOfAllocations: 1,
			content: { '@type': 'ArbitraryRelationshipTemplateContent', value: 1 },
		});
		await first.close();
		const second = await network.gateway(config);
		expect((await second.account.getIdentity()).address).toBe(address);
		expect(await second.templates.get(template.id)).toEqual(template);
	});

	it('publish what happened in order', async () => {
		const a = await network.gateway();
		const b = await network.gateway();
		const { addressA } = await relate(a, b);
		await b.messages.send(mailTo(addressA));
		await settle(a);
		const events = await a.events.recent({}, 10);
		expect(events.map(({ event }) => event)).toEqual([
			'transport.relationshipChanged',
			'transport.relationshipChanged',
			'transport.messageReceived',
			'consumption.messageProcessed',
		]);
	});
});
