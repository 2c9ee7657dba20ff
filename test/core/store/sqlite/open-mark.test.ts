import {
	chmodSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	rmSync,
	statSync,
	writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { systemRandom, type Random } from '../../../../core/base/random';
import { onlyLiving, OpenMark, removeLeftMarks } from '../../../../core/store/sqlite/open-mark';
import { temporaryFolder } from '../../../support/store';

const longestAttempts = 20;

describe('the mark of an open store', () => {
	let folder: string;
	let file: string;
	const opened: OpenMark[] = [];
	const others: DatabaseSync[] = [];

	beforeEach(() => {
		folder = temporaryFolder();
		file = join(folder, 'a.sqlite');
	});

	afterEach(() => {
		jest.restoreAllMocks();
		for (const mark of opened.splice(0)) mark.close();
		for (const database of others.splice(0)) database.close();
		rmSync(folder, { recursive: true, force: true });
	});

	function make(...tokens: string[]): OpenMark {
		const random: Random = { ...systemRandom, text: () => tokens.shift() ?? 'last' };
		const mark = OpenMark.make(file, random);
		opened.push(mark);
		return mark;
	}

	const pathOf = (token: string): string => `${file}-open-${token}`;
	const tokens = (): string[] =>
		readdirSync(folder).map((name) => name.replace('a.sqlite-open-', ''));

	/** Locks a mark as another process does. */
	function lockElsewhere(token: string): void {
		const database = new DatabaseSync(pathOf(token));
		others.push(database);
		database.exec('pragma journal_mode = memory; begin exclusive');
	}

	/** Lets each attempt to lock a mark fail, after `before` has run. */
	function failLocking(error: Error, before: (times: number) => void = () => undefined): void {
		let times = 0;
		jest.spyOn(DatabaseSync.prototype, 'exec').mockImplementation(() => {
			before(++times);
			throw error;
		});
	}

	const failure = (errcode: number): Error => Object.assign(new Error('failed'), { errcode });

	it('takes another token where a file has that name', () => {
		writeFileSync(pathOf('a'), 'notes');
		expect(make('a', 'b').token).toBe('b');
		expect(readFileSync(pathOf('a'), 'utf8')).toBe('notes');
	});

	it('gives up after some attempts', () => {
		writeFileSync(pathOf('a'), 'notes');
		const taken = (count: number): string[] => Array.from({ length: count }, () => 'a');
		expect(make(...taken(longestAttempts - 1), 'b').token).toBe('b');
		expect(() => make(...taken(longestAttempts), 'c')).toThrow(
			expect.objectContaining({ code: 'error.gateway.store.notWritable' }),
		);
	});

	it('says so where no file can be made', () => {
		file = join(folder, 'a'.repeat(250));
		expect(() => make()).toThrow(
			expect.objectContaining({
				code: 'error.gateway.store.notWritable',
				cause: expect.objectContaining({ code: 'ENAMETOOLONG' }) as Error,
			}),
		);
	});

	it('says so where it cannot be locked', () => {
		const closed = jest.spyOn(DatabaseSync.prototype, 'close');
		failLocking(failure(10));
		expect(() => make('a')).toThrow(
			expect.objectContaining({ code: 'error.gateway.store.ioFailed' }),
		);
		expect(closed).toHaveBeenCalledTimes(1);
	});

	it('is made again where another process has it locked, or took it away', () => {
		const closed = jest.spyOn(DatabaseSync.prototype, 'close');
		const exec = DatabaseSync.prototype.exec;
		const failures = [failure(5), failure(10), undefined];
		jest.spyOn(DatabaseSync.prototype, 'exec').mockImplementation(function (
			this: DatabaseSync,
			sql,
		) {
			const left = failures.length;
			const error = failures.shift();
			if (left === 2) rmSync(pathOf('b'));
			if (error !== undefined) throw error;
			exec.call(this, sql);
			if (left === 1) rmSync(pathOf('c'));
		});
		expect(make('a', 'b', 'c', 'd').token).toBe('d');
		expect(closed).toHaveBeenCalledTimes(3);
		expect(tokens()).toEqual(['d']);
	});

	it('is for the owner only, also where the database makes its file again', () => {
		const exec = DatabaseSync.prototype.exec;
		jest.spyOn(DatabaseSync.prototype, 'exec').mockImplementation(function (
			this: DatabaseSync,
			sql,
		) {
			chmodSync(pathOf('a'), 0o644);
			exec.call(this, sql);
		});
		const { token } = make('a');
		expect(statSync(pathOf(token)).mode & 0o777).toBe(0o600);
	});

	it('tells whether others are there, and leaves no file open', () => {
		const mark = make('a');
		lockElsewhere('b');
		writeFileSync(pathOf('c'), '');
		const closed = jest.spyOn(DatabaseSync.prototype, 'close');
		expect(['a', 'b', 'c', 'd'].map((token) => mark.isGone(token))).toEqual([
			false,
			false,
			true,
			true,
		]);
		expect(closed).toHaveBeenCalledTimes(2);
		expect(tokens().sort()).toEqual(['a', 'b', 'c']);
		mkdirSync(pathOf('folder'));
		expect(mark.isGone('folder')).toBe(false);
	});

	it('is removed with the store', () => {
		const mark = make('a');
		const closed = jest.spyOn(DatabaseSync.prototype, 'close');
		mark.close();
		opened.splice(0);
		expect(tokens()).toEqual([]);
		expect(closed).toHaveBeenCalledTimes(1);
	});

	it('that a killed process has left is removed, and only such a mark', () => {
		make('living');
		lockElsewhere('elsewhere');
		writeFileSync(pathOf('left'), '');
		writeFileSync(pathOf('notes'), 'notes');
		writeFileSync(join(folder, 'b.sqlite-open-left'), '');
		const closed = jest.spyOn(DatabaseSync.prototype, 'close');
		removeLeftMarks(file);
		// Those that are empty were opened.
		expect(closed).toHaveBeenCalledTimes(3);
		expect(tokens().sort()).toEqual(['b.sqlite-open-left', 'elsewhere', 'living', 'notes']);
		writeFileSync(pathOf('left'), '');
		make('next');
		expect(tokens()).not.toContain('left');
	});

	it('of an account that is open alone knows no other', () => {
		expect(['alone', 'other'].map((token) => onlyLiving.isGone(token))).toEqual([false, true]);
	});
});
