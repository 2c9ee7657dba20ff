import { ownText } from '../../../core/model/json';
import { mailTo, relate, settle } from '../../support/gateways';
import { atKillPoints } from '../../support/kill-points';
import { size } from '../../support/sizes';
import { describeDyingProcess } from './dying-process';

jest.setTimeout(600_000);

describeDyingProcess((bench) => {
	it('while comparing with the Backbone finds everything that was lost, and tells it once', async () => {
		const folder = bench.network.newFolder();
		const receiver = await bench.ownGateway(folder);
		const sender = await bench.network.gateway();
		const { addressA, relationshipId } = await relate(receiver, sender);
		await receiver.close();
		const { queues } = bench.backbone;
		queues.drop({ owner: addressA });
		const wanted: string[] = [];
		let isPlanned = false;
		const points = await atKillPoints(
			async (point) => {
				if (isPlanned) {
					await sender.identityDeletion.cancel();
					// The Backbone lets it send again a while after that.
					await settle(sender);
				}
				for (const subject of [`one-${point}`, `two-${point}`]) {
					wanted.push(subject);
					await sender.messages.send(mailTo(addressA, subject));
				}
				if (!isPlanned) await sender.identityDeletion.initiate();
				isPlanned = !isPlanned;
				const first = await bench.work(folder, 'reconcile', point);
				bench.letRunsExpire();
				expect(await bench.work(folder, 'reconcile', 0)).toMatchObject({
					failure: '',
					killed: false,
				});
				return first;
			},
			size({ quick: 9, full: 1 }),
		);
		queues.restore();
		expect(points).toBeGreaterThan(20);
		const reopened = await bench.ownGateway(folder);
		const subjects = (await reopened.messages.list()).map(({ content }) =>
			ownText(content, 'subject'),
		);
		expect([...subjects].sort()).toEqual(wanted.sort());
		const { peerDeletionInfo } = await reopened.relationships.get(relationshipId);
		expect(peerDeletionInfo?.deletionStatus).toBe(isPlanned ? 'ToBeDeleted' : undefined);
		const told = await reopened.events.recent(
			{ names: ['transport.peerToBeDeleted', 'transport.peerDeletionCancelled'] },
			400,
		);
		expect(told).toHaveLength(wanted.length / 2);
		await reopened.close();
	});
});
