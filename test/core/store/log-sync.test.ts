import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LogSync } from '../../../core/store/sqlite/log-sync';

let folder: string;

beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'enmeshed-test-'));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

const file = (): string => join(folder, 'account.sqlite');

describe('the sync of the log', () => {
	it('says so when the disk does not confirm what must not be lost, each time', async () => {
		const log = new LogSync(file());
		const refusal = { code: 'error.gateway.store.ioFailed', kind: 'unavailable' };
		await expect(Promise.all([log.now(), log.now()])).rejects.toMatchObject(refusal);
		await expect(log.now()).rejects.toMatchObject(refusal);
		await log.close();
	});

	it('works again as soon as the disk does', async () => {
		const log = new LogSync(file());
		await expect(log.now()).rejects.toThrow();
		writeFileSync(`${file()}-wal`, '');
		await log.now();
		await log.close();
	});

	it('keeps failures of the background to itself', async () => {
		const log = new LogSync(file());
		log.soon();
		await new Promise((resolve) => setTimeout(resolve, 60));
		await log.close();
	});
});
