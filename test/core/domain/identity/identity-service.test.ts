import type { Clock } from '../../../../core/base/clock';
import { silentLogger } from '../../../../core/base/logger';
import { systemRandom } from '../../../../core/base/random';
import { IdentityService } from '../../../../core/domain/identity/identity-service';
import type { Store } from '../../../../core/store/store';
import { TestClock } from '../../../support/clock';
import { openMemoryStore } from '../../../support/store';
import { FixtureServer, problem, result } from '../../backbone/fixture-server';

let server: FixtureServer;
let store: Store;

beforeEach(async () => {
	server = await FixtureServer.open({
		'POST /api/v2/Challenges': result({ id: 'CHL1', expiresAt: '2031-01-01T00:00:00.000Z' }, 201),
		'POST /api/v2/Identities': problem(
			400,
			'error.platform.validation.device.clientReachedIdentitiesLimit',
		),
	});
	store = await openMemoryStore(new TestClock());
});

afterEach(async () => {
	await store.close();
	await server.close();
});

const service = (clock: Clock = new TestClock()) =>
	new IdentityService({
		store,
		backbone: server.connect(),
		clock,
		random: systemRandom,
		logger: silentLogger,
		addressHostname: 'localhost',
		allowCreation: true,
	});

const keys = async () => {
	const entry = await store.read((tx) => tx.identity.get('self'));
	return entry?.secrets.identityPrivateKey;
};

describe('creating an identity', () => {
	it('is given up while another process has been creating it for a minute', async () => {
		await store.transact((tx) => tx.leases.take('identity', 'another process', 600_000));
		// Half a minute passes between two looks at the clock.
		let time = 0;
		const clock = { now: () => (time += 30_000) };
		await expect(service(clock).open()).rejects.toMatchObject({
			code: 'error.gateway.identity.creationBusy',
			kind: 'unavailable',
		});
		expect(server.seen).toEqual([]);
	});

	it('is tried again with the same keys after the Backbone has refused it', async () => {
		const refused = { code: 'error.platform.validation.device.clientReachedIdentitiesLimit' };
		await expect(service().open()).rejects.toMatchObject(refused);
		const first = await keys();
		expect(first).toBeDefined();
		await expect(service().open()).rejects.toMatchObject(refused);
		expect(await keys()).toBe(first);
	});
});
