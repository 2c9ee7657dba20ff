import { isGatewayError } from '../../base/errors';
import { safeParse } from '../../base/schema-parse';
import { serverErrors } from '../server-errors';
import { invalidSetting } from './config-problem';
import { isSettings, type Settings } from './config-sources';
import {
	accountNameRule,
	hostedAccountNameSchema,
	hostedAccountSettingsSchema,
} from './hosted-account-settings';
import { parseServerConfig, type ServerConfig } from './server-config';

/** Modules whose settings an account has from the default one. */
const sharedModules = ['sync', 'sse', 'request', 'audit'];

/**
 * Reads the settings of the accounts that the configuration names besides the default one.
 *
 * @throws `error.gateway.configuration.invalid`
 */
export function parseHostedAccounts(settings: Settings): ReadonlyMap<string, ServerConfig> {
	const { accounts = {} } = settings;
	if (!isSettings(accounts)) throw invalidSetting('accounts', 'is not an object');
	const configs = new Map<string, ServerConfig>();
	const names = new Set<string>();
	for (const [name, own] of Object.entries(accounts)) {
		const setting = `accounts.${name}`;
		if (!safeParse(hostedAccountNameSchema, name).success)
			throw invalidSetting(setting, accountNameRule);
		if (names.has(name.toLowerCase()) || isNameOfDefault(settings, name)) {
			throw invalidSetting(setting, 'another account has this name, in any letter case');
		}
		names.add(name.toLowerCase());
		configs.set(name, configOfAccount(settings, name, own));
	}
	return configs;
}

/** Name of the default account, as `database.dbName` says. */
export function defaultNameOf({ database }: Settings): string {
	const name = isSettings(database) ? database.dbName : undefined;
	return typeof name === 'string' && name !== '' ? name : 'default';
}

/**
 * Tells whether a name means the default account, in any letter case. `default` always does: keys
 * and people that open the default account name it so, whatever `database.dbName` is.
 */
export function isNameOfDefault(settings: Settings, name: string): boolean {
	return ['default', defaultNameOf(settings).toLowerCase()].includes(name.toLowerCase());
}

/**
 * Complete configuration of an account besides the default one.
 *
 * @param settings unparsed settings of the gateway
 * @param own unparsed settings of the account
 * @throws `error.gateway.configuration.invalid`
 */
export function configOfAccount(settings: Settings, name: string, own: unknown): ServerConfig {
	const place = `accounts.${name}`;
	const parsed = safeParse(hostedAccountSettingsSchema, own);
	if (!parsed.success) {
		const [issue] = parsed.error.issues;
		const path = [place, ...(issue?.path.map(String) ?? [])].join('.');
		if (issue?.code === 'unrecognized_keys') {
			throw invalidSetting(
				`${path}.${issue.keys[0] ?? ''}`,
				'there is no such setting of an account',
			);
		}
		throw invalidSetting(path, issue?.message ?? 'is not valid');
	}
	const { transportLibrary = {}, database = {}, modules = {} } = parsed.data;
	if (Object.hasOwn(database, 'dbName')) {
		throw invalidSetting(
			`${place}.database.dbName`,
			'the account has the name under which it stands',
		);
	}
	const inherited = Object.entries(groupOf(settings.modules)).filter(([module]) =>
		sharedModules.includes(module),
	);
	const { previousClientSecret: _previous, ...store } = groupOf(settings.database);
	try {
		return parseServerConfig({
			...settings,
			accounts: undefined,
			transportLibrary: { ...groupOf(settings.transportLibrary), ...transportLibrary },
			database: { ...store, ...database, dbName: name },
			modules: { ...Object.fromEntries(inherited), ...modules },
		});
	} catch (error) {
		if (!isGatewayError(error, serverErrors.invalidConfiguration.code)) throw error;
		throw serverErrors.create('invalidConfiguration', {
			message: `The account '${name}' cannot be opened: ${error.message}`,
			facts: { settings: [place] },
		});
	}
}

const groupOf = (value: unknown): Settings => (isSettings(value) ? value : {});
