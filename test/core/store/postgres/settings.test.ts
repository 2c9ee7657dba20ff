import { createHash } from 'node:crypto';
import type { CustomTypesConfig } from 'pg';
import {
	clientConfig,
	lockKeys,
	quoted,
	schemaOf,
	scopeKeys,
	type PostgresConfig,
} from '../../../../core/store/postgres/postgres-settings';

const config: PostgresConfig = {
	kind: 'postgres',
	host: 'db.example',
	port: 5433,
	database: 'data',
	user: 'user',
	password: 'word',
	schema: 'enmeshed',
	tls: false,
	tlsAllowUnauthorized: false,
};

const sha256 = (text: string) => createHash('sha256').update(text).digest();

describe('the name of a schema', () => {
	it('is kept up to 63 characters', () => {
		const account = 'a'.repeat(63 - 'enmeshed:'.length);
		expect(schemaOf(config, account)).toBe(`enmeshed:${account}`);
	});

	it('ends with a hash of the whole name where that is longer', () => {
		const name = `enmeshed:${'a'.repeat(60)}`;
		const hash = sha256(name).toString('hex').slice(0, 20);
		expect(schemaOf(config, 'a'.repeat(60))).toBe(`${name.slice(0, 42)}~${hash}`);
	});

	it('is quoted with its own quotes doubled', () => {
		expect(quoted('a"b"c')).toBe('"a""b""c"');
	});
});

it('processes of all versions take the same locks for an account', () => {
	const digest = sha256('n8n-nodes-enmeshed:enmeshed');
	expect(lockKeys('enmeshed')).toEqual({
		writer: digest.readBigInt64BE(0).toString(),
		events: digest.readBigInt64BE(16).toString(),
		living: digest.readInt32BE(8),
	});
	const lockOf = (name: string) =>
		sha256(`n8n-nodes-enmeshed:enmeshed:${name}`).readBigInt64BE(0).toString();
	expect(scopeKeys('enmeshed', ['a', 'b', 'a'])).toEqual([lockOf('a'), lockOf('b')].sort());
	expect(scopeKeys('enmeshed', ['b', 'a'])).toEqual(scopeKeys('enmeshed', ['a', 'b']));
	expect(scopeKeys('enmeshed', [])).toEqual([]);
});

describe('a connection to a server', () => {
	it('is made to the database and as the user of the configuration', () => {
		const { host, port, database, user, ...made } = clientConfig(config);
		expect({ host, port, database, user }).toEqual({
			host: 'db.example',
			port: 5433,
			database: 'data',
			user: 'user',
		});
		expect((made.password as () => string)()).toBe('word');
		expect(made).toMatchObject({ application_name: 'n8n-nodes-enmeshed', keepAlive: true });
	});

	it.each([
		['is not encrypted by default', {}, false],
		['checks the certificate when encrypted', { tls: true }, { rejectUnauthorized: true }],
		[
			'checks no certificate when that is wanted',
			{ tls: true, tlsAllowUnauthorized: true },
			{ rejectUnauthorized: false },
		],
		[
			'checks the certificate by the given authority',
			{ tls: true, tlsCa: 'authority' },
			{ rejectUnauthorized: true, ca: 'authority' },
		],
	])('%s', (_name, parts, expected) => {
		expect(clientConfig({ ...config, ...parts }).ssl).toEqual(expected);
	});

	it.each([
		['bigint', 20, '7', 7],
		['integer', 23, '7', 7],
		['double precision', 701, '7.5', 7.5],
		['text', 25, '7', '7'],
		['text with a NUL character', 25, 'a\uFDD0\uFDD1', 'a\0'],
	])('reads values of %s', (_name, type, stored, value) => {
		const { getTypeParser } = clientConfig(config).types as CustomTypesConfig;
		expect((getTypeParser(type, 'text') as (text: string) => unknown)(stored)).toBe(value);
	});
});
