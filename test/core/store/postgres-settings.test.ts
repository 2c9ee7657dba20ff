import { parseGatewayConfig } from '../../../core/config';
import { parsePostgresUrl } from '../../../core/server';
import { fromText, toText } from '../../../core/store/collections/stored-text';
import { schemaOf } from '../../../core/store/postgres/postgres-settings';

describe('the schema of an account', () => {
	const longest = 'a'.repeat(64);

	it.each([
		['default', 'enmeshed'],
		['customer-service', 'enmeshed:customer-service'],
		['Customer-Service', 'enmeshed:Customer-Service'],
	])('of %s is %s', (account, schema) => {
		expect(schemaOf({ schema: 'enmeshed' }, account)).toBe(schema);
	});

	it('fits into a name of PostgreSQL, and tells long names apart', () => {
		const names = [longest, `${longest.slice(1)}b`].map((account) =>
			schemaOf({ schema: 'enmeshed' }, account),
		);
		expect(names.map(({ length }) => length)).toEqual([63, 63]);
		expect(new Set(names).size).toBe(2);
	});
});

it.each(['', 'plain', 'a\0b', '\0', '\uFDD0', '\uFDD00', '\0\uFDD0\uFDD01\0'])(
	'the text %j comes back from a database that takes no NUL',
	(text) => {
		expect(toText(text)).not.toContain('\0');
		expect(fromText(toText(text))).toBe(text);
	},
);

describe('the address of a database', () => {
	it('names everything that a connection needs', () => {
		const address = 'postgresql://a%40b:p%3Aw@db.example:5433/da%20ta?sslmode=no-verify&schema=s';
		expect(parsePostgresUrl(address)).toEqual({
			kind: 'postgres',
			host: 'db.example',
			port: 5433,
			database: 'da ta',
			user: 'a@b',
			password: 'p:w',
			schema: 's',
			tls: true,
			tlsAllowUnauthorized: true,
		});
	});

	it('is not encrypted unless it says so, and then the certificate is checked', () => {
		const tlsOf = (address: string): boolean[] => {
			const { tls, tlsAllowUnauthorized } = parsePostgresUrl(address);
			return [tls, tlsAllowUnauthorized];
		};
		expect(tlsOf('postgres://u@[::1]/d')).toEqual([false, false]);
		expect(tlsOf('postgres://u@h/d?sslmode=require')).toEqual([true, false]);
	});

	it.each([
		'mysql://u:hidden@h/d',
		'postgres://u:hidden%@h/d',
		'postgres://u:hidden@h/d?sslmode=prefer',
		'postgres://u:hidden@h/d?sslrootcert=/not/there',
		'postgres://u:hidden@h/d?pool=5',
	])('that is wrong is refused without being repeated: %s', (address) => {
		let error: unknown;
		try {
			parsePostgresUrl(address);
		} catch (thrown) {
			error = thrown;
		}
		expect(error).toMatchObject({ code: 'error.gateway.configuration.invalid' });
		expect(JSON.stringify(error)).toContain('database.connectionString');
		expect(JSON.stringify(error)).not.toContain('hidden');
	});
});

it.each([
	['schema', 'with space'],
	['schema', 'a:b'],
	['tlsCa', '/etc/passwd'],
	['port', 0],
])('a store whose %s is %j is refused with the name of the setting', (field, value) => {
	const input = {
		backbone: { baseUrl: 'b', clientId: 'c', clientSecret: 's' },
		store: { kind: 'postgres', host: 'h', database: 'd', user: 'u', [field]: value },
	};
	expect(() => parseGatewayConfig(input)).toThrow(
		expect.objectContaining({ facts: { field: `store.${field}` } }),
	);
});
