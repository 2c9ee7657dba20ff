import { storeErrors } from '../../../../core/store/store-errors';
import { asStoreError, isBusy, isNoDatabase } from '../../../../core/store/sqlite/sqlite-failures';

const failure = (errcode: unknown) => Object.assign(new Error('SQLite'), { errcode });

describe('a failure of SQLite', () => {
	it.each([
		['SQLITE_BUSY', 5, 'busy'],
		['SQLITE_BUSY_SNAPSHOT', 517, 'busy'],
		['SQLITE_READONLY', 8, 'notWritable'],
		['SQLITE_READONLY_DBMOVED', 1032, 'notWritable'],
		['SQLITE_IOERR', 10, 'ioFailed'],
		['SQLITE_IOERR_WRITE', 778, 'ioFailed'],
		['SQLITE_CORRUPT', 11, 'damagedFile'],
		['SQLITE_FULL', 13, 'ioFailed'],
		['SQLITE_CANTOPEN', 14, 'notWritable'],
		['SQLITE_NOTADB', 26, 'damagedFile'],
	] as const)('%s (%d) is named %s', (_name, errcode, name) => {
		const cause = failure(errcode);
		expect(asStoreError(cause)).toMatchObject({ code: storeErrors[name].code, cause });
	});

	it.each([
		['a constraint', failure(19)],
		['a code that is not a number', failure('5')],
		['an error without a code', new TypeError('mistake')],
		['nothing', undefined],
		['a text', 'text'],
	])('of another kind stays as it is: %s', (_name, error) => {
		expect(asStoreError(error)).toBe(error);
	});

	it('that has a name already keeps it', () => {
		const named = Object.assign(storeErrors.create('closed', { message: '' }), { errcode: 5 });
		expect(asStoreError(named)).toBe(named);
	});

	it.each([
		[5, true, false],
		[261, true, false],
		[6, false, false],
		[26, false, true],
		[undefined, false, false],
	])('with the code %s: busy %s, no database %s', (errcode, busy, noDatabase) => {
		expect([isBusy(failure(errcode)), isNoDatabase(failure(errcode))]).toEqual([busy, noDatabase]);
	});
});
