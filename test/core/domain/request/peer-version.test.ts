import { learnVersion, versionOfPeer } from '../../../../core/domain/peer-version';
import type { Evidence } from '../../../../core/model/content/version-evidence';
import type { PeerVersion } from '../../../../core/model/peer-version';
import {
	openConsumption,
	people,
	relationshipWith,
	storeRelationship,
	type Consumption,
} from './consumption-fixtures';

type Version = PeerVersion | undefined;

/* docs/protocol/content.md 13.4: the newest evidence counts, for what is stored already as well. */
const changes: ReadonlyArray<[Version, Evidence | undefined, Version]> = [
	[undefined, undefined, undefined],
	[undefined, { version: 6 }, 6],
	[undefined, { version: 7.1 }, 7.1],
	[undefined, { ifVersion7: 7.2 }, undefined],
	[undefined, { before: 7 }, undefined],
	[6, undefined, 6],
	[6, { version: 7 }, 7],
	[6, { ifVersion7: 7.4 }, undefined],
	[6, { before: 7 }, 6],
	[6, { before: 7.1 }, 6],
	[7, undefined, 7],
	[7, { version: 6 }, 6],
	[7, { version: 7.1 }, 7.1],
	[7, { ifVersion7: 7.2 }, 7.2],
	[7, { before: 7 }, undefined],
	[7, { before: 7.1 }, 7],
	[7.4, { version: 7 }, 7.4],
	[7.4, { ifVersion7: 7.2 }, 7.4],
	[7.4, { version: 7, before: 7.1 }, 7],
	[7.4, { before: 7.1 }, undefined],
	[7.4, { before: 7 }, undefined],
	[7.4, { before: 7, ifVersion7: 7.2 }, undefined],
	[7.5, { version: 6 }, 6],
];

describe('what is known of the wallet of a peer', () => {
	let consumption: Consumption;
	beforeEach(async () => {
		consumption = await openConsumption();
	});
	afterEach(() => consumption.dispose());

	const learned = async (stored: object, evidence: Evidence | undefined): Promise<Version> => {
		await storeRelationship(consumption, relationshipWith(people.B, 'Active', stored));
		const { store } = consumption;
		await store.transact((tx) => learnVersion(tx, people.B, evidence));
		return await store.read((tx) => versionOfPeer(tx, people.B));
	};

	it.each(changes)('was %s, its content shows %j: now it is %s', async (known, shown, expected) => {
		const stored = known === undefined ? {} : { peerVersion: known };
		expect(await learned(stored, shown)).toBe(expected);
	});
});
