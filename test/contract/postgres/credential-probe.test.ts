import { probeCredential } from '../../../core/gateway/credential-probe';
import { SandboxBackbone } from '../../../sandbox/sandbox-backbone';
import { describeWithPostgres, TestDatabase } from '../../support/postgres/postgres';

jest.setTimeout(60_000);

describeWithPostgres('the test of a credential for PostgreSQL', () => {
	let database: TestDatabase;
	let backbone: SandboxBackbone;

	beforeAll(async () => {
		database = await TestDatabase.create();
		backbone = await SandboxBackbone.open();
	});

	afterAll(async () => {
		await backbone.close();
		await database.drop();
	});

	const probe = (store: object, passphrase: string | undefined = 'correct horse') =>
		probeCredential({
			backbone: { baseUrl: backbone.baseUrl, clientId: 'test', clientSecret: 'test' },
			store: { ...database.config, ...store },
			...(passphrase === '' ? {} : { passphrase }),
		});

	it('accepts a database in which nothing is yet, and creates nothing', async () => {
		expect(await probe({})).toMatchObject({ ok: true, settings: [] });
		const schemas = await database.query("select 1 from pg_namespace where nspname = 'enmeshed'");
		expect(schemas).toEqual([]);
	});

	it.each<readonly [string, object, string | undefined, string]>([
		['another port', { port: 9 }, undefined, 'store.host'],
		['no such host', { host: 'no-such-host.invalid' }, undefined, 'store.host'],
		['no such database', { database: 'no_such_database' }, undefined, 'store.database'],
		['a server without encryption', { tls: true }, undefined, 'store.tls'],
		['tables of another program', { schema: 'public' }, undefined, 'store.schema'],
		['no passphrase', {}, '', 'passphrase'],
	])('names the setting: %s', async (_name, store, passphrase, setting) => {
		await database.query('create table if not exists public.theirs (id int)');
		const { ok, settings, message } = await probe(store, passphrase);
		expect({ ok, settings }).toEqual({ ok: false, settings: [setting] });
		expect(message).toMatch(/error\.gateway\.store\./);
	});
});
