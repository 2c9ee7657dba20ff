import type { ConnectorVersion } from '../connector-version';
import { isSettings, valueAt, type Settings } from './config-sources';
import type { ConfigProblem } from './config-problem';
import { servedVersion } from './http-server-config';

/** Settings of earlier and of official versions, with their replacement. */
const retired: Readonly<Record<string, string>> = {
	'modules.webhooksV2': "is called 'modules.webhooks' now",
	'modules.autoAcceptRelationshipCreationChanges':
		"is called 'modules.autoAcceptPendingRelationships' now, without 'responseContent'",
	'modules.autoAcceptPendingRelationships.responseContent':
		'was removed: a relationship is accepted without content',
	'infrastructure.httpServer.oidc':
		"browser sessions (OpenID Connect) open no route of the API here: programs send an 'apiKey', or tokens of the same provider that 'jwtBearer' describes; people sign in on the page for operators, see 'infrastructure.httpServer.admin.openId'",
	'database.dbNamePrefix': "is not needed: 'database.dbName' is the name of the account",
};

/** Options of bearer tokens in both versions, which do not exist here. */
const retiredOfBearer: Readonly<Record<string, string>> = {
	agent:
		'does not exist here: the provider is called directly; Node must trust its certificate (NODE_EXTRA_CA_CERTS adds authorities)',
	validators:
		"does not exist here: a settings file cannot contain functions. 'audience', 'issuer', 'strict' and 'maxTokenAge' define the checks",
	dpop: 'does not exist here: tokens that are bound to a key (DPoP) are refused',
};

const server = 'infrastructure.httpServer';

/** Settings of one version of the interface that the other one does not have. */
const ofOtherVersion: Readonly<Record<ConnectorVersion, Readonly<Record<string, string>>>> = {
	6: {
		[`${server}.authentication.jwtBearer`]: `belongs to version 7 of the interface: set '${server}.connectorVersion' to 7, or use '${server}.jwtBearer'`,
		[`${server}.authentication.oidc`]: `belongs to version 7 of the interface: set '${server}.connectorVersion' to 7, or leave it out`,
	},
	7: {
		[`${server}.apiKey`]: `(API_KEY in the environment) belongs to version 6 of the interface. In version 7 it is '${server}.authentication.apiKey.keys.<any name>.key'`,
		[`${server}.jwtBearer`]: `belongs to version 6 of the interface. In version 7 it is '${server}.authentication.jwtBearer'`,
		[`${server}.oidc`]: `is not supported, nor is '${server}.authentication.oidc': programs send a key or a token that '${server}.authentication' describes`,
		'modules.attributeListener':
			'does not exist in version 7 of the interface, which has no attribute listeners: leave it out',
	},
};

const mongo =
	'MongoDB is not supported, and its data cannot be migrated: keep the old gateway for its ' +
	"relationships and files, and create a new account with driver 'sqlite' (and 'folder') or 'postgres' " +
	"(and 'connectionString')";

export function findRetired(settings: Settings): ConfigProblem[] {
	const httpServer = valueAt(settings, server);
	const version = isSettings(httpServer) ? servedVersion(httpServer) : 6;
	const names: Readonly<Record<string, string>> = {
		...retired,
		...(version === 6 || version === 7 ? ofOtherVersion[version] : {}),
		...settingsBelow(`${server}.jwtBearer`, retiredOfBearer),
		...settingsBelow(`${server}.authentication.jwtBearer`, retiredOfBearer),
	};
	const problems = Object.entries(names)
		.filter(([setting]) => valueAt(settings, setting) !== undefined)
		.map(([setting, message]) => ({ setting, message }));
	const driver = valueAt(settings, 'database.driver');
	const address = valueAt(settings, 'database.connectionString');
	if (driver === 'mongodb' || driver === 'lokijs') {
		problems.push({ setting: 'database.driver', message: mongo });
	}
	if (typeof address === 'string' && /^mongodb(\+srv)?:/.test(address)) {
		problems.push({ setting: 'database.connectionString', message: mongo });
	}
	return problems;
}

const settingsBelow = (
	path: string,
	hints: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> =>
	Object.fromEntries(Object.entries(hints).map(([name, hint]) => [`${path}.${name}`, hint]));
