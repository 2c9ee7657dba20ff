/**
 * Bundles the viewer of the OpenAPI document, which browsers load from the HTTP gateway, from its
 * sources: the file that it publishes contains libraries of older versions, without their names.
 */
const path = require('node:path');
const zlib = require('node:zlib');
const esbuild = require('esbuild');

const root = path.join(__dirname, '..', '..');
const sources = path.join(path.dirname(require.resolve('rapidoc/package.json')), 'src');

const rapidocSources = {
	name: 'rapidoc-sources',
	setup(build) {
		build.onResolve({ filter: /^~\// }, ({ path: imported, kind }) =>
			build.resolve(imported.replace('~', '.'), { resolveDir: sources, kind }),
		);
		build.onResolve({ filter: /^@apitools\/openapi-parser$/ }, () => ({
			path: path.join(__dirname, 'viewed-document.cjs'),
		}));
	},
};

/**
 * Bundles without RapiDoc's logins with a password and OAuth, which need a `Buffer`: the document
 * offers API keys and bearer tokens.
 *
 * @returns the script, packed with gzip, and esbuild's description of what is inside
 */
exports.buildViewer = async () => {
	const { metafile, outputFiles } = await esbuild.build({
		absWorkingDir: root,
		entryPoints: { 'rapidoc-min': path.join(sources, 'rapidoc.js') },
		outdir: 'dist',
		bundle: true,
		format: 'esm',
		legalComments: 'none',
		logLevel: 'warning',
		metafile: true,
		minify: true,
		platform: 'browser',
		plugins: [rapidocSources],
		target: ['chrome109', 'firefox115', 'safari16'],
		write: false,
	});
	const [{ contents }] = outputFiles;
	return { script: zlib.gzipSync(contents, { level: 9 }), metafile };
};
