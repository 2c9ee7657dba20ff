import {
	closeSync,
	existsSync,
	fsyncSync,
	openSync,
	readFileSync,
	renameSync,
	writeSync,
} from 'node:fs';
import type {
	DatawalletModification,
	DeviceRow,
	EventRow,
	FileRow,
	MessageRow,
	RelationshipRow,
	RunRow,
	TemplateRow,
	TokenRow,
} from './records';
import type { SandboxState } from './sandbox-state';
import type { Table } from './table';

const header = { 'enmeshed-sandbox': 2 };
/** Amount of changes after which the file is rewritten. */
const compactAfterBytes = 64 * 1024 * 1024;

/** Table, key, and the row as JSON; without a row the key was removed. */
type Change = readonly [table: string, key: string, row?: unknown];

/**
 * State in a file: a header, then one line with all changes of a call, written before its answer.
 * Killing the sandbox therefore loses nothing that was answered; an incomplete last line belongs to
 * an unanswered call.
 */
export class StateFile {
	private descriptor: number | undefined;

	private appendedBytes = 0;

	private constructor(
		private readonly state: SandboxState,
		private readonly path: string,
	) {}

	/** @throws Error with `error.sandbox.stateFileUnreadable` */
	static open(state: SandboxState, path: string): StateFile {
		if (existsSync(path)) {
			try {
				restore(state, readFileSync(path));
			} catch (error) {
				throw new Error(
					`error.sandbox.stateFileUnreadable: '${path}' contains no state of this version of the ` +
						'sandbox. Move it away to start with an empty Backbone.',
					{ cause: error },
				);
			}
		}
		const file = new StateFile(state, path);
		state.recordChanges();
		file.compact();
		return file;
	}

	/** Writes the changes since the previous call. */
	flush(): void {
		const { changes } = this.state;
		if (changes.size === 0 || this.descriptor === undefined) return;
		const line: Change[] = [];
		for (const [name, keys] of changes) {
			const table = tableOf(this.state, name);
			for (const key of keys) line.push(changeOf(name, key, table.get(key)));
		}
		this.appendedBytes += append(this.descriptor, line);
		changes.clear();
		if (this.appendedBytes > compactAfterBytes) this.compact();
	}

	close(): void {
		this.compact();
		if (this.descriptor !== undefined) closeSync(this.descriptor);
		this.descriptor = undefined;
	}

	/** Writes a new file and renames it, so that the old file survives a kill of the process. */
	private compact(): void {
		const draft = `${this.path}.new`;
		const descriptor = openSync(draft, 'w');
		append(descriptor, header);
		for (const name of tableNames) {
			for (const [key, row] of tableOf(this.state, name)) {
				append(descriptor, [changeOf(name, key, row)]);
			}
		}
		fsyncSync(descriptor);
		const earlier = this.descriptor;
		// Windows replaces no open file; elsewhere a failed renaming leaves the earlier one in use.
		const closesFirst = process.platform === 'win32';
		if (closesFirst && earlier !== undefined) closeSync(earlier);
		renameSync(draft, this.path);
		if (!closesFirst && earlier !== undefined) closeSync(earlier);
		this.descriptor = descriptor;
		this.appendedBytes = 0;
		this.state.changes.clear();
	}
}

/** Tables in the order of restoring: runs refer to events. */
const tableNames = [
	'settings',
	'identities',
	'devices',
	'deletedUsernames',
	'challenges',
	'modifications',
	'templates',
	'relationships',
	'messages',
	'tokens',
	'files',
	'contents',
	'events',
	'runs',
	'queued',
	'announcements',
	'notificationTexts',
	'sentNotifications',
	'quotas',
] as const;

type TableName = (typeof tableNames)[number];

function tableOf(state: SandboxState, name: string): Table<unknown> {
	return (state as unknown as Record<string, Table<unknown>>)[name] as Table<unknown>;
}

function changeOf(name: string, key: string, row: unknown): Change {
	if (row === undefined) return [name, key];
	if (name === 'contents') return [name, key, (row as Buffer).toString('base64')];
	if (name === 'runs') {
		return [name, key, { ...(row as RunRow), events: (row as RunRow).events.map(({ id }) => id) }];
	}
	return [name, key, row];
}

/** Appends a line with a single write, so that only the last line of the file can be incomplete. */
function append(descriptor: number, line: unknown): number {
	const bytes = Buffer.from(`${JSON.stringify(line)}\n`);
	let written = 0;
	while (written < bytes.length) written += writeSync(descriptor, bytes, written);
	return written;
}

function restore(state: SandboxState, bytes: Buffer): void {
	const tables = new Map<string, Map<string, unknown>>(tableNames.map((name) => [name, new Map()]));
	let isFirst = true;
	for (const line of wholeLines(bytes)) {
		if (isFirst) {
			if (line !== JSON.stringify(header)) throw new TypeError('The header is missing');
			isFirst = false;
			continue;
		}
		for (const [name, key, row] of JSON.parse(line) as Change[]) {
			if (row === undefined) tables.get(name)?.delete(key);
			else tables.get(name)?.set(key, row);
		}
	}
	if (isFirst) throw new TypeError('The header is missing');
	for (const name of tableNames) {
		for (const [key, row] of tables.get(name) ?? []) put(state, name, key, row);
	}
}

function* wholeLines(bytes: Buffer): Generator<string> {
	let start = 0;
	for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, start)) {
		yield bytes.toString('utf8', start, end);
		start = end + 1;
	}
}

/** Restores a row and its index entries. */
function put(state: SandboxState, name: TableName, key: string, row: unknown): void {
	const put = restorers[name];
	if (put === undefined) tableOf(state, name).set(key, row);
	else put(state, row, key);
}

const restorers: Partial<
	Record<TableName, (state: SandboxState, row: unknown, key: string) => void>
> = {
	devices: (state, row) => state.addDevice(row as DeviceRow),
	modifications: (state, row) => state.addModification(row as DatawalletModification),
	templates: (state, row) => state.addTemplate(row as TemplateRow),
	relationships: (state, row) => state.addRelationship(row as RelationshipRow),
	messages: (state, row) => state.addMessage(row as MessageRow),
	tokens: (state, row) => state.addToken(row as TokenRow),
	files: (state, row) => state.addFile(row as FileRow),
	contents: (state, row, key) => state.contents.set(key, Buffer.from(row as string, 'base64')),
	events: (state, row) => state.addEvent(row as EventRow),
	runs: (state, row) => {
		const run = row as Omit<RunRow, 'events'> & { readonly events: string[] };
		const events = run.events.map((id) => state.events.get(id)).filter((one) => one !== undefined);
		state.addRun({ ...run, events });
	},
};
