import { atKillPoints } from '../../support/kill-points';
import { size } from '../../support/sizes';
import { describeDyingProcess } from './dying-process';

jest.setTimeout(600_000);

describeDyingProcess((bench) => {
	it('while creating its account has a working account afterwards', async () => {
		const points = await atKillPoints(async (point) => {
			const folder = bench.network.newFolder();
			const first = await bench.work(folder, 'open', point);
			bench.letRunsExpire();
			const second = await bench.work(folder, 'open', 0);
			expect(second).toMatchObject({ failure: '', result: expect.stringContaining('did:e:') });
			expect(await bench.syncAgain(folder)).toMatchObject({ failure: '' });
			expect(await bench.work(folder, 'open', 0)).toMatchObject({ result: second.result });
			return first;
		});
		expect(points).toBeGreaterThan(8);
	});

	it.each(['initiate', 'cancel'] as const)(
		'while its identity is deleted (%s) knows and tells afterwards, once, what has become of it',
		async (operation) => {
			let done = 0;
			const points = await atKillPoints(async (point) => {
				const folder = bench.network.newFolder();
				const before = await bench.ownGateway(folder);
				const { address } = await before.account.getIdentity();
				if (operation === 'cancel') await before.identityDeletion.initiate();
				await before.close();
				const first = await bench.work(folder, operation, point);
				// Refused while the identity is about to be deleted, and that is how it is found out.
				await bench.syncAgain(folder);
				const row = bench.backbone.state.identities.get(address);
				const isRunning = row?.status === 'ToBeDeleted';
				const happened = isRunning === (operation === 'initiate');
				if (happened) done++;
				const reopened = await bench.ownGateway(folder);
				const statuses = (await reopened.identityDeletion.list()).map(({ status }) => status);
				const told = (await reopened.events.recent({}, 10)).map(({ data }) => data['status']);
				const ended = operation === 'cancel' && happened;
				expect(statuses).toEqual(isRunning ? ['Approved'] : ended ? ['Cancelled'] : []);
				expect(told).toEqual([
					...(isRunning || ended ? ['Approved'] : []),
					...(ended ? ['Cancelled'] : []),
				]);
				// What did not happen can be tried again.
				if (!happened) await reopened.identityDeletion[operation]();
				await reopened.close();
				return first;
			});
			expect(points).toBeGreaterThan(3);
			expect(done).toBeGreaterThan(size({ quick: 0, full: 1 }));
		},
	);
});
