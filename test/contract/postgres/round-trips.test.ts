import { PostgresMeter } from '../../../bench/support/postgres-meter';
import type { Gateway } from '../../../core';
import { inOneHour, mailTo, relate, SandboxNetwork } from '../../support/gateways';
import { describeWithPostgres, TestDatabase } from '../../support/postgres/postgres';

jest.setTimeout(120_000);

/** Repetitions of each use case; the fewest round trips count, because syncs have later work. */
const repetitions = 4;

describeWithPostgres('the round trips to PostgreSQL', () => {
	let database: TestDatabase;
	let meter: PostgresMeter;
	let network: SandboxNetwork;
	let gateway: Gateway;
	let peer: Gateway;
	let [own, other] = ['', ''];
	let words = 0;

	beforeAll(async () => {
		database = await TestDatabase.create();
		meter = await PostgresMeter.open(database.config.host, database.config.port);
		network = await SandboxNetwork.open({ behaviour: 'kind', maxUnreceivedMessages: 100 });
		gateway = await network.gateway(configOf());
		peer = await network.gateway();
		({ addressA: own, addressB: other } = await relate(gateway, peer));
	});

	afterAll(async () => {
		await network.close();
		await meter.close();
		await database.drop();
	});

	const configOf = (more: object = {}) => ({
		...network.config(),
		store: { ...database.config, port: meter.port },
		passphrase: 'correct horse',
		...more,
	});

	const attribute = () => ({
		content: { value: { '@type': 'Surname' as const, value: `Name ${++words}` } },
	});

	const template = () => ({
		content: { '@type': 'ArbitraryRelationshipTemplateContent' as const, value: ++words },
		expiresAt: inOneHour(),
	});

	const receive = (count: number) => async () => {
		for (let number = 0; number < count; number++) await peer.messages.send(mailTo(own));
	};

	/** Lets another person send a relationship, and returns its id once it has arrived. */
	async function newRelationship(): Promise<string> {
		const person = await network.gateway();
		const { truncatedReference: reference } = await gateway.templates.create(template());
		const { id: templateId } = await person.templates.loadPeer({ reference });
		const creationContent = { '@type': 'ArbitraryRelationshipCreationContent' as const, value: 1 };
		const { id } = await person.relationships.create({ templateId, creationContent });
		await network.arrives(gateway, async () =>
			(await gateway.relationships.list()).some((relationship) => relationship.id === id),
		);
		return id;
	}

	/** Lets the peer ask for a consent, and returns the id of the request once it has arrived. */
	async function newRequest(): Promise<string> {
		const items = [
			{ '@type': 'ConsentRequestItem' as const, mustBeAccepted: true, consent: 'Terms' },
		];
		const { content, id } = await peer.outgoingRequests.create({ peer: own, content: { items } });
		await peer.messages.send({ recipients: [own], content });
		await network.arrives(gateway, async () =>
			(await gateway.incomingRequests.list()).some((request) => request.id === id),
		);
		return id;
	}

	async function fewest<Given>(
		prepare: () => Promise<Given>,
		run: (given: Given) => Promise<unknown>,
	): Promise<number> {
		let least = Number.POSITIVE_INFINITY;
		for (let round = 0; round < repetitions; round++) {
			const given = await prepare();
			meter.take();
			await run(given);
			least = Math.min(least, meter.take().roundTrips);
		}
		return least;
	}

	const nothing = () => Promise.resolve();
	const sync = () => gateway.account.sync();

	it('of a sent mail are six: three to prepare it, three to complete it', async () => {
		expect(await fewest(nothing, () => gateway.messages.send(mailTo(other)))).toBe(6);
		const keyed = () => gateway.messages.send(mailTo(other), { idempotencyKey: `key ${++words}` });
		expect(await fewest(nothing, keyed)).toBe(7);
	});

	it('of the repetition of a sent mail are as few', async () => {
		const sent = async () => {
			const idempotencyKey = `key ${++words}`;
			await gateway.messages.send(mailTo(other), { idempotencyKey });
			return idempotencyKey;
		};
		const repeat = (idempotencyKey: string) =>
			gateway.messages.send(mailTo(other), { idempotencyKey });
		expect(await fewest(sent, repeat)).toBeLessThanOrEqual(4);
	});

	it('of an attribute or a template are few', async () => {
		expect(await fewest(nothing, () => gateway.attributes.create(attribute()))).toBe(3);
		expect(await fewest(nothing, () => gateway.templates.create(template()))).toBe(2);
	});

	it('of each further mail in a sync are few', async () => {
		const [ten, thirty] = [await fewest(receive(10), sync), await fewest(receive(30), sync)];
		expect((thirty - ten) / 20).toBeLessThan(5);
	});

	it('of a sync without events is one', async () => {
		expect(await fewest(nothing, sync)).toBe(1);
	});

	it('of a relationship that is accepted are few', async () => {
		const accept = (id: string) => gateway.relationships.accept(id);
		expect(await fewest(newRelationship, accept)).toBeLessThanOrEqual(8);
	});

	it('of a request that is answered are few', async () => {
		const items = [{ accept: true }];
		const answer = (id: string) => gateway.incomingRequests.accept(id, { items });
		expect(await fewest(newRequest, answer)).toBeLessThanOrEqual(16);
	});

	it('of a mail are few where contents are sealed', async () => {
		const sealing = await network.gateway(configOf({ account: 'sealed', sealContents: true }));
		const { addressB } = await relate(sealing, peer);
		expect(await fewest(nothing, () => sealing.messages.send(mailTo(addressB)))).toBe(7);
	});
});
