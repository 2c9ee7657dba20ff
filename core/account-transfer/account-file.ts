import { open, rename, rm, stat, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import * as z from 'zod';
import { safeParse } from '../base/schema-parse';
import type { Random } from '../base/random';
import { syncFolder } from '../store/sqlite/key-file';
import { contentRowSchema, type ContentRow } from './account-content';
import { AccountTally, type ContentSummary } from './account-tally';
import { transferErrors } from './transfer-errors';
import {
	damaged,
	headerLength,
	OpeningStream,
	pieceLength,
	sealedPieceLength,
	SealingStream,
} from './sealed-stream';
import { errorCodeOf } from '../base/members';

/*
 * Sealed content of an exported file: lines of JSON. The head identifies the account, the last line
 * states the summary of the rows before it.
 */
const headSchema = z.strictObject({
	account: z.strictObject({
		address: z.string().min(1),
		backboneBaseUrl: z.string().min(1),
		exportedAt: z.string(),
		/** proves ownership of the account at its new place, as at the old one */
		clientSecretHash: z.string().min(1),
	}),
});
export type AccountFileHead = z.infer<typeof headSchema>['account'];

const endSchema = z.strictObject({
	end: z.strictObject({
		digest: z.string(),
		counts: z.record(z.string(), z.number().int()),
	}),
});

/** Limit above any possible record, because the Backbone takes at most 10 MiB at once. */
const longestLine = 64 * 1024 * 1024;

/** Writes an account into a temporary file, which gets its final name when it is complete. */
export class AccountFileWriter {
	private readonly tally = new AccountTally();

	private waiting: Buffer[] = [];

	private waitingLength = 0;

	private constructor(
		private readonly file: string,
		private readonly handle: FileHandle,
		private readonly stream: SealingStream,
	) {}

	/**
	 * @throws `error.gateway.moving.fileExists`, `error.gateway.moving.fileNotUsable`,
	 * `error.gateway.moving.weakPassword`
	 */
	static async create(
		{ file, password }: { readonly file: string; readonly password: string },
		head: AccountFileHead,
		random: Random,
	): Promise<AccountFileWriter> {
		requireStrong(password);
		await requireFree(file);
		const stream = await SealingStream.start(password, random);
		const handle = await used(file, async () => {
			await rm(draftOf(file), { force: true });
			return await open(draftOf(file), 'wx', 0o600);
		});
		const writer = new AccountFileWriter(file, handle, stream);
		await used(file, () => handle.writeFile(stream.header));
		await writer.line({ account: head });
		return writer;
	}

	async add(row: ContentRow): Promise<void> {
		this.tally.add(row);
		await this.line(row);
	}

	/** Completes the temporary file and flushes it to disk; `publish` gives it its final name. */
	async complete(): Promise<ContentSummary> {
		const summary = this.tally.summary();
		const { digest, counts } = summary;
		await this.line({ end: { digest, counts } });
		const rest = Buffer.concat(this.waiting);
		await used(this.file, async () => {
			await this.handle.writeFile(this.stream.seal(rest, true));
			await this.handle.sync();
			await this.handle.close();
		});
		return summary;
	}

	get draft(): string {
		return draftOf(this.file);
	}

	async publish(): Promise<void> {
		await requireFree(this.file);
		await used(this.file, async () => {
			await rename(this.draft, this.file);
			syncFolder(dirname(this.file));
		});
	}

	async abandon(): Promise<void> {
		await this.handle.close().catch(() => undefined);
		await rm(this.draft, { force: true });
	}

	private async line(value: object): Promise<void> {
		const line = Buffer.from(`${JSON.stringify(value)}\n`, 'utf8');
		this.waiting.push(line);
		this.waitingLength += line.length;
		if (this.waitingLength <= pieceLength) return;
		let text = Buffer.concat(this.waiting);
		// Keeps at least one byte, because the last piece has to be marked as such when it is sealed.
		while (text.length > pieceLength) {
			const sealed = this.stream.seal(text.subarray(0, pieceLength), false);
			await used(this.file, () => this.handle.writeFile(sealed));
			text = text.subarray(pieceLength);
		}
		this.waiting = [text];
		this.waitingLength = text.length;
	}
}

/** Reads a file once: the head, then the rows. Rows must not be used before all have been read. */
export class AccountFileReader implements AsyncDisposable {
	private constructor(
		readonly head: AccountFileHead,
		private readonly lines: AsyncGenerator<unknown>,
		private readonly handle: FileHandle,
	) {}

	/**
	 * @throws `error.gateway.moving.fileNotUsable`, `error.gateway.moving.fileForeign`,
	 * `error.gateway.moving.fileNewer`, `error.gateway.moving.fileDamaged`,
	 * `error.gateway.moving.wrongPassword`
	 */
	static async open(file: string, password: string): Promise<AccountFileReader> {
		const handle = await used(file, () => open(file, 'r'));
		try {
			const lines = linesOf(piecesOf(handle, password));
			const first = safeParse(headSchema, (await lines.next()).value);
			if (!first.success) throw damaged('its first line does not name an account', first.error);
			return new AccountFileReader(first.data.account, lines, handle);
		} catch (error) {
			await handle.close();
			throw error;
		}
	}

	/** @throws `error.gateway.moving.fileDamaged` after the last row at the latest */
	async *rows(): AsyncGenerator<ContentRow> {
		const tally = new AccountTally();
		for await (const line of this.lines) {
			const row = safeParse(contentRowSchema, line);
			if (row.success) {
				tally.add(row.data);
				yield row.data;
				continue;
			}
			const end = safeParse(endSchema, line);
			if (!end.success) throw damaged('it contains a line of an unknown kind', row.error);
			const { digest, counts } = tally.summary();
			const isSame = end.data.end.digest === digest && sameCounts(end.data.end.counts, counts);
			if (!isSame || (await this.lines.next()).done !== true) {
				throw damaged('its content does not match its summary');
			}
			return;
		}
		throw damaged('its end is missing');
	}

	async [Symbol.asyncDispose](): Promise<void> {
		await this.handle.close();
	}
}

async function* piecesOf(handle: FileHandle, password: string): AsyncGenerator<Uint8Array> {
	const header = await readFully(handle, headerLength);
	const stream = await OpeningStream.start(password, header);
	for (;;) {
		const { piece, isLast } = stream.open(await readFully(handle, sealedPieceLength));
		yield piece;
		if (!isLast) continue;
		if ((await readFully(handle, 1)).length > 0) throw damaged('there is data after its end');
		return;
	}
}

async function* linesOf(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<unknown> {
	let parts: Buffer[] = [];
	let length = 0;
	for await (const piece of pieces) {
		let rest = Buffer.from(piece);
		for (let end = rest.indexOf(0x0a); end >= 0; end = rest.indexOf(0x0a)) {
			yield parsed(Buffer.concat([...parts, rest.subarray(0, end)]));
			parts = [];
			length = 0;
			rest = rest.subarray(end + 1);
		}
		length += rest.length;
		if (length > longestLine) throw damaged('one of its lines is too long');
		if (rest.length > 0) parts.push(rest);
	}
	if (parts.length > 0) throw damaged('its last line is incomplete');
}

function parsed(line: Buffer): unknown {
	try {
		return JSON.parse(line.toString('utf8'));
	} catch (cause) {
		throw damaged('one of its lines is not readable', cause);
	}
}

/** Returns fewer bytes only at the end of the file. */
async function readFully(handle: FileHandle, length: number): Promise<Uint8Array> {
	const bytes = Buffer.alloc(length);
	let filled = 0;
	while (filled < length) {
		const { bytesRead } = await handle.read(bytes, filled, length - filled, null);
		if (bytesRead === 0) break;
		filled += bytesRead;
	}
	return bytes.subarray(0, filled);
}

const draftOf = (file: string): string => `${file}.part`;

function sameCounts(
	first: Readonly<Record<string, number>>,
	second: Readonly<Record<string, number>>,
): boolean {
	const names = new Set([...Object.keys(first), ...Object.keys(second)]);
	return [...names].every((name) => first[name] === second[name]);
}

function requireStrong(password: string): void {
	if ([...password].length >= 12) return;
	throw transferErrors.create('weakPassword', {
		message: 'The password of the file has fewer than 12 characters.',
		facts: { field: 'password' },
	});
}

async function requireFree(file: string): Promise<void> {
	const found = await stat(file).catch(() => undefined);
	if (found === undefined) return;
	throw transferErrors.create('fileExists', { message: `'${file}' exists already.` });
}

async function used<Result>(file: string, work: () => Promise<Result>): Promise<Result> {
	try {
		return await work();
	} catch (cause) {
		const code = errorCodeOf(cause) ?? 'unknown';
		throw transferErrors.create('fileNotUsable', {
			message: `The file '${file}' cannot be used (${code}).`,
			facts: { field: 'file' },
			cause,
		});
	}
}
