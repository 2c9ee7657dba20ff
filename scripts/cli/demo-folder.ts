import {
	accessSync,
	constants,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	rmSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { UsageError } from './usage-error';

/** Folder with the data of a demo, used by one process at a time. */
export class DemoFolder {
	private constructor(
		readonly path: string,
		private readonly isTemporary: boolean,
		private readonly lock: DatabaseSync,
	) {}

	/**
	 * @param path undefined for a folder that is removed at the end
	 * @param hostname host name of the Backbone, which the addresses of kept identities contain
	 * @throws UsageError if another demo uses the folder, or its identities have another host name
	 */
	static open(path: string | undefined, hostname: string): DemoFolder {
		const used = path ?? mkdtempSync(join(tmpdir(), 'n8n-nodes-enmeshed-demo-'));
		mkdirSync(used, { recursive: true, mode: 0o700 });
		accessSync(used, constants.W_OK);
		const folder = new DemoFolder(used, path === undefined, lockIn(used));
		try {
			folder.requireHostname(hostname);
			return folder;
		} catch (error) {
			folder.close();
			throw error;
		}
	}

	close(): void {
		this.lock.close();
		if (this.isTemporary) rmSync(this.path, { recursive: true, force: true });
	}

	private requireHostname(hostname: string): void {
		const file = join(this.path, 'hostname');
		const kept = readIfPresent(file);
		if (kept === undefined) writeFileSync(file, hostname);
		else if (kept !== hostname) {
			throw new UsageError(
				`The identities in '${this.path}' belong to a Backbone with the host name ${kept}, ` +
					`not ${hostname}. Use the same --public-url as before, or another folder.`,
			);
		}
	}
}

/** The operating system releases the lock when the process ends, for any reason. */
function lockIn(folder: string): DatabaseSync {
	const lock = new DatabaseSync(join(folder, 'lock'));
	try {
		lock.exec('BEGIN EXCLUSIVE');
		return lock;
	} catch (error) {
		lock.close();
		throw new UsageError(
			`Another demo uses the folder '${folder}'. Stop it, or choose another folder.`,
			{ cause: error },
		);
	}
}

function readIfPresent(file: string): string | undefined {
	try {
		return readFileSync(file, 'utf8');
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
		throw error;
	}
}
