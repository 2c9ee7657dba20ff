import { valueAt, type Settings } from './config-sources';
import type { ConfigProblem } from './config-problem';

/** Settings of earlier and of official versions, with their replacement. */
const retired: Readonly<Record<string, string>> = {
	'modules.webhooksV2': "is called 'modules.webhooks' now",
	'modules.autoAcceptRelationshipCreationChanges':
		"is called 'modules.autoAcceptPendingRelationships' now, without 'responseContent'",
	'modules.autoAcceptPendingRelationships.responseContent':
		'was removed: a relationship is accepted without content',
	'infrastructure.httpServer.oidc':
		"sign-in pages and browser sessions (OpenID Connect) do not exist here: they grant no role of the API. Programs send an 'apiKey', or tokens of the same provider that 'jwtBearer' describes",
	'infrastructure.httpServer.authentication':
		"is how version 7 of the official gateway groups its settings. Here the key is in 'infrastructure.httpServer.apiKey', and the check of bearer tokens in 'infrastructure.httpServer.jwtBearer'",
	'infrastructure.httpServer.jwtBearer.agent':
		'does not exist here: the provider is called directly; Node must trust its certificate (NODE_EXTRA_CA_CERTS adds authorities)',
	'infrastructure.httpServer.jwtBearer.validators':
		"does not exist here: a settings file cannot contain functions. 'audience', 'issuer', 'strict' and 'maxTokenAge' define the checks",
	'infrastructure.httpServer.jwtBearer.dpop':
		'does not exist here: tokens that are bound to a key (DPoP) are refused',
	'database.dbNamePrefix': "is not needed: 'database.dbName' is the name of the account",
};

const mongo =
	'MongoDB is not supported, and its data cannot be migrated: keep the old gateway for its ' +
	"relationships and files, and create a new account with driver 'sqlite' (and 'folder') or 'postgres' " +
	"(and 'connectionString')";

export function findRetired(settings: Settings): ConfigProblem[] {
	const problems = Object.entries(retired)
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
