import { inOneHour } from '../../support/gateways';
import { atKillPoints } from '../../support/kill-points';
import { size } from '../../support/sizes';
import { describeDyingProcess } from './dying-process';

jest.setTimeout(600_000);

describeDyingProcess((bench) => {
	it('while creating a template leaves the account as it was', async () => {
		const folder = bench.network.newFolder();
		await bench.work(folder, 'open', 0);
		const points = await atKillPoints(async (point) => {
			const first = await bench.work(folder, 'template', point, String(point));
			const again = await bench.work(folder, 'template', 0, String(point));
			expect(again).toMatchObject({ failure: '', killed: false });
			return first;
		});
		expect(points).toBeGreaterThan(2);
	});

	it.each(['claimFile', 'renewFile', 'deleteFile'] as const)(
		'during the operation %s has the file as the Backbone has it after the next sync',
		async (operation) => {
			const folder = bench.network.newFolder();
			const peer = await bench.network.gateway();
			const { files: rows } = bench.backbone.state;
			const described = { filename: 'a', mimetype: 'text/plain' };
			const outcomes = new Set<unknown>();
			const points = await atKillPoints(async (point) => {
				const own = await bench.ownGateway(folder);
				const owner = operation === 'claimFile' ? peer : own;
				const file = await owner.files.upload(described, new Uint8Array(3));
				await own.files.getOrLoad({ reference: file.truncatedReference });
				const { address } = await own.account.getIdentity();
				await own.close();
				const token = file.ownershipToken ?? '';
				const argument = operation === 'claimFile' ? `${file.id} ${token}` : file.id;
				const first = await bench.work(folder, operation, point, argument);
				expect(await bench.syncAgain(folder)).toMatchObject({ failure: '', killed: false });
				const reopened = await bench.ownGateway(folder);
				const row = rows.get(file.id);
				const [stored] = await reopened.files.list({
					orderBy: { field: 'inserted', direction: 'desc' },
					limit: 1,
				});
				const isHere = stored?.id === file.id;
				expect(isHere).toBe(row !== undefined);
				const isOwn = row?.owner === address;
				if (isHere) {
					expect(stored).toMatchObject({ isOwn, owner: row?.owner });
					// The token of a claim whose answer is lost cannot be had again.
					const isLost = operation === 'claimFile' && stored.ownershipToken === undefined;
					if (isOwn && !isLost) expect(stored.ownershipToken).toBe(row?.ownershipToken);
				}
				outcomes.add(row?.ownershipToken === token);
				await reopened.close();
				return first;
			});
			expect(points).toBeGreaterThan(4);
			// Killed before the Backbone was asked, and after; a new token is stored nowhere.
			const most = operation === 'renewFile' ? 1 : 2;
			expect(outcomes.size).toBeGreaterThanOrEqual(size({ quick: 1, full: most }));
			expect(outcomes.size).toBeLessThanOrEqual(most);
		},
	);

	it('while deleting a token has deleted it after the next sync, or not at all', async () => {
		const folder = bench.network.newFolder();
		const points = await atKillPoints(async (point) => {
			const own = await bench.ownGateway(folder);
			const { id } = await own.tokens.create({ content: {}, expiresAt: inOneHour() });
			await own.close();
			const first = await bench.work(folder, 'deleteToken', point, id);
			expect(await bench.syncAgain(folder)).toMatchObject({ failure: '', killed: false });
			const reopened = await bench.ownGateway(folder);
			const stored = (await reopened.tokens.list()).some((token) => token.id === id);
			expect(stored).toBe(bench.backbone.state.tokens.has(id));
			await reopened.close();
			return first;
		});
		expect(points).toBeGreaterThan(4);
	});
});
