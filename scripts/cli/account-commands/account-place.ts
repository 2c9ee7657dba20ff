import { parseGatewayConfig, type AccountPlace, type GatewayConfigInput } from '../../../core';
import { UsageError } from '../usage-error';

export type Place =
	| { readonly kind: 'file'; readonly file: string }
	| {
			readonly kind: 'store';
			readonly store: AccountPlace['store'];
			readonly account: string;
			/** configuration of the HTTP gateway, if the place is its account */
			readonly served?: GatewayConfigInput;
	  };

/** Parses the value of `--from` or `--to`. */
export function parsePlace(
	text: string,
	{ account, password }: { readonly account: string; readonly password: string | undefined },
): Place {
	if (/^postgres(ql)?:/.test(text)) {
		return { kind: 'store', ...checked(account, postgresStore(text, password)) };
	}
	if (text === 'sqlite' || text.startsWith('sqlite:')) {
		const folder = text.slice('sqlite:'.length);
		const store = { kind: 'sqlite' as const, ...(folder === '' ? {} : { folder }) };
		return { kind: 'store', ...checked(account, store) };
	}
	const file = text.replace(/^file:/, '');
	if (file !== '') return { kind: 'file', file };
	throw new UsageError('A place is a store or a file; it cannot be empty.');
}

/** Validates the account name like every configuration, because it becomes part of a path. */
function checked(account: string, store: unknown): Pick<AccountPlace, 'account' | 'store'> {
	const backbone = { baseUrl: '', clientId: '', clientSecret: '' };
	const config = parseGatewayConfig({ backbone, account, store });
	return { account: config.account, store: config.store };
}

function postgresStore(text: string, password: string | undefined): unknown {
	const url = URL.parse(text);
	if (url === null || url.hostname === '' || url.pathname.length < 2) {
		throw new UsageError('Expected postgres://user@host:5432/database.');
	}
	if (url.password !== '') {
		throw new UsageError(
			'A password must not be an argument, where other users of this machine can read it: set ENMESHED_POSTGRES_PASSWORD or ENMESHED_TARGET_POSTGRES_PASSWORD.',
		);
	}
	return {
		kind: 'postgres',
		host: url.hostname,
		port: url.port === '' ? 5432 : Number(url.port),
		database: decodeURIComponent(url.pathname.slice(1)),
		user: decodeURIComponent(url.username),
		password: password ?? '',
		tls: ['require', 'verify-ca', 'verify-full'].includes(url.searchParams.get('sslmode') ?? ''),
	};
}
