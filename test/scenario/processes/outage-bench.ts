import { setTimeout as delay } from 'node:timers/promises';
import { mailTo, relate, SandboxNetwork } from '../../support/gateways';
import type { TestDatabase } from '../../support/postgres/postgres';
import { until } from '../../support/until';
import { expectSentOnce, subjectsOf } from './sent-once';
import type { Failure } from './worker';
import type { WorkerProgram } from './worker-process';

/** POSTGRES_OUTAGE_SECONDS=30 keeps the server away for that long. */
const outageMs = Number(process.env['POSTGRES_OUTAGE_SECONDS'] ?? 5) * 1_000;

const [sends, receives] = [150, 80];

const unreachable = (message: string): Failure => ({
	code: 'error.gateway.store.postgresUnreachable',
	message,
	remedy: "Check 'Host' and 'Port' of the PostgreSQL server, and whether it runs.",
});

const lost = (message: string): Failure => ({
	code: 'error.gateway.store.postgresLost',
	message,
	remedy: 'The change was not stored. Repeat it in a moment: the connection is being restored.',
});

/** all errors that a caller may get while the server is away */
const told: readonly Failure[] = [
	unreachable('No PostgreSQL server answers at this host and port.'),
	unreachable('The PostgreSQL server did not answer within 10 seconds.'),
	lost('The PostgreSQL server stopped or ended the connection.'),
	lost('The connection to PostgreSQL was lost.'),
	{
		code: 'error.gateway.store.leaseLost',
		message: "Another process took over 'sync' while this one was suspended.",
		remedy: 'Nothing needs to be done: the other process continues the work.',
	},
	lost(
		'The PostgreSQL server received nothing for 15 seconds within a transaction, and rolled it back.',
	),
];

/** What takes the server away, and brings it back. */
export interface Outage {
	readonly begin: () => unknown;
	readonly end: () => unknown;
	/** false if calls only wait for an answer that comes later */
	readonly isTold: boolean;
}

/**
 * Two processes send and receive while their server is away for a while: they lose nothing and send nothing
 * twice.
 *
 * @param port at which the processes reach the database
 */
export async function expectNothingLost(
	program: WorkerProgram,
	database: TestDatabase,
	port: number,
	outage: Outage,
): Promise<void> {
	const network = await SandboxNetwork.open({ maxUnreceivedMessages: 1_000 });
	try {
		await playOutage(network, program, database, port, outage);
	} finally {
		await network.close();
	}
}

async function playOutage(
	network: SandboxNetwork,
	program: WorkerProgram,
	database: TestDatabase,
	port: number,
	{ begin, end, isTold }: Outage,
): Promise<void> {
	const { account, store, passphrase = '' } = database.account();
	const place = { account, passphrase, store: { ...store, port } };
	const gateway = await network.gateway({ ...network.config(), ...place });
	const peer = await network.gateway();
	const { addressA, addressB } = await relate(gateway, peer);
	await gateway.close();
	const task = { ...place, baseUrl: network.backbone.baseUrl, to: addressB, sends, receives };
	const messages = (): number => network.backbone.state.messages.size;
	const before = messages();
	const running = Promise.all(['one', 'two'].map((name) => program.run({ ...task, name })));
	const writing = (async () => {
		for (let sent = 1; sent <= receives; sent++) {
			await peer.messages.send(mailTo(addressA, `from the peer ${sent}`));
		}
	})();
	await until(() => messages() - before >= (receives + sends) / 2, 60_000);
	await begin();
	await delay(outageMs);
	await end();
	await writing;
	const [one, two] = await running;

	expect(one?.received).toHaveLength(receives);
	expect(new Set(one?.received)).toEqual(new Set(two?.received));
	// One whose acknowledgement was lost is delivered again, as the same event.
	expect(new Set(one?.delivered).size).toBe(receives);
	expect(new Set(one?.delivered)).toEqual(new Set(two?.delivered));
	const expected = ['one', 'two'].flatMap((name) => subjectsOf(name, sends));
	await expectSentOnce(network, peer, addressA, expected);
	const failures = [...(one?.failures ?? []), ...(two?.failures ?? [])];
	for (const failure of failures) expect(told).toContainEqual(failure);
	if (isTold) expect(failures).not.toEqual([]);
}
