import type { ChildProcess } from 'node:child_process';
import { sleep } from '../../../core/base/abort';
import type { Timings } from '../../../core/base/timings';
import type { Gateway } from '../../../core';
import { mailTo, relate, SandboxNetwork } from '../../support/gateways';
import { Forwarder } from '../../support/forwarder';
import { describeWithPostgres, TestDatabase } from '../../support/postgres';
import { until } from '../../support/until';
import { placeInPostgres, placeInSqlite, type Place } from '../../support/account-places';
import { expectSentOnce, subjectsOf } from './sent-once';
import type { Outcome, Task } from './worker';
import { WorkerProgram, type WorkerProcess } from './worker-process';

jest.setTimeout(600_000);

const [sends, receives] = [150, 120];

/** As usual, twenty times faster: who stands still has lost what it held soon after. */
const timings: Timings = {
	syncLeaseMs: 3_000,
	sending: {
		patienceMs: 6_000,
		patienceWithDeadMs: 500,
		startWithinMs: 500,
		goneOutWithinMs: 1_500,
	},
	sqliteBusyMs: 1_500,
};

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

/** An account with a peer that has written to it. */
interface Scene {
	readonly place: Place;
	readonly peer: Gateway;
	readonly addressA: string;
	readonly task: Task;
}

async function newScene(place: Place, waiting = receives): Promise<Scene> {
	const gateway = await network.gateway({ ...network.config(), ...place.config });
	const peer = await network.gateway();
	const { addressA, addressB } = await relate(gateway, peer);
	await gateway.close();
	for (let sent = 1; sent <= waiting; sent++) {
		await peer.messages.send(mailTo(addressA, `from the peer ${sent}`));
	}
	const { baseUrl } = network.backbone;
	const work = { to: addressB, sends, receives: waiting, lanes: 4, timings };
	const task = { ...place.config, ...work, baseUrl, name: 'still' };
	return { place, peer, addressA, task };
}

/** Lets the process run a little at a time until it stands where it is wanted; false when it ended. */
async function stopWhen(child: ChildProcess, isThere: () => Promise<boolean>): Promise<boolean> {
	for (;;) {
		if (child.exitCode !== null) return false;
		child.kill('SIGSTOP');
		if (await isThere().catch(isShut)) return true;
		child.kill('SIGCONT');
		await sleep(5 * Math.random());
	}
}

/** Stopped while it has the whole file for itself, it lets nobody look: another moment is wanted. */
function isShut(error: unknown): false {
	if (/database is locked|locking protocol/.test(String(error))) return false;
	throw error;
}

/**
 * It receives and it sends: it holds the lease, has events to apply, and intents whose calls have
 * arrived and were not answered.
 */
async function isInTheMiddle({ place, addressA }: Scene, isWriting: boolean): Promise<boolean> {
	const [state] = await place.query<Record<string, string>>(
		(table) => `select
			(select count(*) from ${table('leases')} where name = 'sync') as held,
			(select count(*) from ${table('inbox')} where c_state = 'pending') as events,
			(select count(*) from ${table('send_intents')} where c_state = 'prepared') as prepared,
			(select count(*) from ${table('send_intents')} where c_state = 'sent') as sent`,
	);
	const [held = 0, events = 0, prepared = 0, sent = 0] = Object.values(state ?? {}).map(Number);
	const messages = [...network.backbone.state.messages.values()];
	const arrived = messages.filter(({ createdBy }) => createdBy === addressA).length;
	const isBusy = held > 0 && events > 0 && prepared > 0 && arrived === prepared + sent;
	return isBusy && (await place.isBeingWritten()) === isWriting;
}

async function untilLeasesAreOver({ query }: Place): Promise<void> {
	await until(async () => {
		const leases = await query<{ ends: string }>(
			(table) => `select max(expires_at) as ends from ${table('leases')}`,
		);
		return Number(leases[0]?.ends) <= Date.now();
	}, 120_000);
}

async function expectNoHarm(scene: Scene, late: Outcome, after: Outcome): Promise<void> {
	expect(after.received).toHaveLength(receives);
	expect(new Set(late.received)).toEqual(new Set(after.received));
	expect(new Set(after.delivered).size).toBe(receives);
	expect(late.delivered).toEqual(after.delivered);
	await expectSentOnce(network, scene.peer, scene.addressA, subjectsOf('still', sends));
}

interface Stopped {
	readonly scene: Scene;
	readonly still: WorkerProcess;
	/** of the process to the Backbone */
	readonly way: Forwarder;
}

/** A process that was too quick to be caught is followed by another, on an account of its own. */
async function stopInTheMiddle(newPlace: () => Place, isWriting: boolean): Promise<Stopped> {
	for (let attempt = 1; attempt <= 10; attempt++) {
		const scene = await newScene(newPlace());
		const way = await Forwarder.to(Number(new URL(network.backbone.baseUrl).port));
		// There are calls without an answer at nearly every moment; commits are many without that.
		way.answersTakeMs = isWriting ? 0 : 30;
		const still = program.start({ ...scene.task, baseUrl: `http://localhost:${way.port}` });
		const isStopped = await stopWhen(still.child, () => isInTheMiddle(scene, isWriting));
		if (isStopped) return { scene, still, way };
		await still.outcome;
		await way.close();
	}
	throw new Error('no process could be stopped where it was wanted');
}

const successorOf = ({ task }: Scene): WorkerProcess =>
	program.start({ ...task, name: 'successor', subjects: 'still' });

interface Ends {
	readonly scene: Scene;
	readonly late: Outcome;
	readonly after: Outcome;
}

/** The successor is asked for the same messages, as a host repeats the jobs of a process it lost. */
async function standStill(newPlace: () => Place, isWriting: boolean): Promise<Ends> {
	const { scene, still, way } = await stopInTheMiddle(newPlace, isWriting);
	const after = await successorOf(scene).outcome;
	await untilLeasesAreOver(scene.place);
	still.child.kill('SIGCONT');
	const late = await still.outcome;
	await way.close();
	return { scene, late, after };
}

const codesOf = ({ failedSyncs, failures }: Outcome): string[] => [
	...failedSyncs,
	...failures.map(({ code }) => code),
];

const tookOver = 'error.gateway.store.leaseLost';

describe('a process that stands still for longer than its lease', () => {
	const newPlace = (): Place => placeInSqlite(network.newFolder());

	it('comes back to what its successor has done, in SQLite', async () => {
		const { scene, late, after } = await standStill(newPlace, false);
		await expectNoHarm(scene, late, after);
		expect(codesOf(late)).toContain(tookOver);
	});

	it('in the middle of a commit keeps a SQLite file locked, and goes on with it', async () => {
		const { scene, still, way } = await stopInTheMiddle(newPlace, true);
		const successor = successorOf(scene);
		await untilLeasesAreOver(scene.place);
		await until(() => successor.told().includes('error.gateway.store.busy'));
		still.child.kill('SIGCONT');
		const [after, late] = await Promise.all([successor.outcome, still.outcome]);
		await way.close();
		await expectNoHarm(scene, late, after);
		expect(codesOf(after)).toContain('error.gateway.store.busy');
	});
});

describeWithPostgres('a process on PostgreSQL that stands still for longer than its lease', () => {
	let database: TestDatabase;

	beforeAll(async () => {
		database = await TestDatabase.create();
	});

	afterAll(() => database.drop());

	it('comes back to what its successor has done', async () => {
		const { scene, late, after } = await standStill(() => placeInPostgres(database), false);
		await expectNoHarm(scene, late, after);
		expect(codesOf(late)).toContain(tookOver);
	});

	it('in the middle of a commit loses it', async () => {
		const { scene, late, after } = await standStill(() => placeInPostgres(database), true);
		await expectNoHarm(scene, late, after);
	});

	it('between an intent and its call does not send what another was asked for', async () => {
		const place = placeInPostgres(database);
		const scene = await newScene(place, 0);
		const forwarder = await Forwarder.to(database.config.port);
		const task = { ...scene.task, lanes: 1 };
		const still = program.start({ ...task, store: { ...database.config, port: forwarder.port } });
		const count = async (table: string, where: string): Promise<number> => {
			const sql = (name: (table: string) => string): string =>
				`select count(*) as total from ${name(table)} where ${where}`;
			const [row] = await place.query<{ total: string }>(sql);
			return Number(row?.total);
		};
		const prepared = (): Promise<number> => count('send_intents', "c_state = 'prepared'");
		await until(async () => (await count('send_intents', "c_state = 'sent'")) > 3, 60_000);
		forwarder.answersTakeMs = 300;
		await until(async () => (await prepared()) === 0);
		await until(async () => (await prepared()) === 1);
		// It is in the database, and the process has not heard of it yet.
		still.child.kill('SIGSTOP');
		const after = await program.run({ ...task, name: 'successor', subjects: 'still' });
		await untilLeasesAreOver(place);
		forwarder.answersTakeMs = 0;
		still.child.kill('SIGCONT');
		await still.outcome;
		await forwarder.close();
		expect(after.failures).toEqual([]);
		await expectSentOnce(network, scene.peer, scene.addressA, subjectsOf('still', sends));
	});
});
