import { copyFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { FileIdentity } from '../../../../core/store/sqlite/file-identity';
import { temporaryFolder } from '../../../support/store';

const replaced = expect.objectContaining({
	code: 'error.gateway.store.databaseReplaced',
}) as Error;

describe('the files of an open database', () => {
	let folder: string;
	let file: string;
	let log: string;

	beforeEach(() => {
		folder = temporaryFolder();
		file = join(folder, 'default.sqlite');
		log = `${file}-wal`;
		writeFileSync(file, 'database');
	});

	afterEach(() => {
		jest.useRealTimers();
		rmSync(folder, { recursive: true, force: true });
	});

	function replace(path: string): void {
		copyFileSync(path, `${path}.copy`);
		renameSync(`${path}.copy`, path);
	}

	it.each([
		['was deleted', (path: string) => rmSync(path), 'was deleted or moved away'],
		[
			'was moved away',
			(path: string) => renameSync(path, `${path}.old`),
			'was deleted or moved away',
		],
		['was replaced', replace, 'was replaced by another one'],
	])('are refused by their name when one of them %s', (_name, vanish, what) => {
		writeFileSync(log, 'log');
		for (const [path, name] of [
			[file, 'database file'],
			[log, 'write-ahead log'],
		] as const) {
			const identity = new FileIdentity(file, log);
			identity.requireSame();
			vanish(path);
			expect(() => identity.requireSame()).toThrow(
				expect.objectContaining({
					code: 'error.gateway.store.databaseReplaced',
					message: `The ${name} '${path}' ${what} while the account was open.`,
				}),
			);
			writeFileSync(path, 'again');
		}
	});

	it('may get their log later, which is kept in mind from then on', () => {
		const identity = new FileIdentity(file, log);
		identity.requireSame();
		writeFileSync(log, 'log');
		identity.requireSame();
		identity.requireSame();
		replace(log);
		expect(() => identity.requireSame()).toThrow(replaced);
	});

	it('are left to SQLite when the path cannot be queried', () => {
		const identity = new FileIdentity(file);
		rmSync(file);
		symlinkSync(file, file);
		identity.requireSame();
	});

	it('are looked at by reads once a second, and by each read while they are gone', () => {
		jest.useFakeTimers();
		const identity = new FileIdentity(file);
		const vanish = () => renameSync(file, `${file}.old`);
		const putBack = () => renameSync(`${file}.old`, file);
		vanish();
		expect(() => identity.requireSameForRead()).toThrow(replaced);
		expect(() => identity.requireSameForRead()).toThrow(replaced);
		putBack();
		identity.requireSameForRead();
		vanish();
		jest.advanceTimersByTime(999);
		identity.requireSameForRead();
		jest.advanceTimersByTime(1);
		expect(() => identity.requireSameForRead()).toThrow(replaced);
		expect(() => identity.requireSameForRead()).toThrow(replaced);
	});
});
