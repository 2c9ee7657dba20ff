import { ownText } from '../../../core/model/json';
import type { Gateway } from '../../../core';
import { inOneHour, mailTo, SandboxNetwork } from '../../support/gateways';
import { newSeed } from '../../support/seeds';

/*
 * One life of a relationship whose events come late, in any order between their kinds, and again under
 * their own and other ids (docs/protocol/backbone-api.md 2.12) ends as it does when all come in order.
 */
jest.setTimeout(600_000);

const orders = process.env['ENMESHED_TEST_FULL'] === '1' ? 100 : 5;
const creationContent = {
	'@type': 'ArbitraryRelationshipCreationContent' as const,
	value: 'Hello',
};
const templateContent = { '@type': 'ArbitraryRelationshipTemplateContent' as const, value: 1 };

/** What both sides have in the end, without ids, times and what depends on the order alone. */
interface Outcome {
	readonly relationships: readonly string[];
	readonly mails: readonly string[];
	readonly events: readonly string[];
}

async function outcomeOf(gateway: Gateway): Promise<Outcome> {
	const relationships = await gateway.relationships.list({});
	const mails = await gateway.messages.list({});
	const events = await gateway.events.recent({}, 1_000);
	return {
		relationships: relationships.map(({ status, auditLog }) =>
			[status, ...auditLog.map(({ reason }) => reason)].join(' '),
		),
		mails: mails.map(({ content }) => String(ownText(content, 'subject'))).sort(),
		// Several changes of the relationship that one sync finds are told once (docs/protocol/transport.md 14).
		events: events
			.map(({ event }) => event)
			.filter((name, index, all) => !name.includes('elationship') || all.indexOf(name) === index)
			.sort(),
	};
}

/** In steps: between two of them everything that waits may come. */
async function live(behaviour: 'kind' | 'real', seed: number): Promise<Outcome[]> {
	const network = await SandboxNetwork.open({ behaviour, seed, repeatedShare: 0.5 });
	try {
		const a = await network.gateway();
		const b = await network.gateway();
		const addressA = (await a.account.getIdentity()).address;
		const addressB = (await b.account.getIdentity()).address;
		const { truncatedReference: reference } = await a.templates.create({
			expiresAt: inOneHour(),
			content: templateContent,
		});
		const { id: templateId } = await b.templates.loadPeer({ reference });
		const { id } = await b.relationships.create({ templateId, creationContent });
		const statusIs = (gateway: Gateway, status: string) => async (): Promise<boolean> =>
			(await gateway.relationships.list({})).some((one) => one.status === status);
		await network.arrives(a, statusIs(a, 'Pending'));
		await a.relationships.accept(id);
		for (const subject of ['first', 'second']) await a.messages.send(mailTo(addressB, subject));
		await network.arrives(b, statusIs(b, 'Active'));
		for (const subject of ['third', 'fourth']) await b.messages.send(mailTo(addressA, subject));
		await b.relationships.terminate(id);
		await network.arrives(a, statusIs(a, 'Terminated'));
		await a.relationships.requestReactivation(id);
		await network.settle(b);
		await b.relationships.acceptReactivation(id);
		await network.arrives(a, statusIs(a, 'Active'));
		await a.messages.send(mailTo(addressB, 'fifth'));
		await network.settle(a, b);
		await b.relationships.terminate(id);
		await b.relationships.decompose(id);
		await network.settle(a, b);
		return [await outcomeOf(a), await outcomeOf(b)];
	} finally {
		await network.close();
	}
}

it(`ends the same in ${orders} orders of its events`, async () => {
	const expected = await live('kind', 1);
	expect(expected[0]?.mails).toEqual(['fifth', 'first', 'fourth', 'second', 'third']);
	for (let order = 0; order < orders; order++) {
		const seed = newSeed();
		expect({ seed, outcome: await live('real', seed) }).toEqual({ seed, outcome: expected });
	}
});
