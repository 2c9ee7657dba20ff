import type { GatewayConfigInput } from '../../core';
import { parsePostgresUrl, type ServerConfig } from '../../core/server';

/** Converts the settings of the HTTP gateway to the configuration of the core. */
export function gatewayConfigOf({
	transportLibrary,
	database,
	infrastructure,
	modules,
}: ServerConfig): GatewayConfigInput {
	const { addressGenerationHostnameOverride: addressHostname } = transportLibrary;
	const { platformAdditionalHeaders: additionalHeaders } = transportLibrary;
	const { baseUrlOverride: pushUrl } = modules.sse;
	const { enabled, connectorVersion } = infrastructure.httpServer;
	const { folder, passphrase, previousClientSecret, sealContents } = database;
	return {
		backbone: {
			baseUrl: transportLibrary.baseUrl,
			...(pushUrl === undefined ? {} : { pushUrl }),
			clientId: transportLibrary.platformClientId,
			clientSecret: transportLibrary.platformClientSecret,
			allowPlainHttp: transportLibrary.allowPlainHttp,
			timeoutMs: Math.ceil(transportLibrary.platformTimeout),
			...(addressHostname === undefined ? {} : { addressHostname }),
			...(additionalHeaders === undefined ? {} : { additionalHeaders }),
		},
		account: database.dbName,
		store:
			database.driver === 'postgres'
				? parsePostgresUrl(database.connectionString ?? '')
				: { kind: 'sqlite', ...(folder === undefined ? {} : { folder }) },
		allowIdentityCreation: transportLibrary.allowIdentityCreation,
		acceptUnprovenAnswers: modules.request.acceptUnprovenAnswers,
		webhooks: {
			allowPrivateTargets: modules.registeredWebhooks.allowPrivateTargets,
			timeoutMs: modules.registeredWebhooks.timeout,
		},
		automation: modules.decider.enabled ? modules.decider.automationConfig : [],
		// Only who serves an interface decides which ids it shows.
		...(enabled ? { oneAttributeId: connectorVersion === 7 } : {}),
		...(passphrase === undefined ? {} : { passphrase }),
		...(previousClientSecret === undefined ? {} : { previousClientSecret }),
		...(sealContents === undefined ? {} : { sealContents }),
	};
}
