import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parsePostgresUrl } from '../../../core/server';
import { newAuthority, newServerCertificate, type Certified } from '../../support/certificates';
import { TestDatabase, type PostgresConfig } from '../../support/postgres/postgres';
import { describeWithOwnPostgres, PostgresServer } from '../../support/postgres/postgres-server';

jest.setTimeout(120_000);

const remedy =
	"Check 'SSL', which has to be what the server wants, 'Host', which has to be the name in its certificate, and 'CA Certificate', the authority that signed it.";

/** What a person is told. */
const refusal = (message: string) => ({
	code: 'error.gateway.store.postgresTls',
	kind: 'invalid',
	message,
	remedy,
	facts: expect.objectContaining({ field: 'store.tls' }) as unknown,
});

const untrusted = 'The certificate of the PostgreSQL server is not signed by a trusted authority.';

describeWithOwnPostgres('an encrypted connection to PostgreSQL', () => {
	let folder: string;
	let authority: Certified;
	let other: Certified;
	const servers: PostgresServer[] = [];
	let database: TestDatabase;

	beforeAll(async () => {
		folder = mkdtempSync(join(tmpdir(), 'enmeshed-certificates-'));
		authority = newAuthority(folder, 'authority');
		other = newAuthority(folder, 'other');
		database = await databaseOf('IP:127.0.0.1');
	});

	afterAll(async () => {
		for (const server of servers) await server.remove();
		rmSync(folder, { recursive: true, force: true });
	});

	/** Of a server that takes encrypted connections only, with a certificate for that host. */
	async function databaseOf(host: string): Promise<TestDatabase> {
		const server = await PostgresServer.start((own) => {
			const { certificate, key } = newServerCertificate(own.folder, 'server', { host, authority });
			for (const file of [certificate, key]) own.own(file);
			writeFileSync(join(own.data, 'pg_hba.conf'), 'hostssl all all 127.0.0.1/32 trust\n');
			return ['ssl=on', `ssl_cert_file=${certificate}`, `ssl_key_file=${key}`];
		});
		servers.push(server);
		return await TestDatabase.create('', new URL(`${server.url}?sslmode=no-verify`));
	}

	const pem = ({ certificate }: Certified): string => readFileSync(certificate, 'utf8');

	/** Whether the sessions of the account are encrypted. */
	async function openWith(tls: Partial<PostgresConfig>, on = database): Promise<boolean[]> {
		const account = on.account();
		const store = await on.open({ ...account, store: { ...on.config, ...tls } });
		try {
			await store.transact((tx) => tx.counters.reserve('any'));
			const sessions = await on.query<{ ssl: boolean }>(
				`select ssl::text = 'true' as ssl from pg_stat_ssl join pg_stat_activity using (pid)
					where application_name = 'n8n-nodes-enmeshed'`,
			);
			return sessions.map(({ ssl }) => ssl);
		} finally {
			await store.close();
		}
	}

	it('is made when the authority of the certificate was entered', async () => {
		const sessions = await openWith({ tls: true, tlsCa: pem(authority) });
		expect(sessions).not.toEqual([]);
		expect(new Set(sessions)).toEqual(new Set([true]));
	});

	it('is made without any check when that is wanted', async () => {
		const sessions = await openWith({ tls: true, tlsAllowUnauthorized: true });
		expect(new Set(sessions)).toEqual(new Set([true]));
	});

	it.each(['verify-full', 'verify-ca', 'require'])('is named in an address: %s', async (mode) => {
		const { host, port, database: name } = database.config;
		const address = `postgres://root@${host}:${port}/${name}?sslmode=${mode}`;
		const { tls, tlsAllowUnauthorized, tlsCa } = parsePostgresUrl(
			`${address}&sslrootcert=${authority.certificate}`,
		);
		const checked = { tls, tlsAllowUnauthorized, ...(tlsCa === undefined ? {} : { tlsCa }) };
		expect(new Set(await openWith(checked))).toEqual(new Set([true]));
		await expect(openWith(parsePostgresUrl(address))).rejects.toMatchObject(refusal(untrusted));
	});

	it('is refused when another authority was entered', async () => {
		const wrong = openWith({ tls: true, tlsCa: pem(other) });
		await expect(wrong).rejects.toMatchObject(refusal(untrusted));
	});

	it('is refused when the certificate is for another host', async () => {
		const elsewhere = await databaseOf('DNS:db.example');
		const wrong = openWith({ tls: true, tlsCa: pem(authority) }, elsewhere);
		await expect(wrong).rejects.toMatchObject(
			refusal('The certificate of the PostgreSQL server is for another host.'),
		);
	});

	it('is named as what is missing by a server that takes no others', async () => {
		await expect(openWith({ tls: false })).rejects.toMatchObject(
			refusal('The PostgreSQL server accepts encrypted connections only.'),
		);
	});

	it('is never given up silently: a server that has none is refused', async () => {
		const server = await PostgresServer.start();
		servers.push(server);
		const plain = await TestDatabase.create('', new URL(server.url));
		for (const tlsAllowUnauthorized of [false, true]) {
			await expect(openWith({ tls: true, tlsAllowUnauthorized }, plain)).rejects.toMatchObject(
				refusal('The PostgreSQL server does not accept encrypted connections.'),
			);
		}
	});
});
