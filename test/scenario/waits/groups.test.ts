import '../../support/quick/delays';
import type { Gateway, NewGroup } from '../../../core';
import { isoInstant } from '../../../core/base/clock';
import { relate } from '../../support/gateways';
import { size } from '../../support/sizes';
import { until } from '../../support/until';
import { WaitBench } from './wait-bench';

jest.setTimeout(120_000);

const hourMs = 3_600_000;
const port = process.env['N8N_PORT'];

let bench: WaitBench;
/** the first person is the bench's, the others are added */
let people: Gateway[];
let addresses: string[];

beforeEach(async () => {
	bench = await WaitBench.open();
	process.env['N8N_PORT'] = new URL(bench.receiver.url).port;
	people = [bench.person];
	addresses = [bench.personAddress];
	for (let more = 0; more < 2; more++) await connect();
});

afterEach(async () => {
	await bench.close();
	if (port === undefined) delete process.env['N8N_PORT'];
	else process.env['N8N_PORT'] = port;
});

async function connect(): Promise<void> {
	const person = await bench.network.gateway(bench.network.config(), { clock: bench.personClock });
	const { addressB } = await relate(bench.gateway, person);
	people.push(person);
	addresses.push(addressB);
}

const consent = {
	'@type': 'ConsentRequestItem' as const,
	consent: 'May we?',
	mustBeAccepted: true,
};

async function askMember(group: NewGroup, index: number, reminder?: object): Promise<void> {
	const { gateway } = bench;
	const peer = addresses[index] ?? '';
	const { content } = await gateway.outgoingRequests.create({
		content: { items: [consent] },
		peer,
	});
	const wait = { ...gateway.waits.groupMember(group, index), note: {}, resumeUrl: '', ...reminder };
	await gateway.messages.send({ recipients: [peer], content }, { wait });
}

function newGroup(more: Partial<NewGroup> = {}): NewGroup {
	return { ...bench.newWait(), size: addresses.length, rule: { goOn: 'all' }, ...more };
}

/** Asks all people; answers the wait of their group. */
async function askAll(more: Partial<NewGroup> = {}, reminder?: object): Promise<NewGroup> {
	const group = newGroup(more);
	await bench.gateway.waits.beginGroup(group);
	for (let index = 0; index < group.size; index++) await askMember(group, index, reminder);
	await bench.gateway.waits.groupAsked(group.id, group.key, []);
	return group;
}

const personAt = (index: number): Gateway => people[index] ?? bench.person;
const decide = (index: number, verb?: 'accept' | 'reject'): Promise<void> =>
	bench.decide(verb, personAt(index));
const answered = { kind: 'answered', reference: expect.any(String) as string };

async function outcomesOfMembers({ id, key }: NewGroup): Promise<unknown[]> {
	const members = await bench.gateway.waits.members(id, key);
	return members.map(({ outcome }) => outcome);
}

async function untilNothingWaits(): Promise<void> {
	await until(async () => {
		bench.clock.advance(10_000);
		return (await bench.gateway.waits.list()).length === 0;
	});
}

describe('a group', () => {
	it('resumes the execution once, and leaves nothing behind', async () => {
		bench.gateway.waits.keepResuming();
		const group = await askAll();
		for (const index of addresses.keys()) await decide(index, index === 1 ? 'reject' : 'accept');
		await until(() => bench.resumed.length > 0);
		expect(await outcomesOfMembers(group)).toEqual([answered, answered, answered]);
		await untilNothingWaits();
		expect(bench.outcomesOf(group)).toEqual([answered]);
	});

	it('is decided although the process died before it called n8n', async () => {
		const group = await askAll({ rule: { goOn: 'first', wanted: 2 } });
		await decide(0);
		await bench.settle();
		await bench.gateway.close();
		await decide(2);
		(await bench.anotherProcess()).waits.keepResuming();
		await until(() => bench.outcomesOf(group).length > 0);
		expect(bench.outcomesOf(group)).toEqual([answered]);
		expect((await outcomesOfMembers(group))[1]).toEqual({ kind: 'ended', reason: 'notNeeded' });
	});

	it('is decided once by two processes', async () => {
		const first = bench.gateway;
		const group = await askAll({ rule: { goOn: 'majority' } });
		first.waits.keepResuming();
		(await bench.anotherProcess()).waits.keepResuming();
		await decide(0);
		await decide(1);
		await until(() => bench.outcomesOf(group).length > 0);
		await untilNothingWaits();
		expect(bench.outcomesOf(group)).toEqual([answered]);
	});

	it('ends with its time, and says who has answered', async () => {
		bench.gateway.waits.keepResuming();
		const group = await askAll({ until: isoInstant(bench.clock.now() + hourMs) });
		await decide(0);
		await bench.settle();
		bench.clock.advance(hourMs);
		await until(() => bench.outcomesOf(group).length > 0);
		expect(bench.outcomesOf(group)).toEqual([{ kind: 'timedOut' }]);
		expect(await outcomesOfMembers(group)).toEqual([
			answered,
			{ kind: 'timedOut' },
			{ kind: 'timedOut' },
		]);
	});

	it('goes on without a person who leaves, and keeps nothing about that person', async () => {
		bench.gateway.waits.keepResuming();
		const group = await askAll();
		const [{ id } = { id: '' }] = await personAt(1).relationships.list();
		await personAt(1).relationships.terminate(id);
		await decide(0);
		await decide(2);
		await bench.network.settle(personAt(1));
		await until(async () => {
			await bench.settle();
			return bench.outcomesOf(group).length > 0;
		});
		expect((await outcomesOfMembers(group))[1]).toEqual({ kind: 'ended', reason: 'peerLeft' });
		const [ours] = await bench.gateway.relationships.list({
			where: [{ field: 'peer', op: 'eq', value: addresses[1] ?? '' }],
		});
		await bench.gateway.relationships.decompose(ours?.id ?? '');
		const kept = await bench.gateway.waits.list();
		expect(JSON.stringify(kept)).not.toContain(addresses[1]);
	});

	it('whose node died while it asked ends after an hour', async () => {
		bench.gateway.waits.keepResuming();
		const group = newGroup();
		await bench.gateway.waits.beginGroup(group);
		await askMember(group, 0);
		bench.executions.set(group.key, 'missing');
		bench.clock.advance(hourMs);
		await untilNothingWaits();
		expect(bench.outcomesOf(group)).toEqual([]);
	});

	it('reminds only those who have not answered', async () => {
		bench.gateway.waits.keepResuming();
		const at = isoInstant(bench.clock.now() + hourMs);
		await askAll({}, { reminder: { at, subject: 'Reminder', body: 'Please answer.' } });
		await decide(0);
		await bench.settle();
		bench.clock.advance(hourMs);
		const mailsOf = async (index: number) => {
			await bench.network.settle(personAt(index));
			const messages = await personAt(index).messages.list();
			return messages.filter(({ content }) => content['@type'] === 'Mail').length;
		};
		await until(async () => (await mailsOf(1)) === 1 && (await mailsOf(2)) === 1);
		expect(await mailsOf(0)).toBe(0);
	});

	it('is replaced when its node asks again', async () => {
		const group = await askAll();
		const again = { ...newGroup(), id: group.id };
		await bench.gateway.waits.beginGroup(again);
		expect((await bench.gateway.waits.list()).map(({ key }) => key)).toEqual([again.key]);
		await bench.gateway.waits.discard(again.id, again.key);
		expect(await bench.gateway.waits.list()).toEqual([]);
	});

	it('refuses a deadline that has passed', async () => {
		const late = newGroup({ until: isoInstant(bench.clock.now() - 1) });
		await expect(bench.gateway.waits.beginGroup(late)).rejects.toMatchObject({
			code: 'error.gateway.waits.deadlinePassed',
		});
	});
});

describe('an escalation', () => {
	const content = { '@type': 'Request', items: [consent] };
	const escalate = () => ({
		...{ size: 2, rule: { goOn: 'first', wanted: 1 } as const },
		escalation: {
			at: isoInstant(bench.clock.now() + hourMs),
			...{ peers: [addresses[2] ?? ''], content },
		},
	});

	it('asks further people once, also over a restart', async () => {
		const group = await askAll(escalate());
		bench.gateway.waits.keepResuming();
		bench.clock.advance(hourMs);
		await until(async () => (await outcomesOfMembers(group)).length === 3);
		await bench.gateway.close();
		(await bench.anotherProcess()).waits.keepResuming();
		await bench.network.settle(personAt(2));
		expect(await personAt(2).incomingRequests.list()).toHaveLength(1);
		await decide(2);
		await until(() => bench.outcomesOf(group).length > 0);
		expect(bench.outcomesOf(group)).toEqual([answered]);
		await untilNothingWaits();
		await bench.network.settle(personAt(2));
		expect(await personAt(2).incomingRequests.list()).toHaveLength(1);
	});

	it('does not ask when the first people have answered', async () => {
		bench.gateway.waits.keepResuming();
		const group = await askAll(escalate());
		await decide(0);
		await until(() => bench.outcomesOf(group).length > 0);
		bench.clock.advance(hourMs);
		await untilNothingWaits();
		await bench.network.settle(personAt(2));
		expect(await personAt(2).incomingRequests.list()).toEqual([]);
	});

	it('forgets a person who was left before', async () => {
		const group = await askAll(escalate());
		const [{ id } = { id: '' }] = await bench.gateway.relationships.list({
			where: [{ field: 'peer', op: 'eq', value: addresses[2] ?? '' }],
		});
		await bench.gateway.relationships.terminate(id);
		await bench.gateway.relationships.decompose(id);
		await bench.gateway.close();
		const again = await bench.anotherProcess();
		again.waits.keepResuming();
		bench.clock.advance(2 * hourMs);
		await decide(0);
		await until(() => bench.outcomesOf(group).length > 0);
		expect(await again.waits.members(group.id, group.key)).toHaveLength(2);
	});

	/** The person gets the request, once. */
	async function arrives(index: number): Promise<void> {
		const requests = async () => {
			await bench.network.settle(personAt(index));
			return await personAt(index).incomingRequests.list();
		};
		await until(async () => (await requests()).length > 0);
		expect(await requests()).toHaveLength(1);
	}

	it('asks the others although one of them was left after a part was asked', async () => {
		const peers = [addresses[1] ?? '', addresses[2] ?? ''];
		const at = isoInstant(bench.clock.now() + hourMs);
		const group = await askAll({ size: 1, escalation: { at, peers, content } });
		// The first of them is asked, then the Backbone is away.
		bench.network.backbone.faults.add({
			...{ method: 'POST', path: /Messages$/, nth: 2, times: 1 },
			action: { kind: 'cutBefore' },
		});
		bench.gateway.waits.keepResuming();
		bench.clock.advance(hourMs);
		await arrives(1);
		await bench.gateway.close();
		const again = await bench.anotherProcess();
		const [{ id } = { id: '' }] = await again.relationships.list({
			where: [{ field: 'peer', op: 'eq', value: addresses[1] ?? '' }],
		});
		await again.relationships.terminate(id);
		await again.relationships.decompose(id);
		again.waits.keepResuming();
		await until(async () => {
			bench.clock.advance(10_000);
			return (await again.waits.members(group.id, group.key)).length === 3;
		});
		await arrives(2);
	});

	it('is tried again when the Backbone is away', async () => {
		const group = await askAll(escalate());
		bench.network.backbone.faults.add({
			...{ method: 'POST', path: /Messages$/, times: 1 },
			action: { kind: 'cutBefore' },
		});
		bench.gateway.waits.keepResuming();
		bench.clock.advance(hourMs);
		await until(async () => {
			bench.clock.advance(10_000);
			return (await outcomesOfMembers(group)).length === 3;
		});
		await bench.network.settle(personAt(2));
		expect(await personAt(2).incomingRequests.list()).toHaveLength(1);
	});
});

describe('a large group', () => {
	it('goes on with the answers of all', async () => {
		bench.gateway.waits.keepResuming();
		const many = size({ quick: 12, full: 200 });
		while (addresses.length < many) await connect();
		const group = await askAll();
		for (const index of addresses.keys()) await decide(index);
		await until(async () => {
			await bench.settle();
			return bench.outcomesOf(group).length > 0;
		}, 60_000);
		expect(await outcomesOfMembers(group)).toEqual(addresses.map(() => answered));
	});
});
