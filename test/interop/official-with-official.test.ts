import { SandboxBackbone } from '../../sandbox/sandbox-backbone';
import { Peer, type Generation } from '../support/peer';
import { arbitraryTemplate, ask, give, onboarding, referenceOf } from './contents';

jest.setTimeout(120_000);

const pairs: Array<[Generation, Generation]> = [
	[6, 6],
	[7, 7],
	[6, 7],
	[7, 6],
];

describe('official runtimes on the sandbox Backbone', () => {
	let backbone: SandboxBackbone;
	let peers: Record<Generation, [Peer, Peer]>;
	beforeAll(async () => {
		backbone = await SandboxBackbone.open();
		const config = { baseUrl: backbone.baseUrl };
		const [a6, b6, a7, b7] = await Promise.all([
			Peer.start(6, config),
			Peer.start(6, config),
			Peer.start(7, config),
			Peer.start(7, config),
		]);
		peers = { 6: [a6, b6], 7: [a7, b7] };
	});
	afterAll(async () => {
		await Promise.all(Object.values(peers).flatMap((both) => both.map((peer) => peer.stop())));
		await backbone.close();
	});

	describe.each(pairs)('%d as templator and %d as requestor', (first, second) => {
		let templator: Peer;
		let requestor: Peer;
		beforeAll(() => {
			templator = peers[first][0];
			requestor = peers[second][1];
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
			await templator.sync();
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
			await requestor.sync();
			expect(await requestor.relationshipWith(templator.address)).toMatchObject({
				status: 'Active',
			});

			await templator.sendMail(requestor.address, 'Welcome', 'Nice to meet you');
			await requestor.sync();
			expect(await contents(requestor, templator)).toMatchObject([
				{ '@type': 'Mail', subject: 'Welcome', body: 'Nice to meet you' },
			]);
			await requestor.sendMail(templator.address, 'Thanks', 'You too');
			await requestor.sendArbitrary(templator.address, [1, { two: 'Zwei' }]);
			await templator.sync();
			expect(await contents(templator, requestor)).toMatchObject([
				{ '@type': 'Mail', subject: 'Thanks', body: 'You too' },
				{ '@type': 'ArbitraryMessageContent', value: [1, { two: 'Zwei' }] },
			]);
		});
	});

	it('reject, revoke and then relate after all', async () => {
		const [templator, requestor] = [peers[6][0], peers[6][1]];
		const stranger = await Peer.start(6, { baseUrl: backbone.baseUrl });
		try {
			const template = await templator.createTemplate(arbitraryTemplate('again and again'));
			const loaded = await stranger.loadTemplate(referenceOf(template).url);
			const first = await stranger.createRelationship(loaded.id, 1);
			await templator.sync();
			await templator.rejectRelationship(first.id);
			await stranger.sync();
			const second = await stranger.createRelationship(loaded.id, 2);
			await stranger.revokeRelationship(second.id);
			const third = await stranger.createRelationship(loaded.id, 3);
			await templator.sync();
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

/** What one peer received from another, oldest first. */
async function contents(receiver: Peer, sender: Peer): Promise<unknown[]> {
	const messages = await receiver.messages({ createdBy: sender.address });
	return messages.map(({ content }) => content);
}
