import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { rmSync } from 'node:fs';
import { systemClock } from '../../../../core/base/clock';
import { systemRandom } from '../../../../core/base/random';
import { openStore } from '../../../../core/store/open-store';
import { temporaryFolder, testAccount } from '../../../support/store';
import { people } from '../request/consumption-fixtures';
import { ContactBench } from './contact-bench';
import { withoutFlatLists } from '../../../support/accounts/earlier-indexes';

/** Leaves the account as schema version 7 has written it: without the texts that find contacts. */
function bringBack(folder: string): void {
	const db = new DatabaseSync(join(folder, 'default.sqlite'));
	db.exec(`delete from attributes_values where field like 'contact%';
		${withoutFlatLists()};
		drop index relationships_by_status;
		delete from kysely_migration where name >= '0008';
		pragma user_version = 7`);
	db.close();
}

it.each([true, false])(
	'an account of an earlier version finds contacts once it is opened, with sealed contents %p',
	async (sealContents) => {
		const folder = temporaryFolder();
		const open = () =>
			openStore(
				{ ...testAccount(folder), sealContents },
				{ clock: systemClock, random: systemRandom },
			);
		const earlier = await open();
		const filled = new ContactBench(earlier);
		await filled.relate(people.B);
		await filled.shared(people.B, 'EMailAddress', 'lin@example.com');
		await filled.shared(people.B, 'GivenName', 'Lin');
		await filled.keyed(people.B, 'customerNumber', 'A-1');
		await earlier.close();
		bringBack(folder);

		const store = await open();
		const bench = new ContactBench(store);
		const relationshipAttribute = { key: 'customerNumber', value: 'A-1' };
		for (const input of [
			{ emailAddress: 'LIN@example.com' },
			{ name: 'li' },
			{ relationshipAttribute },
		]) {
			expect(await bench.addressesOf(input)).toEqual([people.B]);
		}
		await store.close();
		rmSync(folder, { recursive: true, force: true });
	},
);
