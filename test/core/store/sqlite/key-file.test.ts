import { disk } from '../../../support/disk/disk';
import { chmodSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { systemRandom } from '../../../../core/base/random';
import { KeyFile } from '../../../../core/store/sqlite/key-file';
import { temporaryFolder } from '../../../support/store';

describe('the key file of an account', () => {
	let folder: string;
	let path: string;
	let file: KeyFile;

	beforeEach(() => {
		folder = temporaryFolder();
		path = join(folder, 'account.key');
		file = new KeyFile(path, systemRandom);
		disk.reset();
	});

	afterEach(() => rmSync(folder, { recursive: true, force: true }));

	it('is on the disk when the key is used, with its name in the folder, for the owner only', () => {
		file.readOrCreate();
		expect([disk.awaitedSyncs, disk.openHandles]).toEqual([2, 0]);
		expect(readdirSync(folder)).toEqual(['account.key']);
		const { size, mode } = statSync(path);
		expect([size, mode & 0o777]).toEqual([32, 0o600]);
	});

	it('is created once', () => {
		file.readOrCreate();
		const content = readFileSync(path);
		disk.reset();
		file.readOrCreate();
		expect(readFileSync(path)).toEqual(content);
		expect(disk.awaitedSyncs).toBe(0);
	});

	it('is not created where it is only read', () => {
		expect(() => file.read()).toThrow(
			expect.objectContaining({ code: 'error.gateway.store.keyFileMissing' }),
		);
		expect(readdirSync(folder)).toEqual([]);
	});

	it('is hidden from other users again', () => {
		file.readOrCreate();
		chmodSync(path, 0o644);
		file.read();
		expect(statSync(path).mode & 0o777).toBe(0o600);
	});

	it('of another length is refused, and left as it is', () => {
		writeFileSync(path, 'short');
		for (const read of [() => file.read(), () => file.readOrCreate()]) {
			expect(read).toThrow(
				expect.objectContaining({
					code: 'error.gateway.store.wrongKeyFile',
					message: expect.stringContaining('5 bytes') as string,
					cause: expect.any(Error) as Error,
				}),
			);
		}
		expect(readFileSync(path, 'utf8')).toBe('short');
	});
});
