import type { Gateway } from '../../../core';
import { arrives, inOneHour, SandboxNetwork, settle } from '../../support/gateways';

/* What a server does because nothing is locked, and because it works its queues off later
   (docs/protocol/backbone-api.md 2.12, 13.2). */
jest.setTimeout(60_000);

const plain = { '@type': 'ArbitraryRelationshipTemplateContent' as const, value: 1 };
const creationContent = {
	'@type': 'ArbitraryRelationshipCreationContent' as const,
	value: 'Hello',
};

let network: SandboxNetwork;
afterEach(() => network.close());

it.each([6, 7] as const)(
	'both who take the last allocation of a template at once are let in (Backbone %i)',
	async (majorVersion) => {
		network = await SandboxNetwork.open({ majorVersion, behaviour: 'real' });
		const own = await network.gateway();
		const people: Gateway[] = [await network.gateway(), await network.gateway()];
		const { truncatedReference: reference } = await own.templates.create({
			expiresAt: inOneHour(),
			content: plain,
			maxNumberOfAllocations: 1,
		});
		const loaded = await Promise.all(
			people.map((person) => person.templates.loadPeer({ reference })),
		);
		for (const [index, { id: templateId }] of loaded.entries()) {
			await people[index]?.relationships.create({ templateId, creationContent });
		}
		await settle(own);
		const pending = await own.relationships.list({});
		expect(pending).toMatchObject([{ status: 'Pending' }, { status: 'Pending' }]);
		for (const { id } of pending) await own.relationships.accept(id);
		for (const [index, person] of people.entries()) {
			const isActive = async (): Promise<boolean> =>
				(await person.relationships.list({})).every(({ status }) => status === 'Active');
			expect(pending[index]).toBeDefined();
			await arrives(person, isActive);
		}
		const names = ['transport.relationshipTemplateAllocationsExhausted'] as const;
		expect(await own.events.recent({ names: [...names] }, 10)).toHaveLength(1);
	},
);
