import { ownText } from '../../core/model/json';
import type { Gateway } from '../../core';
import { noteEventTime, noteLeftOut } from '../support/backbone/backbone-notes';
import { mailTo, relate, TestNetwork } from '../support/gateways';
import { until } from '../support/until';
import { mailCount, majorVersion } from './target';

jest.setTimeout(600_000);

/* A load of mails in both directions: each arrives exactly once, whatever the Backbone repeats. */

/** The shipped limit of unreceived messages is 20 for each pair. */
const atATime = 8;
const patienceMs = 120_000;

let network: TestNetwork;

beforeAll(async () => {
	network = await TestNetwork.open({ majorVersion });
});

afterAll(() => network.close());

async function subjectsAt(gateway: Gateway): Promise<string[]> {
	const received = await gateway.messages.list({
		where: [{ field: 'isOwn', op: 'eq', value: false }],
	});
	return received.map(({ content }) => String(ownText(content, 'subject')));
}

it('arrives exactly once in each direction', async () => {
	const [a, b] = [await network.gateway(), await network.gateway()];
	const { addressA, addressB } = await relate(a, b);
	for (const gateway of [a, b]) {
		gateway.events.keepSynced({ intervalMs: 2_000, push: true, onProblem: () => undefined });
	}
	const sent: string[] = [];
	for (let number = 0; number < mailCount; number += atATime) {
		const subjects = Array.from({ length: Math.min(atATime, mailCount - number) }, (_, index) =>
			String(number + index),
		);
		const began = performance.now();
		await Promise.all(
			subjects.flatMap((subject) => [
				a.messages.send(mailTo(addressB, subject)),
				b.messages.send(mailTo(addressA, subject)),
			]),
		);
		sent.push(...subjects);
		await until(async () => {
			const counts = [await a.account.getSyncStatus(), await b.account.getSyncStatus()];
			expect(counts.flatMap(({ parkedEvents }) => parkedEvents)).toEqual([]);
			return (
				(await subjectsAt(a)).length >= sent.length && (await subjectsAt(b)).length >= sent.length
			);
		}, patienceMs);
		noteEventTime(`${atATime} mails each way`, performance.now() - began);
	}
	await network.settle(a, b);
	const inOrder = [...sent].sort();
	expect((await subjectsAt(a)).sort()).toEqual(inOrder);
	expect((await subjectsAt(b)).sort()).toEqual(inOrder);
});

it('one mail for two people', async () => {
	const [sender, one, other] = [
		await network.gateway(),
		await network.gateway(),
		await network.gateway(),
	];
	const { addressB: first } = await relate(sender, one);
	const { addressB: second } = await relate(sender, other);
	const { content } = mailTo(first, 'For both');
	const input = { recipients: [first, second], content: { ...content, to: [first, second] } };
	try {
		await sender.messages.send(input);
	} catch (error) {
		// The shipped limit is one recipient.
		expect(error).toMatchObject({ remedy: expect.stringContaining('one') as unknown });
		noteLeftOut('one mail for two people', (error as Error).message);
		return;
	}
	for (const gateway of [one, other]) {
		await network.arrives(gateway, async () => (await subjectsAt(gateway)).includes('For both'));
	}
});
