import { generationOfPeer, learnGeneration } from '../../../../core/domain/peer-generation';
import type { Generation, Writer } from '../../../../core/model/content/generations';
import {
	openConsumption,
	people,
	relationshipWith,
	storeRelationship,
	type Consumption,
} from './consumption-fixtures';

/* docs/protocol/content.md 13.4: the newest evidence counts, for what is stored already as well. */
const changes: ReadonlyArray<[Generation | undefined, Writer | undefined, Generation | undefined]> =
	[
		[undefined, undefined, undefined],
		[undefined, 6, 6],
		[undefined, 7, 7],
		[undefined, 'not7', undefined],
		[6, undefined, 6],
		[6, 6, 6],
		[6, 7, 7],
		[6, 'not7', 6],
		[7, undefined, 7],
		[7, 6, 6],
		[7, 7, 7],
		[7, 'not7', undefined],
	];

describe('what is known of the wallet of a peer', () => {
	let consumption: Consumption;
	beforeEach(async () => {
		consumption = await openConsumption();
	});
	afterEach(() => consumption.dispose());

	it.each(changes)('was %s, its writer is %s: now it is %s', async (known, writer, expected) => {
		const more = known === undefined ? {} : { peerGeneration: known };
		await storeRelationship(consumption, relationshipWith(people.B, 'Active', more));
		const { store } = consumption;
		await store.transact((tx) => learnGeneration(tx, people.B, writer));
		expect(await store.read((tx) => generationOfPeer(tx, people.B))).toBe(expected);
	});
});
