import type { Gateway } from '../../../core';
import { inOneHour, relate, settle } from '../../support/gateways';
import { atKillPoints } from '../../support/kill-points';
import { describeDyingProcess } from './dying-process';

jest.setTimeout(600_000);

describeDyingProcess((bench) => {
	const createItem = (key: string) => ({
		'@type': 'CreateAttributeRequestItem' as const,
		mustBeAccepted: true,
		attribute: {
			'@type': 'RelationshipAttribute' as const,
			owner: '',
			key,
			confidentiality: 'public' as const,
			value: { '@type': 'ProprietaryString' as const, title: 'T', value: 'V' },
		},
	});

	/** Long after: no process can be in the middle of a call any more. */
	const laterGateway = (folder: string, aheadMs = () => 600_000): Promise<Gateway> =>
		bench.network.gateway(bench.network.config(folder), {
			clock: { now: () => Date.now() + aheadMs() },
		});

	/** Both sides have the answer once, and what it brought about. */
	async function expectAnsweredOnce(decider: Gateway, asker: Gateway, id: string): Promise<void> {
		const { status } = await decider.incomingRequests.get(id);
		if (status === 'ManualDecisionRequired') {
			await decider.incomingRequests.accept(id, { items: [{ accept: true }] });
		}
		await settle(asker);
		expect(await decider.incomingRequests.get(id)).toMatchObject({ status: 'Completed' });
		expect(await asker.outgoingRequests.get(id)).toMatchObject({ status: 'Completed' });
		for (const gateway of [decider, asker]) {
			const query = { 'shareInfo.requestReference': id };
			expect(await gateway.attributes.list({ query })).toHaveLength(1);
		}
	}

	it('while deciding about a request has decided, or not, and the answer arrives once', async () => {
		const folder = bench.network.newFolder();
		const decider = await bench.ownGateway(folder);
		const asker = await bench.network.gateway();
		const { addressA: peer } = await relate(decider, asker);
		await decider.close();
		const points = await atKillPoints(async (point, tried) => {
			const content = { items: [createItem(`key-${point}`)] };
			const request = await asker.outgoingRequests.create({ content, peer });
			await asker.messages.send({ recipients: [peer], content: request.content });
			await bench.syncAgain(folder);
			const first = await bench.work(folder, 'decide', point, request.id);
			const reopened = await laterGateway(folder);
			await settle(reopened);
			await expectAnsweredOnce(reopened, asker, request.id);
			await reopened.close();
			const responses = await asker.messages.list({
				query: { 'content.@type': 'ResponseWrapper' },
			});
			expect(responses).toHaveLength(tried);
			return first;
		});
		expect(points).toBeGreaterThan(4);
	});

	it('while accepting a template has one relationship in the end, with the answer', async () => {
		const folder = bench.network.newFolder();
		const points = await atKillPoints(async (point) => {
			const asker = await bench.network.gateway();
			const template = await asker.templates.create({
				expiresAt: inOneHour(),
				content: {
					'@type': 'RelationshipTemplateContent',
					onNewRelationship: { items: [createItem('key')] },
				},
			});
			const before = await bench.ownGateway(folder);
			const loaded = await before.templates.loadPeer({ reference: template.truncatedReference });
			const query = { 'source.reference': loaded.id };
			const id = (await before.incomingRequests.list({ query }))[0]?.id ?? '';
			await before.close();
			const first = await bench.work(folder, 'decide', point, id);
			let aheadMs = 600_000;
			const reopened = await laterGateway(folder, () => aheadMs);
			await settle(reopened);
			// The event of a rejection could still be on its way when a creation is missing.
			aheadMs += 3 * 60_000;
			await settle(reopened);
			if ((await reopened.incomingRequests.get(id)).status === 'ManualDecisionRequired') {
				await reopened.incomingRequests.accept(id, { items: [{ accept: true }] });
			}
			await settle(asker);
			const relationships = await asker.relationships.list();
			expect(relationships).toHaveLength(1);
			await asker.relationships.accept(relationships[0]?.id ?? '');
			await settle(reopened);
			await expectAnsweredOnce(reopened, asker, id);
			await reopened.close();
			await asker.close();
			return first;
		});
		expect(points).toBeGreaterThan(5);
	});

	it('while sending a request has sent it once, however often that is repeated', async () => {
		const folder = bench.network.newFolder();
		const asker = await bench.ownGateway(folder);
		const asked = await bench.network.gateway();
		const { addressB: peer } = await relate(asker, asked);
		await asker.close();
		const points = await atKillPoints(async (point, tried) => {
			const before = await bench.ownGateway(folder);
			const content = { items: [createItem(`key-${point}`)] };
			const { id } = await before.outgoingRequests.create({ content, peer });
			await before.close();
			const first = await bench.work(folder, 'ask', point, id);
			await bench.syncAgain(folder);
			const again = await bench.work(folder, 'ask', 0, id);
			const reopened = await laterGateway(folder);
			await settle(reopened);
			const { status, content: request } = await reopened.outgoingRequests.get(id);
			// Prepared and never sent: the caller who wants it sent says so again.
			if (status === 'Draft')
				await reopened.messages.send({ recipients: [peer], content: request });
			else
				expect(['', 'error.runtime.messages.cannotSendRequestThatWasAlreadySent']).toContain(
					again.failure,
				);
			await reopened.close();
			await settle(asked);
			expect(await asked.incomingRequests.list()).toHaveLength(tried);
			expect(await asked.messages.list({ query: { 'content.@type': 'Request' } })).toHaveLength(
				tried,
			);
			return first;
		});
		expect(points).toBeGreaterThan(3);
	});
});
