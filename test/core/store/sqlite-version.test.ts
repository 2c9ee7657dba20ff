import { isSoundSqlite, warnOfOldSqlite } from '../../../core/store/sqlite/sqlite-version';
import { openLog } from '../../support/log-lines';

describe('the SQLite inside of Node', () => {
	it.each([
		['2.8.17', false],
		['3.49.5', false],
		['3.50.4', false],
		['3.50.7', true],
		['3.51.2', false],
		['3.51.3', true],
		['3.52.0', true],
		['3.53.4', true],
		['4.0.0', true],
	])('of version %s is sound: %s', (version, isSound) => {
		expect(isSoundSqlite(version)).toBe(isSound);
	});

	it('is sound on the Node that develops this package', () => {
		const { logger, lines } = openLog();
		warnOfOldSqlite(logger);
		expect(lines).toEqual([]);
	});

	it('is not named where Node does not tell its version', () => {
		const { logger, lines } = openLog();
		warnOfOldSqlite(logger, { node: '22.19.0' });
		expect(lines).toEqual([]);
	});

	it('is named in the log when it is not, with the versions of Node that are', () => {
		const { logger, lines } = openLog();
		warnOfOldSqlite(logger, { node: '22.19.0', sqlite: '3.50.4' });
		expect(lines).toEqual([
			'warn [enmeshed] Node 22.19.0 contains SQLite 3.50.4, which in rare cases loses committed ' +
				'data when several processes use one account at once. Update to Node 22.22.3, 24.15.0 or ' +
				'later. {"node":"22.19.0","sqlite":"3.50.4"}',
		]);
	});
});
