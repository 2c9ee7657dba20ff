import { parseUntrustedJson } from '../../base/untrusted-json';
import type { HostedAccountDto } from '../../model/record/http/hosted-account';
import { configOfAccount } from '../config/accounts-config';
import { isSettings, type Settings } from '../config/config-sources';
import type { ServerConfig } from '../config/server-config';
import { invalidPart } from '../server-errors';
import type { AccountOperations } from './account-operations';

/** An account that the HTTP gateway should have besides the default one. */
export interface WantedAccount {
	readonly name: string;
	readonly source: 'configuration' | 'stored';
	readonly isPaused: boolean;
	readonly isBeingDeleted: boolean;
	/** its stored settings as JSON; empty for an account of the configuration */
	readonly settings: string;
	/** its stored settings; empty for an account of the configuration */
	ownSettings(): Settings;
	/** @throws `error.gateway.configuration.invalid` */
	config(): ServerConfig;
}

/** Accounts of the configuration, then those that administrators created, by name. */
export function wantedAccounts(
	settings: Settings,
	configured: ReadonlyMap<string, ServerConfig>,
	rows: readonly HostedAccountDto[],
): ReadonlyMap<string, WantedAccount> {
	const paused = new Set(rows.filter(({ isPaused }) => isPaused).map(({ name }) => name));
	const fromConfiguration = [...configured].map(([name, config]): WantedAccount => ({
		...{ name, source: 'configuration', isPaused: paused.has(name), isBeingDeleted: false },
		settings: '',
		ownSettings: () => ({}),
		config: () => config,
	}));
	const named = new Set(fromConfiguration.map(({ name }) => name.toLowerCase()));
	const stored = rows
		.filter(({ name, isStored }) => isStored && !named.has(name.toLowerCase()))
		.map((row): WantedAccount => {
			const { name, isPaused, isBeingDeleted } = row;
			const ownSettings = (): Settings => {
				const own = parseUntrustedJson(row.settings);
				return isSettings(own) ? own : {};
			};
			return {
				...{
					name,
					source: 'stored',
					isPaused,
					isBeingDeleted,
					settings: row.settings,
					ownSettings,
				},
				config: () => configOfAccount(settings, name, ownSettings()),
			};
		});
	return new Map([...fromConfiguration, ...stored].map((one) => [one.name, one]));
}

/**
 * Refuses settings that name another place without the account: opening it there would give it
 * another identity.
 *
 * @throws `error.runtime.validation.invalidPropertyValue`
 */
export async function requireSamePlace(
	wanted: WantedAccount,
	config: ServerConfig,
	{ exists }: Pick<AccountOperations, 'exists'>,
): Promise<void> {
	if ((await exists(config)) || !(await exists(wanted.config()))) return;
	throw invalidPart(
		'invalidInput',
		'database',
		`database: The account '${wanted.name}' is not in this place, and a change of settings moves no data. Keep its place, or create an account with another name there.`,
	);
}
