/** Options with which esbuild bundles the page of the demo wallet, in the build and from a checkout. */
const pageBuildOptions = {
	entryPoints: { page: 'sandbox/wallet/page/main.tsx' },
	outdir: 'dist/wallet',
	bundle: true,
	format: 'esm',
	jsx: 'automatic',
	jsxImportSource: 'preact',
	legalComments: 'none',
	logLevel: 'warning',
	metafile: true,
	minify: true,
	platform: 'browser',
	target: ['chrome109', 'firefox115', 'safari16'],
};

module.exports = { pageBuildOptions };
