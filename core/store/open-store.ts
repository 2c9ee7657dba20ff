import { mkdirSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import type { Clock } from '../base/clock';
import type { Random } from '../base/random';
import { loadSodium } from '../crypto/sodium';
import type { GatewayConfig } from '../gateway-config';
import type { IdentityRecord } from '../model/record/identity';
import { SqliteAccount } from './sqlite/sqlite-account';
import type { Store } from './store';
import { storeErrors } from './store-errors';

export interface StoreDependencies {
	readonly clock: Clock;
	readonly random: Random;
}

export type AccountConfig = Pick<
	GatewayConfig,
	'account' | 'store' | 'passphrase' | 'previousClientSecret'
> & { readonly backbone: Pick<GatewayConfig['backbone'], 'clientSecret'> };

/** A store that can check again whether a changed configuration still proves its account. */
export interface AccountStore extends Store {
	/** @throws the codes of `openStore` that concern the proof */
	prove(config: AccountConfig): Promise<void>;
}

/** What the credential test learns without opening or creating anything. */
export type AccountPeek =
	{ readonly state: 'none' } | { readonly state: 'proven'; readonly address: string | undefined };

/** Names one account on this machine: configurations with the same key share one gateway. */
export function accountKey(config: Pick<AccountConfig, 'account' | 'store'>): string {
	if (config.store.kind === 'postgres') {
		const { host, port, database } = config.store;
		return `postgres:${host}:${port}/${database}/${config.account}`;
	}
	return `sqlite:${canonical(folderOf(config))}/${config.account}`;
}

/**
 * Opens the account's store, or creates it.
 *
 * @throws `error.gateway.store.postgresNotAvailable`, `error.gateway.store.sqliteInQueueMode`,
 * `error.gateway.store.folderNotAbsolute`, `error.gateway.store.notWritable`,
 * `error.gateway.store.foreignFile`, `error.gateway.store.newerSchema`,
 * `error.gateway.store.keyFileMissing`, `error.gateway.store.wrongKeyFile`,
 * `error.gateway.store.wrongPassphrase`, `error.gateway.store.passphraseMissing`,
 * `error.gateway.store.passphraseUnexpected`, `error.gateway.store.wrongClientSecret`,
 * `error.gateway.store.busy`
 */
export async function openStore(
	config: AccountConfig,
	deps: StoreDependencies,
): Promise<AccountStore> {
	requireSupported(config);
	await loadSodium();
	const folder = folderOf(config);
	try {
		mkdirSync(folder, { recursive: true, mode: 0o700 });
	} catch (cause) {
		throw storeErrors.create('notWritable', {
			message: `The folder '${folder}' cannot be created.`,
			cause,
		});
	}
	return await new SqliteAccount(folder, config.account, deps).open(config);
}

/** @throws as `openStore`, where an existing account cannot be opened with this configuration */
export async function peekAccount(
	config: AccountConfig,
	deps: StoreDependencies,
): Promise<AccountPeek> {
	requireSupported(config);
	await loadSodium();
	const account = new SqliteAccount(folderOf(config), config.account, deps);
	if (!account.exists()) return { state: 'none' };
	const store = await account.open(config);
	try {
		const identity = await store.read((tx) => tx.identity.get('self'));
		const record: IdentityRecord | undefined = identity?.record;
		return { state: 'proven', address: record?.state === 'ready' ? record.address : undefined };
	} finally {
		await store.close();
	}
}

function requireSupported(config: Pick<AccountConfig, 'store'>): void {
	if (config.store.kind === 'postgres') {
		throw storeErrors.create('postgresNotBuilt', {
			message: 'PostgreSQL was chosen as the store, but this version does not support it yet.',
		});
	}
	if (process.env['EXECUTIONS_MODE'] === 'queue') {
		throw storeErrors.create('queueMode', {
			message: 'n8n runs in queue mode, where a SQLite file cannot be shared by its processes.',
		});
	}
}

/** `<n8n folder>/enmeshed` unless the configuration names another (guides: n8n's own rule). */
function folderOf(config: Pick<AccountConfig, 'store'>): string {
	const folder = config.store.kind === 'sqlite' ? config.store.folder : undefined;
	if (folder === undefined) {
		const user = process.env['N8N_USER_FOLDER'] ?? homedir();
		return join(resolve(user), '.n8n', 'enmeshed');
	}
	if (isAbsolute(folder)) return resolve(folder);
	throw storeErrors.create('folderNotAbsolute', {
		message: 'The SQLite folder is not an absolute path.',
		facts: { field: 'store.folder' },
	});
}

function canonical(folder: string): string {
	try {
		return realpathSync(folder);
	} catch {
		return folder;
	}
}
