import { Ledger } from '../../../../core/domain/unfinished/ledger';
import { silentLogger } from '../../../../core/base/logger';
import type { Random } from '../../../../core/base/random';
import { asSignaturePrivateKey } from '../../../../core/crypto/keys';
import { signatureKeyPairOf } from '../../../../core/crypto/signature-keys';
import type { Account } from '../../../../core/domain/identity/account';
import { ObjectChanges } from '../../../../core/domain/object-changes';
import { Observers } from '../../../../core/domain/observers';
import { SqlCounters } from '../../../../core/store/sql/sql-counters';
import { TestClock } from '../../../support/clock';
import { openMemoryStore } from '../../../support/store';
import { FixtureServer, type Responder } from '../../backbone/fixture-server';

/** An identity as the vectors state it. */
export interface RecordedIdentity {
	readonly address: string;
	readonly deviceId: string;
	readonly devicePrivateKey: string;
	readonly devicePublicKey: string;
	readonly identityPrivateKey: string;
	readonly identityPublicKey: string;
}

export type ReplayBench = Awaited<ReturnType<typeof openReplay>>;

/**
 * What the services of that identity need to do again what the official software did: its keys, its
 * random values, its time, and a server that answers what the Backbone answered.
 */
export async function openReplay(recorded: {
	readonly identity: RecordedIdentity;
	readonly at: string;
	readonly random: Random;
	readonly routes: Readonly<Record<string, Responder>>;
}) {
	const { identity } = recorded;
	countAsRecorded();
	const clock = new TestClock(Date.parse(recorded.at));
	const store = await openMemoryStore(clock);
	const server = await FixtureServer.open(recorded.routes);
	const account: Account = {
		address: identity.address,
		deviceId: identity.deviceId,
		backboneBaseUrl: 'http://localhost:8090',
		identityKeys: signatureKeyPairOf(asSignaturePrivateKey(identity.identityPrivateKey)),
		deviceKeys: signatureKeyPairOf(asSignaturePrivateKey(identity.devicePrivateKey)),
	};
	expect(account.identityKeys.publicKey).toBe(identity.identityPublicKey);
	expect(account.deviceKeys.publicKey).toBe(identity.devicePublicKey);
	const ledger = new Ledger({ store, clock });
	const context = {
		...{ store, ledger },
		backbone: server.connect({ clock }),
		account,
		clock,
		random: recorded.random,
		logger: silentLogger,
		changes: new ObjectChanges({ store, ledger, logger: silentLogger }),
		observers: new Observers(),
	};
	/** JSON bodies that were sent with this method */
	const sent = (method: string): unknown[] =>
		server.seen
			.filter((call) => call.method === method && call.path !== '/connect/token')
			.map((call) => JSON.parse(call.body) as unknown);
	const close = async (): Promise<void> => {
		jest.restoreAllMocks();
		await server.close();
		await store.close();
	};
	return { context, server, clock, sent, close };
}

/** The official software numbers what it encrypts from 0, ours at least by the clock (docs/adr/0026). */
function countAsRecorded(): void {
	const { reserve } = SqlCounters.prototype;
	jest.spyOn(SqlCounters.prototype, 'reserve').mockImplementation(function (
		this: SqlCounters,
		name: string,
	) {
		return reserve.call(this, name, 0);
	});
}
