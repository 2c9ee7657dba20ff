import { SandboxBackbone } from '../../sandbox/sandbox-backbone';
import { settleInSandbox } from '../support/arrivals';
import { Peer, type Generation } from '../support/peer/peer';
import { newSeed } from '../support/seeds';
import { arbitraryTemplate, ask, give, onboarding, referenceOf } from './contents';

jest.setTimeout(120_000);

/** Runtime 6 does not know the paths of a Backbone 7. */
const generationsOf: Record<6 | 7, readonly Generation[]> = { 6: [6, 7], 7: [7] };

describe.each([6, 7] as const)('official runtimes on a sandbox Backbone %d', (majorVersion) => {
	const generations = generationsOf[majorVersion];
	const pairs = generations.flatMap((first) =>
		generations.map((second): [Generation, Generation] => [first, second]),
	);
	let backbone: SandboxBackbone;
	const peers = new Map<Generation, [Peer, Peer]>();
	beforeAll(async () => {
		backbone = await SandboxBackbone.open({ majorVersion, behaviour: 'real', seed: newSeed() });
		const { baseUrl } = backbone;
		for (const generation of generations) {
			const start = (): Promise<Peer> => Peer.start(generation, { baseUrl });
			peers.set(generation, await Promise.all([start(), start()]));
		}
	});
	afterAll(async () => {
		await Promise.all([...peers.values()].flat().map((peer) => peer.stop()));
		await backbone.close();
	});

	const settle = (...parties: readonly Peer[]): Promise<void> =>
		settleInSandbox(
			parties.map(({ syncing }) => syncing),
			backbone,
		);

	const both = (generation: Generation): [Peer, Peer] => {
		const started = peers.get(generation);
		if (started === undefined) throw new Error(`No runtime ${generation} was started`);
		return started;
	};

	describe.each(pairs)('%d as templator and %d as requestor', (first, second) => {
		let templator: Peer;
		let requestor: Peer;
		beforeAll(() => {
			[templator] = both(first);
			[, requestor] = both(second);
		});

		it('run the whole story from template to mail', async () => {
			const template = await templator.createTemplate(
				onboarding(ask('GivenName'), ask('EMailAddress')),
			);
			const request = await requestor.receiveRequest(referenceOf(template).truncated);
			await requestor.acceptRequest(request.id, [
				give(requestor.address, 'GivenName', 'Ada'),
				give(requestor.address, 'EMailAddress', 'ada@example.org'),
			]);
			const created = await requestor.relationshipWith(templator.address);
			await settle(templator);
			const pending = await templator.relationshipWith(requestor.address);
			expect(pending).toMatchObject({ id: created.id, status: 'Pending' });
			await templator.waitForEvent(
				'consumption.outgoingRequestCreatedAndCompleted',
				({ data }) => data['peer'] === requestor.address,
			);
			const received = await templator.attributes({ 'content.owner': requestor.address });
			expect(received.map(({ content }) => (content as { value: unknown }).value)).toEqual([
				{ '@type': 'GivenName', value: 'Ada' },
				{ '@type': 'EMailAddress', value: 'ada@example.org' },
			]);
			await templator.acceptRelationship(pending.id);
			await settle(requestor);
			expect(await requestor.relationshipWith(templator.address)).toMatchObject({
				status: 'Active',
			});

			await templator.sendMail(requestor.address, 'Welcome', 'Nice to meet you');
			await settle(requestor);
			expect(await contents(requestor, templator)).toMatchObject([
				{ '@type': 'Mail', subject: 'Welcome', body: 'Nice to meet you' },
			]);
			await requestor.sendMail(templator.address, 'Thanks', 'You too');
			await requestor.sendArbitrary(templator.address, [1, { two: 'Zwei' }]);
			await settle(templator);
			expect(await contents(templator, requestor)).toMatchObject([
				{ '@type': 'Mail', subject: 'Thanks', body: 'You too' },
				{ '@type': 'ArbitraryMessageContent', value: [1, { two: 'Zwei' }] },
			]);
		});
	});

	it('reject, revoke and then relate after all', async () => {
		const [generation = 7] = generations;
		const [templator, requestor] = both(generation);
		const stranger = await Peer.start(generation, { baseUrl: backbone.baseUrl });
		try {
			const template = await templator.createTemplate(arbitraryTemplate('again and again'));
			const loaded = await stranger.loadTemplate(referenceOf(template).url);
			const first = await stranger.createRelationship(loaded.id, 1);
			await settle(templator);
			await templator.rejectRelationship(first.id);
			await settle(stranger);
			const second = await stranger.createRelationship(loaded.id, 2);
			await stranger.revokeRelationship(second.id);
			const third = await stranger.createRelationship(loaded.id, 3);
			await settle(templator);
			await templator.acceptRelationship(third.id);
			const all = await templator.relationships({ peer: stranger.address });
			expect(all.map(({ status }) => status)).toEqual(['Rejected', 'Revoked', 'Active']);
			await expect(stranger.sendMail(requestor.address, 'To a', 'stranger')).rejects.toMatchObject({
				code: 'error.runtime.messages.hasNoActiveRelationship',
			});
		} finally {
			await stranger.stop();
		}
	});
});

/**
 * What one peer received from another, oldest first. Official runtimes of generation 6 list a message
 * twice whose event came twice (observed).
 */
async function contents(receiver: Peer, sender: Peer): Promise<unknown[]> {
	const messages = await receiver.messages({ createdBy: sender.address });
	return [...new Map(messages.map(({ id, content }) => [id, content])).values()];
}
