import { realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { loadSodium } from '../crypto/sodium';
import { PostgresAccount } from './postgres/postgres-account';
import { PostgresHome } from './postgres/postgres-home';
import { prepareFolder } from './sqlite/file-modes';
import type {
	AccountConfig,
	AccountPeek,
	AccountStore,
	ProofOptions,
	StoreDependencies,
} from './account/account-store';
import type { AccountHome } from './account/account-home';
import { namingFileLimit } from './sqlite/file-limit';
import { SqliteAccount } from './sqlite/sqlite-account';
import { SqliteHome } from './sqlite/sqlite-home';
import { storeErrors } from './store-errors';

export type { AccountConfig, AccountStore } from './account/account-store';

/** Identifies one account on this machine: configurations with the same key share one gateway. */
export function accountKey(
	config: Pick<AccountConfig, 'account' | 'store'>,
	environment: NodeJS.ProcessEnv = process.env,
): string {
	if (config.store.kind === 'postgres') {
		const { host, port, database, schema } = config.store;
		return `postgres:${host}:${port}/${database}/${schema}/${config.account}`;
	}
	return `sqlite:${canonical(folderOf(config, environment))}/${config.account}`;
}

/**
 * Opens the store of an account, or creates it.
 *
 * @throws the codes `error.gateway.store.postgres*`, `error.gateway.store.passphraseRequired`,
 * `error.gateway.store.foreignSchema`, `error.gateway.store.sqliteInQueueMode`,
 * `error.gateway.store.folderNotAbsolute`, `error.gateway.store.folderNotAllowed`,
 * `error.gateway.store.notWritable`, `error.gateway.store.tooManyOpenFiles`,
 * `error.gateway.store.foreignFile`, `error.gateway.store.newerSchema`,
 * `error.gateway.store.databaseMissing`, `error.gateway.store.keyFileMissing`,
 * `error.gateway.store.wrongKeyFile`, `error.gateway.store.wrongPassphrase`,
 * `error.gateway.store.passphraseMissing`, `error.gateway.store.passphraseUnexpected`,
 * `error.gateway.store.wrongClientSecret`, `error.gateway.store.busy`, and errors of
 * `approveClientSecret`
 */
export async function openStore(
	config: AccountConfig,
	deps: StoreDependencies,
	options: ProofOptions = {},
): Promise<AccountStore> {
	await loadSodium();
	const { store } = config;
	if (store.kind === 'postgres') {
		return await new PostgresAccount(store, config.account, deps).open(config, options);
	}
	const folder = supportedFolder(config, deps);
	prepareFolder(folder, folderSetting(config) === undefined);
	return await namingFileLimit(() =>
		new SqliteAccount(folder, config.account, deps).open(config, options),
	);
}

/**
 * Checks, by reading only, that the account exists and that this configuration proves it.
 *
 * @throws the codes of `openStore`, if an existing account cannot be opened with this configuration
 */
export async function peekAccount(
	config: AccountConfig,
	deps: StoreDependencies,
): Promise<AccountPeek> {
	await loadSodium();
	const { store } = config;
	if (store.kind === 'postgres') {
		return await new PostgresAccount(store, config.account, deps).peek(config);
	}
	const folder = supportedFolder(config, deps);
	return await namingFileLimit(() => new SqliteAccount(folder, config.account, deps).peek(config));
}

/**
 * Returns the place of an account for code that moves it, without any access to the place.
 *
 * @throws `error.gateway.store.folderNotAbsolute`, `error.gateway.store.folderNotAllowed`
 */
export function accountHome(
	config: Pick<AccountConfig, 'account' | 'store'>,
	deps: StoreDependencies,
): AccountHome {
	if (config.store.kind === 'postgres') {
		return new PostgresHome(config.store, config.account, deps);
	}
	// Queue mode is allowed here, because no other process may have the account open while it is
	// moved.
	const folder = folderOf(config, deps.environment ?? process.env);
	const isOurs = folderSetting(config) === undefined;
	return new SqliteHome(canonical(folder), config.account, deps, isOurs);
}

function supportedFolder(config: Pick<AccountConfig, 'store'>, deps: StoreDependencies): string {
	const environment = deps.environment ?? process.env;
	if (environment['EXECUTIONS_MODE'] === 'queue') {
		throw storeErrors.create('queueMode', {
			message: 'n8n runs in queue mode, where a SQLite file cannot be shared by its processes.',
		});
	}
	return folderOf(config, environment);
}

function folderSetting(config: Pick<AccountConfig, 'store'>): string | undefined {
	return config.store.kind === 'sqlite' ? config.store.folder : undefined;
}

/** @throws `error.gateway.store.folderNotAbsolute`, `error.gateway.store.folderNotAllowed` */
function folderOf(config: Pick<AccountConfig, 'store'>, environment: NodeJS.ProcessEnv): string {
	const folder = chosenFolder(config, environment);
	requireAllowed(folder, environment);
	return folder;
}

/**
 * Enforces the operator's list of folders in which n8n users may open accounts: the folders and
 * everything below them, after resolving links. Without a list every folder is allowed.
 */
function requireAllowed(folder: string, environment: NodeJS.ProcessEnv): void {
	const list = environment['ENMESHED_ALLOWED_FOLDERS'] ?? '';
	const entries = list.split(';').map((entry) => entry.trim());
	const named = entries.filter((entry) => entry !== '');
	if (named.length === 0) return;
	const place = canonical(folder);
	const isWithin = (entry: string): boolean => {
		const way = relative(canonical(resolve(entry)), place);
		return !(way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way));
	};
	if (named.some(isWithin)) return;
	throw storeErrors.create('folderNotAllowed', {
		message: `Accounts must not be opened in '${folder}'.`,
		facts: { field: 'store.folder' },
	});
}

/**
 * Folder of the configuration, or `<n8n folder>/enmeshed`, determined in the same way as n8n does.
 */
function chosenFolder(
	config: Pick<AccountConfig, 'store'>,
	environment: NodeJS.ProcessEnv,
): string {
	const folder = folderSetting(config);
	if (folder === undefined) {
		const home = environment[process.platform === 'win32' ? 'USERPROFILE' : 'HOME'];
		const user = environment['N8N_USER_FOLDER'] ?? home ?? process.cwd();
		return join(resolve(user), '.n8n', 'enmeshed');
	}
	if (isAbsolute(folder)) return resolve(folder);
	throw storeErrors.create('folderNotAbsolute', {
		message: 'The SQLite folder is not an absolute path.',
		facts: { field: 'store.folder' },
	});
}

/**
 * Resolves links, with the same result before and after the folder is created, even when a folder
 * above it is a link.
 */
function canonical(folder: string): string {
	try {
		return realpathSync(folder);
	} catch {
		const above = dirname(folder);
		return above === folder ? folder : join(canonical(above), basename(folder));
	}
}
