import { realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import type { Cancellable } from '../base/abort';
import type { Clock } from '../base/clock';
import type { Random } from '../base/random';
import type { Timings } from '../base/timings';
import { loadSodium } from '../crypto/sodium';
import type { GatewayConfig } from '../gateway-config';
import { PostgresAccount } from './postgres/postgres-account';
import { PostgresHome } from './postgres/postgres-home';
import { prepareFolder } from './sqlite/file-modes';
import type { AccountHome } from './account-home';
import { namingFileLimit } from './sqlite/file-limit';
import { SqliteAccount } from './sqlite/sqlite-account';
import { SqliteHome } from './sqlite/sqlite-home';
import type { Store } from './store';
import { storeErrors } from './store-errors';

export interface StoreDependencies {
	readonly clock: Clock;
	readonly random: Random;
	readonly timings?: Pick<Timings, 'sqliteBusyMs'>;
	/** of the host process unless given */
	readonly environment?: NodeJS.ProcessEnv;
}

export type AccountConfig = Pick<
	GatewayConfig,
	'account' | 'store' | 'passphrase' | 'previousClientSecret'
> & {
	readonly backbone: Pick<GatewayConfig['backbone'], 'clientSecret'>;
	/** of an account that is made; false unless given */
	readonly sealContents?: boolean | undefined;
};

export interface ProofOptions extends Cancellable {
	/**
	 * Asked before a client secret becomes the proof of an account; rejects where it is a wrong one.
	 * Else a mistyped secret would lock out who corrects it.
	 */
	readonly approveClientSecret?: () => Promise<void>;
}

/** A store that can check again whether a changed configuration still proves its account. */
export interface AccountStore extends Store {
	/** @throws the codes of `openStore` that concern the proof, and what `approveClientSecret` throws */
	prove(config: AccountConfig, options?: ProofOptions): Promise<void>;
}

/** What the credential test learns without opening or creating anything. */
export type AccountPeek =
	{ readonly state: 'none' } | { readonly state: 'proven'; readonly address: string | undefined };

/** Names one account as seen from this machine: configurations with the same key share one gateway. */
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
 * Opens the account's store, or creates it.
 *
 * @throws the codes `error.gateway.store.postgres*`, `error.gateway.store.passphraseRequired`,
 * `error.gateway.store.foreignSchema`, `error.gateway.store.sqliteInQueueMode`,
 * `error.gateway.store.folderNotAbsolute`, `error.gateway.store.folderNotAllowed`,
 * `error.gateway.store.notWritable`,
 * `error.gateway.store.tooManyOpenFiles`, `error.gateway.store.foreignFile`,
 * `error.gateway.store.newerSchema`, `error.gateway.store.databaseMissing`,
 * `error.gateway.store.keyFileMissing`, `error.gateway.store.wrongKeyFile`,
 * `error.gateway.store.wrongPassphrase`, `error.gateway.store.passphraseMissing`,
 * `error.gateway.store.passphraseUnexpected`, `error.gateway.store.wrongClientSecret`,
 * `error.gateway.store.busy`, and what `approveClientSecret` throws
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
 * Whether the account exists and this configuration proves it. Reads only.
 *
 * @throws as `openStore`, where an existing account cannot be opened with this configuration
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
 * The account's place for whoever moves it; touches nothing yet.
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
	// Queue mode does not matter: nobody else may have the account open while it is moved.
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
 * Who runs n8n decides where its users may open accounts: in the folders of the list and below them,
 * wherever links lead. No list allows every folder.
 */
function requireAllowed(folder: string, environment: NodeJS.ProcessEnv): void {
	const list = environment['ENMESHED_ALLOWED_FOLDERS'] ?? '';
	const entries = list.split(';').map((entry) => entry.trim());
	const named = entries.filter((entry) => entry !== '');
	if (named.length === 0) return;
	const place = canonical(folder);
	const isWithin = (entry: string): boolean => {
		const way = relative(canonical(resolve(entry)), place);
		return way === '' || !(way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way));
	};
	if (named.some(isWithin)) return;
	throw storeErrors.create('folderNotAllowed', {
		message: `Accounts must not be opened in '${folder}'.`,
		facts: { field: 'store.folder' },
	});
}

/** `<n8n folder>/enmeshed`, by n8n's own rule, unless the configuration names another. */
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

/** The same before and after the folder is created, also when a folder above it is a link. */
function canonical(folder: string): string {
	try {
		return realpathSync(folder);
	} catch {
		const above = dirname(folder);
		return above === folder ? folder : join(canonical(above), basename(folder));
	}
}
