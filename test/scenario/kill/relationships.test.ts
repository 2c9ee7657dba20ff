import type { Gateway } from '../../../core';
import { inOneHour, mailTo, relate, settle } from '../../support/gateways';
import { atKillPoints } from '../../support/kill-points';
import { size } from '../../support/sizes';
import { describeDyingProcess, type RelationshipOperation } from './dying-process';

jest.setTimeout(600_000);

const existsAlready = [
	'error.transport.relationships.relationshipCurrentlyExists',
	'error.transport.relationships.relationshipNotYetDecomposedByPeer',
];

describeDyingProcess((bench) => {
	it('while creating a relationship has one, and one only, that its peer can accept', async () => {
		const folder = bench.network.newFolder();
		const lost = new Set<boolean>();
		const points = await atKillPoints(async (point) => {
			const templator = await bench.network.gateway();
			const template = await templator.templates.create({
				expiresAt: inOneHour(),
				content: { '@type': 'ArbitraryRelationshipTemplateContent', value: 1 },
			});
			const before = await bench.ownGateway(folder);
			const loaded = await before.templates.loadPeer({ reference: template.truncatedReference });
			await before.close();
			const first = await bench.work(folder, 'create', point, loaded.id);
			const again = await bench.work(folder, 'create', 0, loaded.id);
			// What has arrived is in the way of another one, whether we have seen its answer or not.
			lost.add(again.failure === '');
			expect(['', ...existsAlready]).toContain(again.failure);
			await settle(templator);
			const relationships = await templator.relationships.list();
			expect(relationships).toHaveLength(1);
			const id = relationships[0]?.id ?? '';
			await templator.relationships.accept(id);
			expect(await bench.syncAgain(folder)).toMatchObject({ failure: '', killed: false });
			const reopened = await bench.ownGateway(folder);
			expect(await reopened.relationships.get(id)).toMatchObject({ status: 'Active' });
			await reopened.messages.send(mailTo((await templator.account.getIdentity()).address));
			await settle(templator);
			expect(await templator.messages.list()).toHaveLength(1);
			await reopened.close();
			await templator.close();
			return first;
		});
		expect(points).toBeGreaterThan(5);
		// Killed before the creation arrived, and after.
		expect(lost.size).toBeGreaterThanOrEqual(size({ quick: 1, full: 2 }));
	});

	it('while accepting has accepted after the next sync or repetition', async () => {
		const folder = bench.network.newFolder();
		const templator = await bench.ownGateway(folder);
		const template = await templator.templates.create({
			expiresAt: inOneHour(),
			content: { '@type': 'ArbitraryRelationshipTemplateContent', value: 1 },
		});
		await templator.close();
		const points = await atKillPoints(async (point) => {
			const requestor = await bench.network.gateway();
			const loaded = await requestor.templates.loadPeer({ reference: template.truncatedReference });
			const { id } = await requestor.relationships.create({
				templateId: loaded.id,
				creationContent: { '@type': 'ArbitraryRelationshipCreationContent', value: 2 },
			});
			await bench.syncAgain(folder);
			const first = await bench.work(folder, 'accept', point, id);
			await bench.syncAgain(folder);
			const reopened = await bench.ownGateway(folder);
			let { status } = await reopened.relationships.get(id);
			if (status === 'Pending') ({ status } = await reopened.relationships.accept(id));
			expect(status).toBe('Active');
			await settle(requestor);
			await reopened.messages.send(mailTo((await requestor.account.getIdentity()).address));
			await settle(requestor);
			expect(await requestor.messages.list()).toHaveLength(1);
			await reopened.close();
			await requestor.close();
			return first;
		});
		expect(points).toBeGreaterThan(3);
	});

	/** What the newest entry of the Backbone says when the operation was carried out. */
	const reasons: Record<RelationshipOperation, string> = {
		terminate: 'Termination',
		requestReactivation: 'ReactivationRequested',
		acceptReactivation: 'AcceptanceOfReactivation',
		decompose: 'Decomposition',
	};

	/** Brings a fresh relationship to where the operation is possible for `own`. */
	async function prepare(
		operation: RelationshipOperation,
		own: Gateway,
		peer: Gateway,
	): Promise<string> {
		const { relationshipId } = await relate(own, peer);
		if (operation === 'terminate') return relationshipId;
		await own.relationships.terminate(relationshipId);
		if (operation === 'acceptReactivation') {
			await settle(peer);
			await peer.relationships.requestReactivation(relationshipId);
			await settle(own);
		}
		return relationshipId;
	}

	it.each(Object.keys(reasons) as RelationshipOperation[])(
		'during the operation %s knows and tells afterwards, once, what has become of it',
		async (operation) => {
			const folder = bench.network.newFolder();
			let done = 0;
			const points = await atKillPoints(async (point) => {
				const own = await bench.ownGateway(folder);
				const peer = await bench.network.gateway();
				const id = await prepare(operation, own, peer);
				const [last] = await own.events.recent({}, 1);
				await own.close();
				const first = await bench.work(folder, operation, point, id);
				expect(await bench.syncAgain(folder)).toMatchObject({ failure: '', killed: false });
				const reopened = await bench.ownGateway(folder);
				const row = bench.backbone.state.relationships.get(id);
				const happened = row?.auditLog.at(-1)?.reason === reasons[operation];
				if (happened) done++;
				const [stored] = await reopened.relationships.list({
					orderBy: { field: 'inserted', direction: 'desc' },
					limit: 1,
				});
				const isHere = stored?.id === id;
				expect(isHere).toBe(!(happened && operation === 'decompose'));
				if (isHere) expect(stored?.auditLog).toHaveLength(row?.auditLog.length ?? 0);
				const events = await reopened.events.recent({}, 20);
				const told = events.filter(({ sequence }) => sequence > (last?.sequence ?? 0));
				const hasTwo = operation.includes('Reactivation');
				expect(told).toHaveLength(happened ? (hasTwo ? 2 : 1) : 0);
				await reopened.close();
				await peer.close();
				return first;
			});
			expect(points).toBeGreaterThan(4);
			expect(done).toBeGreaterThan(size({ quick: 0, full: 2 }));
		},
	);
});
