const { pageBuildOptions } = require('./wallet-page.cjs');

/** Options with which esbuild bundles the page for operators. */
const adminPageOptions = {
	...pageBuildOptions,
	entryPoints: { page: 'core/server/admin/page/main.tsx' },
	outdir: 'dist/core/admin-page',
};

/** File of the page that needs no bundling. */
const adminPageHtml = 'core/server/admin/page/index.html';

module.exports = { adminPageHtml, adminPageOptions };
