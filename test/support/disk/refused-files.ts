/*
 * To be imported before the modules under test: from then on no file can be opened, and no mode changed, while
 * there is a code.
 */
export const files: { code: string | undefined } = { code: undefined };

jest.mock('node:fs', () => {
	const fs = jest.requireActual<typeof import('node:fs')>('node:fs');
	const refuse = (): void => {
		const { code } = files;
		if (code !== undefined) throw Object.assign(new Error(code), { code });
	};
	const openSync: typeof fs.openSync = (...parameters) => {
		refuse();
		return fs.openSync(...parameters);
	};
	const chmodSync: typeof fs.chmodSync = (...parameters) => {
		refuse();
		fs.chmodSync(...parameters);
	};
	return { ...fs, openSync, chmodSync };
});
