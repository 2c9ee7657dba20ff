import { readdirSync, rmSync } from 'node:fs';
import { codeOf } from '../../base/errors';
import type { StoreKey } from '../../crypto/sealing';
import { loadSodium } from '../../crypto/sodium';
import type {
	AccountHome,
	HomeLook,
	HomeOpenOptions,
	HomeProof,
	HomeStore,
} from '../account/account-home';
import type { ArrivingState } from '../account/account-state';
import {
	clientSecretHashOf,
	createSeal,
	sealerOf,
	unlock,
	type NewSeal,
} from '../account/account-proof';
import { readSeal } from '../account/account-rows';
import type { StoreDependencies } from '../account/account-store';
import type { Sealer } from '../sql/sealer';
import { storeErrors } from '../store-errors';
import { corruptRow } from '../collections/stored-json';
import { namingFileLimit } from './file-limit';
import { prepareFolder } from './file-modes';
import { syncFolder } from './key-file';
import { LogSync } from './log-sync';
import { onlyLiving, OpenMark, removeLeftMarks } from './open-mark';
import { SqliteAccount } from './sqlite-account';
import { openSqliteAlone } from './sqlite-file';
import {
	createAccount,
	hasAccount,
	openFile,
	openFileAlone,
	openReader,
	updateSchema,
	type OpenedFile,
} from './sqlite-parts';
import { SqliteStore, type SqliteStoreParts } from './sqlite-store';
import { errorCodeOf } from '../../base/members';

const extension = '.sqlite';

/** Account in a folder, for code that moves it. */
export class SqliteHome implements AccountHome {
	readonly name: string;

	private readonly files: SqliteAccount;

	constructor(
		private readonly folder: string,
		private readonly account: string,
		private readonly deps: StoreDependencies,
		/** true for n8n's own folder, false for a folder that a person chose */
		private readonly isOurFolder: boolean,
	) {
		this.name = `sqlite:${folder} (account '${account}')`;
		this.files = new SqliteAccount(folder, account, deps);
	}

	look(): Promise<HomeLook | undefined> {
		return namingFileLimit(() => this.lookAt(this.account));
	}

	async otherAccounts(): Promise<HomeLook[]> {
		const looks: HomeLook[] = [];
		for (const entry of entriesOf(this.folder)) {
			const account = entry.slice(0, -extension.length);
			if (!entry.endsWith(extension) || account === this.account) continue;
			const look = await this.lookAt(account).catch((error: unknown) => {
				// The database of another program, in a folder that a person chose.
				if (codeOf(error) === storeErrors.foreignFile.code) return undefined;
				throw error;
			});
			if (look !== undefined) looks.push(look);
		}
		return looks;
	}

	open(proof: HomeProof, options: HomeOpenOptions): Promise<HomeStore> {
		return namingFileLimit(() => this.openStore(proof, options));
	}

	create(newSeal: NewSeal, accountState: ArrivingState): Promise<HomeStore> {
		return namingFileLimit(() => this.createStore(newSeal, accountState));
	}

	async discard(): Promise<void> {
		const database = await openSqliteAlone(this.files.file);
		database.close();
		const { file, keyFile } = this.files;
		removeLeftMarks(file);
		// The database is removed last: as long as it exists, it identifies the account.
		const parts = [keyFile.path, `${file}-wal`, `${file}-shm`, `${file}-journal`, file];
		for (const part of parts) rmSync(part, { force: true });
		syncFolder(this.folder);
	}

	private async openStore(proof: HomeProof, { alone }: HomeOpenOptions): Promise<HomeStore> {
		await loadSodium();
		const { file } = this.files;
		const opened = await (alone ? openFileAlone(file) : openFile(file));
		try {
			const { compiled, writer, database } = opened;
			const seal = (await hasAccount(database))
				? await writer.run('begin', (executor) => readSeal(executor, compiled))
				: undefined;
			if (seal === undefined) throw corruptRow({ table: 'account', id: 'seal' });
			const backbone = { clientSecret: proof.clientSecret ?? '' };
			const config = {
				backbone,
				...(proof.passphrase === undefined ? {} : { passphrase: proof.passphrase }),
			};
			const readKey = (): StoreKey => this.files.keyFile.read();
			const { key } = await unlock(seal, config, readKey, this.deps.random);
			const sealer = sealerOf(seal, key, this.deps.random);
			await updateSchema(opened);
			return this.storeOf(opened, sealer, { hash: clientSecretHashOf(seal, key), alone });
		} catch (error) {
			await opened.writer.close();
			throw error;
		}
	}

	private async createStore(newSeal: NewSeal, accountState: ArrivingState): Promise<HomeStore> {
		await loadSodium();
		prepareFolder(this.folder, this.isOurFolder);
		const opened = await openFileAlone(this.files.file);
		try {
			if (await hasAccount(opened.database)) throw new TypeError('There is an account already');
			const readKey = (): StoreKey => this.files.keyFile.readOrCreate();
			const { seal, key } = await createSeal(newSeal, readKey, this.deps.random);
			await createAccount(opened, { seal: () => Promise.resolve(seal), accountState }, {});
			syncFolder(this.folder);
			const sealer = sealerOf(seal, key, this.deps.random);
			return this.storeOf(opened, sealer, { hash: newSeal.clientSecretHash, alone: true });
		} catch (error) {
			await opened.writer.close();
			throw error;
		}
	}

	private async lookAt(account: string): Promise<HomeLook | undefined> {
		const look = await new SqliteAccount(this.folder, account, this.deps).look(async () => true);
		if (look === undefined) return undefined;
		const { accountState, identity } = look;
		return {
			account,
			accountState,
			address: identity?.state === 'ready' ? identity.address : undefined,
		};
	}

	private storeOf(
		opened: OpenedFile,
		sealer: Sealer,
		{ hash, alone }: { readonly hash: string; readonly alone: boolean },
	): HomeStore {
		const { file } = this.files;
		const reader = alone ? opened.writer : openReader(file, opened.identity);
		// Exclusive access uses no write-ahead log: each commit reaches the disk by itself.
		const log = new LogSync(alone ? undefined : file);
		const { clock, random } = this.deps;
		const living = alone ? onlyLiving : OpenMark.make(file, random);
		return new SqliteHomeStore({ ...opened, reader, sealer, clock, log, living }, hash);
	}
}

class SqliteHomeStore extends SqliteStore implements HomeStore {
	constructor(
		parts: SqliteStoreParts,
		readonly clientSecretHash: string,
	) {
		super(parts);
	}
}

function entriesOf(folder: string): string[] {
	try {
		return readdirSync(folder);
	} catch (error) {
		if (errorCodeOf(error) === 'ENOENT') return [];
		throw storeErrors.create('notWritable', {
			message: `The folder '${folder}' cannot be read.`,
			cause: error,
		});
	}
}
