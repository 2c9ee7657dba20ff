import { files } from '../../../support/disk/refused-files';
import { asFileLimit, namingFileLimit } from '../../../../core/store/sqlite/file-limit';

const failure = (parts: object) => Object.assign(new Error('failure'), parts);
const tooMany = { code: 'error.gateway.store.tooManyOpenFiles' };

/** Reported by SQLite without a reason when it cannot open a file. */
const cannotOpen = failure({ errcode: 14 });
const cannotOpenExtended = failure({ errcode: 270 });

describe('a failure to open a file', () => {
	afterEach(() => {
		files.code = undefined;
	});

	it.each([
		['of this process', failure({ code: 'EMFILE' })],
		['of the machine', failure({ code: 'ENFILE' })],
		['as the cause of another failure', failure({ cause: failure({ code: 'EMFILE' }) })],
	])('is named after the limit %s', async (_name, error) => {
		expect(asFileLimit(error)).toMatchObject({ ...tooMany, cause: error });
		await expect(namingFileLimit(() => Promise.reject(error))).rejects.toMatchObject(tooMany);
	});

	it.each(['EMFILE', 'ENFILE'])('of SQLite is named when no file can be opened: %s', (code) => {
		files.code = code;
		expect(asFileLimit(cannotOpen)).toMatchObject(tooMany);
		expect(asFileLimit(cannotOpenExtended)).toMatchObject(tooMany);
		expect(asFileLimit(failure({ errcode: 5 }))).toBeUndefined();
		expect(asFileLimit(failure({ errcode: '14' }))).toBeUndefined();
	});

	it.each([undefined, 'EACCES'])('of SQLite keeps its name when other files open: %s', (code) => {
		files.code = code;
		expect(asFileLimit(cannotOpen)).toBeUndefined();
	});

	it.each([
		['a missing file', failure({ code: 'ENOENT' })],
		['nothing', undefined],
	])('keeps its name otherwise: %s', async (_name, error) => {
		expect(asFileLimit(error)).toBeUndefined();
		await expect(namingFileLimit(() => Promise.reject(error as Error))).rejects.toBe(error);
	});
});
