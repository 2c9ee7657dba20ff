import type {
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	INodeCredentialTestResult,
} from 'n8n-workflow';
import { toGatewayConfig } from '../gateway/acquire-gateway';
import { loadCore } from '../gateway/core';

/** Labels in the credential form by the core's paths of settings. */
export const fieldNames: Readonly<Record<string, string>> = {
	'backbone.baseUrl': 'Backbone URL',
	'backbone.clientId': 'Client ID',
	'backbone.clientSecret': 'Client Secret',
	'backbone.allowPlainHttp': 'Allow Unencrypted Connection',
	'backbone.pushUrl': 'Push Address',
	'backbone.addressHostname': 'Address Hostname',
	account: 'Account Name',
	passphrase: 'Storage Passphrase',
	previousClientSecret: 'Previous Client Secret',
	'store.folder': 'SQLite Folder',
	'store.host': 'Host',
	'store.port': 'Port',
	'store.database': 'Database',
	'store.user': 'User',
	'store.password': 'Password',
	'store.schema': 'Schema',
	'store.tls': 'SSL',
	'store.tlsCa': 'CA Certificate',
};

/** Asks the Backbone whether it accepts the client, without creating an identity. Never rejects. */
export async function enmeshedBackboneApiTest(
	this: ICredentialTestFunctions,
	credential: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	const { probeCredential } = await loadCore();
	const { ok, message, settings } = await probeCredential(toGatewayConfig(credential.data ?? {}));
	const fields = settings.map((setting) => fieldNames[setting] ?? setting);
	const subject = fields.length === 0 ? '' : `${fields.join(' or ')}: `;
	return { status: ok ? 'OK' : 'Error', message: `${subject}${message}` };
}
