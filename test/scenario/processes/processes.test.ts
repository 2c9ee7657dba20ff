import type { GatewayConfigInput } from '../../../core';
import { mailTo, relate, TestNetwork } from '../../support/gateways';
import { describeWithPostgres, TestDatabase } from '../../support/postgres';
import { until } from '../../support/until';
import { WorkerProgram } from './worker-process';

jest.setTimeout(300_000);

type Place = Pick<GatewayConfigInput, 'account' | 'store' | 'passphrase'>;

let program: WorkerProgram;
let network: TestNetwork;

beforeAll(async () => {
	program = new WorkerProgram();
	network = await TestNetwork.open({ maxUnreceivedMessages: 1_000 });
});

afterAll(async () => {
	await network.close();
	program.remove();
});

it('two processes on one SQLite file both work, one at a time syncs, and nothing is lost or doubled', async () => {
	await workTogether({ store: { kind: 'sqlite', folder: network.newFolder() } });
});

async function workTogether(place: Place): Promise<void> {
	const [sends, receives] = [15, 20];
	const gateway = await network.gateway({ ...network.config(), ...place });
	const peer = await network.gateway();
	const { addressA, addressB } = await relate(gateway, peer);
	await gateway.close();
	network.backbone.calls.clear();

	const task = { ...place, baseUrl: network.backbone.baseUrl, to: addressB, sends, receives };
	const running = ['one', 'two'].map((name) => program.run({ ...task, name }));
	for (let sent = 1; sent <= receives; sent++) {
		await peer.messages.send(mailTo(addressA, `from the peer ${sent}`));
	}
	const [one, two] = await Promise.all(running);

	// What the peer wrote is in the store once, and every consumer was given it once.
	expect(one?.received).toHaveLength(receives);
	expect(new Set(one?.received)).toEqual(new Set(two?.received));
	expect(new Set(one?.delivered).size).toBe(receives);
	expect(one?.delivered).toEqual(two?.delivered);
	expect([one?.problems, two?.problems]).toEqual([[], []]);
	// Both may ask for a run at the same time; whoever was refused one leaves the run to the other.
	const refused = network.backbone.calls.entries.filter(
		({ path, status }) => path.includes('SyncRuns') && status >= 400,
	);
	expect(
		refused.filter(({ method, path }) => !(method === 'POST' && /SyncRuns$/.test(path))),
	).toEqual([]);

	await peer.account.sync();
	const subjects = (await peer.messages.list()).flatMap(({ content, isOwn }) =>
		isOwn ? [] : [String(content['subject'])],
	);
	const expected = ['one', 'two'].flatMap((name) =>
		Array.from({ length: sends }, (_, index) => `${name} ${index + 1}`),
	);
	expect([...subjects].sort()).toEqual(expected.sort());
	const counters = [...network.backbone.state.messages.values()]
		.filter(({ createdBy }) => createdBy === addressA)
		.flatMap(({ recipients }) => recipients)
		.map(({ encryptedKey }) => Buffer.from(encryptedKey, 'base64url').toString('utf8'))
		.map((cipher) => (JSON.parse(cipher) as { cnt: number }).cnt);
	expect(new Set(counters).size).toBe(2 * sends);
}

describeWithPostgres('processes on one account in PostgreSQL', () => {
	let database: TestDatabase;
	let place: Place;

	beforeAll(async () => {
		database = await TestDatabase.create();
	});

	afterAll(() => database.drop());

	beforeEach(() => {
		const { account, store, passphrase } = database.account();
		place = { account, store, passphrase };
		network.backbone.calls.clear();
	});

	it('both work, one at a time syncs, and nothing is lost or doubled', () => workTogether(place));

	it('have one identity when ten open a new account at the same moment', async () => {
		const task = { ...place, baseUrl: network.backbone.baseUrl, to: '', sends: 0, receives: 0 };
		const outcomes = await Promise.all(
			Array.from({ length: 10 }, (_, index) => program.run({ ...task, name: `process${index}` })),
		);
		expect(new Set(outcomes.map(({ address }) => address)).size).toBe(1);
		const creations = network.backbone.calls.entries.filter(
			({ method, path }) => method === 'POST' && /\/Identities$/.test(path),
		);
		expect(creations.map(({ status }) => status)).toEqual([201]);
	});

	it('come to no harm from one that stands still for longer than its lease', async () => {
		const receives = 30;
		const gateway = await network.gateway({ ...network.config(), ...place });
		const peer = await network.gateway();
		const { addressA, addressB } = await relate(gateway, peer);
		await gateway.close();
		const task = { ...place, baseUrl: network.backbone.baseUrl, to: addressB, sends: 0, receives };
		const still = program.start({ ...task, name: 'still' });
		const leases = `"enmeshed:${place.account}".leases`;
		for (let sent = 1; sent <= receives; sent++) {
			await peer.messages.send(mailTo(addressA, `from the peer ${sent}`));
		}
		await until(async () => {
			const held = await database.query(`select holder from ${leases} where name = 'sync'`);
			return held.length > 0 || still.child.exitCode !== null;
		}, 60_000);
		still.child.kill('SIGSTOP');
		const successor = program.start({ ...task, name: 'successor' });
		// As if more time had passed than any lease runs.
		await database.query(`update ${leases} set expires_at = 0`);
		const after = await successor.outcome;
		still.child.kill('SIGCONT');
		const late = await still.outcome;

		expect(after.received).toHaveLength(receives);
		expect(new Set(late.received)).toEqual(new Set(after.received));
		expect(new Set(after.delivered).size).toBe(receives);
		expect(late.delivered).toEqual(after.delivered);
	});
});
