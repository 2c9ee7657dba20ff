import { silentLogger } from '../../../core/base/logger';
import { identityErrors } from '../../../core/domain/identity/identity-errors';
import { UnfinishedAttempts } from '../../../core/domain/unfinished/unfinished-attempts';
import type { Store } from '../../../core/store/store';
import { settle, type SettleDependencies } from '../../../core/sync/settle';
import { TestClock } from '../../support/clock';
import { openMemoryStore } from '../../support/store';
import { FixtureServer } from '../backbone/fixture-server';

let clock: TestClock;
let store: Store;
let server: FixtureServer;
/** What each action was given: its attempts and its signal. */
let given: Array<{ attempts?: unknown; signal?: AbortSignal | undefined }>;
let deletion: () => Promise<string[]>;

beforeEach(async () => {
	clock = new TestClock();
	store = await openMemoryStore(clock);
	server = await FixtureServer.open();
	[given, deletion] = [[], () => Promise.resolve(['IDP1'])];
});
afterEach(async () => {
	await store.close();
	await server.close();
});

/** The actions of an account, each of which completes the objects with these ids. */
const dependencies = (): SettleDependencies => {
	type Options = { readonly signal?: AbortSignal | undefined };
	const completes =
		(...ids: readonly string[]) =>
		(attempts: unknown, { signal }: Options): Promise<readonly string[]> => {
			given.push({ attempts, signal });
			return Promise.resolve(ids);
		};
	return {
		...{ store, backbone: server.connect(), clock, logger: silentLogger },
		relationships: {
			settle: ({ attempts, signal }: Options & { readonly attempts: unknown }) =>
				completes('REL1', 'REL2')(attempts, { signal }),
		},
		messages: {
			settlement: { settle: completes('MSG1') },
			prepared: { deliverWaiting: completes('MSG2') },
		},
		settleObjects: completes('FIL1'),
		settleDeletion: ({ signal }: Options) => {
			given.push({ signal });
			return deletion();
		},
	} as unknown as SettleDependencies;
};

const completed = [
	...[{ relationshipId: 'REL1' }, { relationshipId: 'REL2' }],
	...[{ messageId: 'MSG1' }, { messageId: 'MSG2' }, { fileId: 'FIL1' }],
];

describe('completing interrupted actions', () => {
	it('reports the objects of all kinds', async () => {
		const { signal } = new AbortController();
		expect(await settle(dependencies(), { signal })).toEqual([
			...completed,
			{ deletionProcessId: 'IDP1' },
		]);
		expect(given.map((one) => one.signal)).toEqual(Array.from({ length: 5 }, () => signal));
		// All actions share the limit of unanswered calls.
		const attempts = given.slice(0, 4).map((one) => one.attempts);
		expect(attempts[0]).toBeInstanceOf(UnfinishedAttempts);
		expect(new Set(attempts).size).toBe(1);
	});

	it('is not ended by a deletion that fails, which is tried again when that is planned', async () => {
		await store.transact((tx) =>
			tx.syncState.insert({ id: 'sync', phase: 'idle', reconciliationNeeded: false }, undefined),
		);
		let tries = 0;
		deletion = () => {
			tries++;
			return Promise.reject(identityErrors.create('unexpectedProcess', { message: 'Odd.' }));
		};
		// The first two retries follow at once.
		for (let times = 1; times <= 4; times++) {
			expect(await settle(dependencies(), {})).toEqual(completed);
		}
		expect(tries).toBe(3);
		const state = (await store.read((tx) => tx.syncState.get('sync')))?.record;
		expect(state?.retry).toMatchObject({ attempts: 3 });
	});
});
