import type { GatewayConfigInput } from '../../core';
import type { ServerConfig } from '../../core/server';

/** The settings of the HTTP gateway in the words of the core. */
export function gatewayConfigOf({
	transportLibrary,
	database,
	modules,
}: ServerConfig): GatewayConfigInput {
	const { addressGenerationHostnameOverride: addressHostname } = transportLibrary;
	const { platformAdditionalHeaders: additionalHeaders } = transportLibrary;
	const { folder, passphrase, previousClientSecret } = database;
	return {
		backbone: {
			baseUrl: transportLibrary.baseUrl,
			clientId: transportLibrary.platformClientId,
			clientSecret: transportLibrary.platformClientSecret,
			timeoutMs: transportLibrary.platformTimeout,
			...(addressHostname === undefined ? {} : { addressHostname }),
			...(additionalHeaders === undefined ? {} : { additionalHeaders }),
		},
		account: database.dbName,
		store:
			database.driver === 'postgres'
				? postgresStoreOf(database.connectionString)
				: { kind: 'sqlite', ...(folder === undefined ? {} : { folder }) },
		allowIdentityCreation: transportLibrary.allowIdentityCreation,
		automation: modules.decider.automationConfig,
		...(passphrase === undefined ? {} : { passphrase }),
		...(previousClientSecret === undefined ? {} : { previousClientSecret }),
	};
}

/** `postgres://user:password@host:port/database`, with `?sslmode=require` for TLS. */
function postgresStoreOf(address: string | undefined): NonNullable<GatewayConfigInput['store']> {
	const url = URL.parse(address ?? '');
	if (url === null || !/^postgres(ql)?:$/.test(url.protocol)) {
		throw new Error(
			"The setting 'database.connectionString' is not valid: expected postgres://user:password@host:port/database.",
		);
	}
	return {
		kind: 'postgres',
		host: url.hostname,
		port: url.port === '' ? 5432 : Number(url.port),
		database: decodeURIComponent(url.pathname.slice(1)),
		user: decodeURIComponent(url.username),
		password: decodeURIComponent(url.password),
		tls: ['require', 'verify-ca', 'verify-full'].includes(url.searchParams.get('sslmode') ?? ''),
	};
}
