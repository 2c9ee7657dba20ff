/* To be imported before the modules under test: from then on the disk can be made to refuse a sync. */
export const disk = { refuses: false };

jest.mock('node:fs', () => {
	const fs = jest.requireActual<typeof import('node:fs')>('node:fs');
	const fdatasync = (handle: number, done: (error: Error | null) => void): void => {
		if (disk.refuses) done(Object.assign(new Error('EIO: i/o error'), { code: 'EIO' }));
		else fs.fdatasync(handle, done);
	};
	return { ...fs, fdatasync };
});
