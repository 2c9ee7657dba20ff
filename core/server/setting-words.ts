import { GatewayError, isGatewayError } from '../base/errors';

/**
 * Fields of n8n's credential, as advice of the core names them, and the settings of the HTTP
 * gateway.
 */
const settingOf: Readonly<Record<string, string>> = {
	'Account Name': 'database.dbName',
	'Address Hostname': 'transportLibrary.addressGenerationHostnameOverride',
	'Client Secret': 'transportLibrary.platformClientSecret',
	'Previous Client Secret': 'database.previousClientSecret',
	Schema: 'database.connectionString',
	'SQLite Folder': 'database.folder',
	'Storage Passphrase': 'database.passphrase',
};

/** Names the settings of the HTTP gateway instead of the fields of n8n's form. */
export function inSettings(advice: string): string {
	return advice.replace(/'([A-Z][A-Za-z ]+)'/g, (whole, field: string) =>
		Object.hasOwn(settingOf, field) ? `'${settingOf[field]}'` : whole,
	);
}

/** The same error with advice in the names of the settings. */
export function withSettingNames(error: unknown): unknown {
	if (!isGatewayError(error) || error.remedy === undefined) return error;
	const { code, kind, message, remedy, facts, cause } = error;
	return new GatewayError({ code, kind, message, remedy: inSettings(remedy), facts, cause });
}
