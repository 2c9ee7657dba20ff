import { mailTo, relate, SandboxNetwork } from '../../support/gateways';
import { describeWithPostgres, TestDatabase } from '../../support/postgres/postgres';
import { placeInPostgres, placeInSqlite, type Place } from '../../support/accounts/account-places';
import { expectSentOnce, subjectsOf } from './sent-once';
import { WorkerProgram } from './worker-process';

jest.setTimeout(300_000);

let program: WorkerProgram;
let network: SandboxNetwork;

beforeAll(async () => {
	program = new WorkerProgram();
	network = await SandboxNetwork.open({ maxUnreceivedMessages: 1_000 });
});

afterAll(async () => {
	await network.close();
	program.remove();
});

describe('processes on one SQLite file', () => {
	describeProcesses(() => placeInSqlite(network.newFolder()));
});

describeWithPostgres('processes on one account in PostgreSQL', () => {
	let database: TestDatabase;

	beforeAll(async () => {
		database = await TestDatabase.create();
	});

	afterAll(() => database.drop());

	describeProcesses(() => placeInPostgres(database));
});

function describeProcesses(newPlace: () => Place): void {
	beforeEach(() => network.backbone.calls.clear());

	it('both work, one at a time syncs, and nothing is lost or doubled', () =>
		workTogether(newPlace(), ['one', 'two']));

	it('have one identity when ten open a new account at the same moment', async () => {
		const { baseUrl } = network.backbone;
		const task = { ...newPlace().config, baseUrl, to: '', sends: 0, receives: 0 };
		const outcomes = await Promise.all(
			Array.from({ length: 10 }, (_, index) => program.run({ ...task, name: `process${index}` })),
		);
		expect(new Set(outcomes.map(({ address }) => address)).size).toBe(1);
		const creations = network.backbone.calls.entries.filter(
			({ method, path }) => method === 'POST' && /\/Identities$/.test(path),
		);
		expect(creations.map(({ status }) => status)).toEqual([201]);
	});
}

async function workTogether(
	{ config }: Place,
	names: readonly string[],
	between: () => Promise<void> = () => Promise.resolve(),
): Promise<void> {
	const [sends, receives] = [15, 20];
	const gateway = await network.gateway({ ...network.config(), ...config });
	const peer = await network.gateway();
	const { addressA, addressB } = await relate(gateway, peer);
	await gateway.close();
	await between();
	network.backbone.calls.clear();

	const task = { ...config, baseUrl: network.backbone.baseUrl, to: addressB, sends, receives };
	const running = Promise.all(names.map((name) => program.run({ ...task, name })));
	for (let sent = 1; sent <= receives; sent++) {
		await peer.messages.send(mailTo(addressA, `from the peer ${sent}`));
	}
	const outcomes = await running;

	// What the peer wrote is in the store once, and every consumer was given it once.
	const [first] = outcomes;
	expect(first?.received).toHaveLength(receives);
	expect(new Set(first?.delivered).size).toBe(receives);
	for (const { received, delivered, problems, failures } of outcomes) {
		expect(new Set(received)).toEqual(new Set(first?.received));
		expect(delivered).toEqual(first?.delivered);
		expect([problems, failures]).toEqual([[], []]);
	}
	// Both may ask for a run at the same time; the refused one leaves the run to the other.
	const refused = network.backbone.calls.entries.filter(
		({ path, status }) => path.includes('SyncRuns') && status >= 400,
	);
	expect(
		refused.filter(({ method, path }) => !(method === 'POST' && /SyncRuns$/.test(path))),
	).toEqual([]);

	const expected = names.flatMap((name) => subjectsOf(name, sends));
	await expectSentOnce(network, peer, addressA, expected);
}
