import type { ErasureReceiptDto } from '../../../core/facade/contacts';
import { relate, settle } from '../../support/gateways';
import { atKillPoints } from '../../support/kill-points';
import { size } from '../../support/sizes';
import { dumpSqlite, foundIn } from '../at-rest/dumps';
import { makeForPerson, sendFile, shareName } from '../contact-data/people';
import { describeDyingProcess } from './dying-process';

jest.setTimeout(1_800_000);

/** Each record of the account has its transaction in an erasure. */
const stride = size({ quick: 31, full: 1 });

describeDyingProcess((bench) => {
	it('while erasing a person erases all when it is called again, with the whole receipt', async () => {
		const folder = bench.network.newFolder();

		/** A person with something of everything, whose relationship has ended. */
		async function personWhoLeft(name: string): Promise<string> {
			const gateway = await bench.ownGateway(folder);
			const person = await bench.network.gateway();
			const { addressA: own, addressB: address, relationshipId } = await relate(gateway, person);
			await shareName(gateway, person, address, `Name of ${name}`);
			await sendFile(gateway, address, `certificate of ${name}`);
			await sendFile(person, own, `photo of ${name}`);
			await settle(gateway);
			await makeForPerson(gateway, address);
			await gateway.identityMetadata.upsert({ reference: address, key: 'note', value: name });
			await gateway.settings.create({ key: `favourite ${name}`, value: { address } });
			await gateway.drafts.create({ type: 'later', content: { to: address } });
			await gateway.relationships.terminate(relationshipId);
			await gateway.close();
			return address;
		}
		const counts = ({ erased, remains }: ErasureReceiptDto) => [
			...[...erased, ...remains].map(({ kind, count }) => `${kind} ${count}`),
		];

		const undisturbed = await bench.work(
			folder,
			'erase',
			0,
			await personWhoLeft('the first person'),
		);
		const expected = counts(undisturbed.result as ErasureReceiptDto);
		expect(expected).toEqual(expect.arrayContaining(['sentFiles 1', 'tokens 1', 'drafts 1']));

		const points = await atKillPoints(async (point) => {
			const address = await personWhoLeft(`person ${point}.`);
			const outcome = await bench.work(folder, 'erase', point, address);
			const again = await bench.work(folder, 'erase', 0, address);
			expect(again.failure).toBe('');
			expect(counts(again.result as ErasureReceiptDto)).toEqual(expected);
			const traces = {
				address,
				name: `Name of person ${point}.`,
				photo: `photo of person ${point}.`,
				certificate: `certificate of person ${point}.`,
			};
			// The receipt lists the own file that was sent.
			expect(foundIn(dumpSqlite(folder), traces)).toEqual(['certificate']);
			return outcome;
		}, stride);
		expect(points).toBeGreaterThan(40);
	});
});
