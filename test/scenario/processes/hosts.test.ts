import { rmSync } from 'node:fs';
import { sleep } from '../../../core/base/abort';
import { usualTimings } from '../../../core/base/timings';
import { Forwarder } from '../../support/forwarder';
import { mailTo, relate, SandboxNetwork } from '../../support/gateways';
import { describeWithPostgres, TestDatabase } from '../../support/postgres/postgres';
import { temporaryFolder } from '../../support/store';
import { until } from '../../support/until';
import { placeInPostgres, placeInSqlite, type Place } from '../../support/accounts/account-places';
import { expectSentOnce, subjectsOf } from './sent-once';
import type { Task } from './worker';
import { WorkerProgram } from './worker-process';

jest.setTimeout(120_000);

const callTakesMs = 8_000;

/** A dead process is not waited for; the calls of a live one are. */
const timings = {
	...usualTimings,
	sending: { ...usualTimings.sending, deadOwnerGraceMs: 500, lateArrivalMs: 0 },
};

const program = new WorkerProgram();

afterAll(() => program.remove());

type Look = Partial<Pick<Task, 'clockAheadMs' | 'pid' | 'store' | 'timings'>>;

/**
 * The first one's call hangs when the second one is asked for the same message.
 *
 * @param meanwhile what happens while both are at it
 */
async function expectOneSend(
	place: Place,
	looks: readonly [Look, Look],
	meanwhile: () => Promise<void> = () => Promise.resolve(),
): Promise<void> {
	const network = await SandboxNetwork.open();
	try {
		await expectOneSendIn(network, place, looks, meanwhile);
	} finally {
		await network.close();
	}
}

async function expectOneSendIn(
	network: SandboxNetwork,
	place: Place,
	[first, second]: readonly [Look, Look],
	meanwhile: () => Promise<void>,
): Promise<void> {
	const gateway = await network.gateway({ ...network.config(), ...place.config });
	const peer = await network.gateway();
	const { addressA, addressB } = await relate(gateway, peer);
	// The first message of an account is looked for once more.
	await gateway.messages.send(mailTo(addressB, 'same 0'));
	await gateway.close();
	network.backbone.faults.add({
		method: 'POST',
		path: /\/Messages$/,
		action: { kind: 'delay', durationMs: callTakesMs },
	});
	const { baseUrl } = network.backbone;
	const work = { to: addressB, sends: 1, subjects: 'same', receives: 0, timings };
	const task = { ...place.config, ...work, baseUrl };
	const one = program.run({ ...task, ...first, name: 'one' });
	await until(async () => {
		const rows = await place.query(
			(table) => `select id from ${table('send_intents')} where c_state = 'prepared'`,
		);
		return rows.length === 1;
	});
	const two = program.run({ ...task, ...second, name: 'two' });
	await meanwhile();
	await Promise.all([one, two]);
	await expectSentOnce(network, peer, addressA, ['same 0', ...subjectsOf('same', 1)]);
}

it('two containers with the same host name and process number send a message once', async () => {
	const folder = temporaryFolder();
	await expectOneSend(placeInSqlite(folder), [{ pid: 1 }, { pid: 1 }]);
	rmSync(folder, { recursive: true });
});

describeWithPostgres('two hosts on one account in PostgreSQL', () => {
	let database: TestDatabase;

	beforeAll(async () => {
		database = await TestDatabase.create();
	});

	afterAll(() => database.drop());

	describe('that look at once', () => {
		const looks: ReadonlyArray<readonly [string, Look, Look]> = [
			['the clock of the second is three minutes fast', {}, { clockAheadMs: 180_000 }],
			['the clock of the first is three minutes slow', { clockAheadMs: -180_000 }, {}],
			['both have the same name and process number', { pid: 1 }, { pid: 1 }],
		];
		let outcomes: ReadonlyArray<PromiseSettledResult<void>>;

		// Together, because each of them waits for the call that hangs.
		beforeAll(async () => {
			outcomes = await Promise.allSettled(
				looks.map(([, first, second]) => expectOneSend(placeInPostgres(database), [first, second])),
			);
		}, 120_000);

		it.each(looks.map(([name], index) => [name, index] as const))(
			'send a message once when %s',
			(_name, index) => {
				expect(outcomes[index]).toEqual({ status: 'fulfilled', value: undefined });
			},
		);
	});

	it('send a message once when the first loses its connection for a moment', async () => {
		const forwarder = await Forwarder.to(database.config.port);
		const sending = { ...timings.sending, deadOwnerGraceMs: 3_000 };
		const patient = { timings: { ...timings, sending } };
		try {
			await expectOneSend(
				placeInPostgres(database),
				[{ ...patient, store: { ...database.config, port: forwarder.port } }, patient],
				async () => {
					await sleep(4_500);
					await forwarder.pause();
					await sleep(1_000);
					await forwarder.resume();
				},
			);
		} finally {
			await forwarder.close();
		}
	});
});
