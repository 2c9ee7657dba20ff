import type { AttributeDto } from '../../../core';
import { Dice } from '../../scenario/convergence/dice';
import { newSeed } from '../../support/seeds';
import { heldAtPeer } from '../histories/our-holder-7';
import { differences } from '../histories/views';
import { YearWorld, type YearParty } from './year-world';

jest.setTimeout(600_000);

/*
 * A year of an account: its Backbone goes from version 6 to 7, the account itself is served as version
 * 7, and its peers follow one by one. What was shared before is succeeded, deleted and asked for
 * afterwards, by processes that are killed.
 */

const name = (value: string) => ({ '@type': 'GivenName' as const, value });
const hour = 3_600_000;

let world: YearWorld;
let we: YearParty;
let people: YearParty[];
let dice: Dice;

beforeEach(async () => {
	const seed = newSeed();
	dice = new Dice(seed);
	world = new YearWorld();
	await world.serve(6);
	we = await world.party('we');
	people = [await world.party('ann'), await world.party('bea'), await world.party('cay')];
	for (const person of people) await world.relate(we, person);
});
afterEach(() => world.close());

/** At a point of the work that lies in most of its runs. */
const killed = async (
	party: YearParty,
	work: () => Promise<unknown>,
	hasEffect: () => Promise<boolean>,
): Promise<void> => await party.killedAt(1 + dice.number(8), work, hasEffect);

const copyFor = async (id: string, peer: string): Promise<AttributeDto | undefined> =>
	(await we.gateway.attributes.sharedVersions(id, { peers: [peer] })).at(0);

/** Everybody accepts what waits, in a process that is killed meanwhile. */
async function answerAll(): Promise<void> {
	await world.settle();
	for (const party of world.parties) {
		const waiting = await party.gateway.incomingRequests.list({
			query: { status: 'ManualDecisionRequired' },
		});
		for (const { id } of waiting) {
			const accept = (): Promise<unknown> =>
				party.gateway.incomingRequests.accept(id, {
					items: [{ accept: true, deletionDate: world.inDays(1) }],
				});
			await killed(party, accept, async () => {
				const { status } = await party.gateway.incomingRequests.get(id);
				return status !== 'ManualDecisionRequired';
			});
		}
	}
	await world.settle();
}

async function share(id: string, person: YearParty): Promise<void> {
	const { address: peer } = person;
	const requests = async (): Promise<number> =>
		(await we.gateway.outgoingRequests.list({ query: { peer } })).length;
	const before = await requests();
	await killed(
		we,
		() => we.gateway.attributes.share(id, { peer }),
		async () => (await requests()) > before,
	);
	await answerAll();
	expect(await copyFor(id, peer)).toBeDefined();
}

async function succeed(id: string, value: string): Promise<string> {
	const { attributes } = we.gateway;
	const { successor } = await attributes.succeed(id, { successorContent: { value: name(value) } });
	for (const { address: peer } of people) {
		await killed(
			we,
			() => we.gateway.attributes.notifyPeer(successor.id, { peer }),
			async () => {
				const copy = await copyFor(successor.id, peer);
				return copy?.shareInfo?.sourceAttribute === successor.id;
			},
		);
	}
	await world.settle();
	return successor.id;
}

/** The person tells its version by a mail, shares an attribute and gives it a new value. */
async function hearFrom(person: YearParty, month: number): Promise<void> {
	const { attributes, messages } = person.gateway;
	await messages.send({
		recipients: [we.address],
		content: { '@type': 'Mail', to: [we.address], subject: 'Hello', body: `Month ${month}` },
	});
	const { id } = await attributes.create({ content: { value: name(`${person.name} ${month}`) } });
	await attributes.share(id, { peer: we.address });
	await answerAll();
	const { successor } = await attributes.succeed(id, {
		successorContent: { value: name(`${person.name} ${month}, new`) },
	});
	await person.gateway.attributes.notifyPeer(successor.id, { peer: we.address });
	await world.settle();
}

async function askToDelete(id: string, person: YearParty): Promise<void> {
	const copy = await copyFor(id, person.address);
	if (copy === undefined) throw new Error('Expected a shared attribute');
	const item = {
		'@type': 'DeleteAttributeRequestItem' as const,
		mustBeAccepted: true,
		attributeId: copy.id,
	};
	const { outgoingRequests, messages } = we.gateway;
	const { content } = await outgoingRequests.create({
		content: { items: [item] },
		peer: person.address,
	});
	await messages.send({ recipients: [person.address], content });
	await answerAll();
	expect((await copyFor(id, person.address))?.deletionInfo).toMatchObject({
		deletionStatus: 'ToBeDeletedByPeer',
	});
}

/** Both sides of each relationship see the same. */
async function expectAgreement(month: number): Promise<void> {
	const side = (party: YearParty, peer: string) => ({
		address: party.address,
		attributes: () => heldAtPeer(party.gateway, peer),
	});
	for (const person of people) {
		const found = await differences(side(we, person.address), side(person, we.address));
		expect({ month, person: person.name, found }).toEqual({
			month,
			person: person.name,
			found: [],
		});
	}
}

it('keeps what is shared together while everybody is updated', async () => {
	const { attributes } = we.gateway;
	let { id: longLived } = await attributes.create({ content: { value: name('Version 0') } });
	for (const person of people) await share(longLived, person);
	const first = longLived;
	const monthly: string[] = [];
	for (let month = 1; month <= 12; month++) {
		world.nextMonth();
		if (month === 3) {
			for (const party of world.parties) await party.stop();
			await world.serve(7);
			for (const party of world.parties) await party.start();
		}
		if (month === 5) {
			we.isOf7 = true;
			await we.stop();
			await we.start();
		}
		const updated = people[month - 6];
		if (updated !== undefined && month >= 6) await updated.becomeVersion7(we.address);

		const { id } = await we.gateway.attributes.create({
			content: { value: name(`Of month ${month}`) },
		});
		for (const person of people) await share(id, person);
		monthly.push(id);
		longLived = await succeed(longLived, `Version ${month}`);
		for (const person of people) await hearFrom(person, month);
		await expectAgreement(month);
	}
	// What was shared before the first update is deleted afterwards, by either side.
	const [ofJanuary = '', ofFebruary = ''] = monthly;
	const [ann, bea] = people;
	if (ann === undefined || bea === undefined) throw new Error('Expected three people');
	await askToDelete(ofJanuary, ann);
	const copy = await copyFor(ofFebruary, bea.address);
	await we.gateway.attributes.deleteOwnShared(copy?.id ?? '');
	const held = await bea.gateway.attributes.list({});
	const received = held.find(
		({ content }) => 'value' in content.value && content.value.value === 'Of month 1',
	);
	await bea.gateway.attributes.deletePeerShared(received?.id ?? '');
	world.jump(hour);
	await world.settle();
	await expectAgreement(13);
	expect((await we.gateway.attributes.versions(first)).length).toBe(13);
	expect(world.kills).toBeGreaterThan(5);
});
