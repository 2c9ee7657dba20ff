import { readFileSync } from 'node:fs';
import { invalidSetting } from './config-problem';

const sslModes = ['disable', 'require', 'no-verify', 'verify-ca', 'verify-full'];

/**
 * Parses `postgres://user:password@host:port/database`. Options: `?sslmode=require` for TLS (the
 * certificate is checked unless it is `no-verify`), `sslrootcert` for the file of an authority,
 * `schema` for another schema than `enmeshed`.
 *
 * @throws `error.gateway.configuration.invalid`, without the address, because it contains a
 * password
 */
export function parsePostgresUrl(address: string) {
	const url = URL.parse(address);
	if (url === null || !/^postgres(ql)?:$/.test(url.protocol) || url.hostname === '') {
		throw invalid('expected postgres://user:password@host:port/database');
	}
	const parameters = url.searchParams;
	const unknown = [...parameters.keys()].find(
		(name) => !['sslmode', 'sslrootcert', 'schema'].includes(name),
	);
	if (unknown !== undefined) throw invalid(`there is no parameter '${unknown}'`);
	const sslMode = parameters.get('sslmode') ?? 'disable';
	if (!sslModes.includes(sslMode)) throw invalid(`sslmode must be one of ${sslModes.join(', ')}`);
	const schema = parameters.get('schema');
	const caFile = parameters.get('sslrootcert');
	return {
		kind: 'postgres' as const,
		host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
		port: url.port === '' ? 5432 : Number(url.port),
		database: decoded(url.pathname.slice(1)),
		user: decoded(url.username),
		password: decoded(url.password),
		...(schema === null ? {} : { schema }),
		tls: sslMode !== 'disable',
		tlsAllowUnauthorized: sslMode === 'no-verify',
		...(caFile === null ? {} : { tlsCa: certificateIn(caFile) }),
	};
}

function decoded(part: string): string {
	try {
		return decodeURIComponent(part);
	} catch {
		throw invalid("a part of it has a '%' that is not followed by two hexadecimal digits");
	}
}

function certificateIn(file: string): string {
	try {
		return readFileSync(file, 'utf8');
	} catch (cause) {
		throw invalid('the file of sslrootcert cannot be read', cause);
	}
}

const invalid = (expected: string, cause?: unknown): Error =>
	invalidSetting('database.connectionString', expected, cause);
