/** Lets jest run the TypeScript of this checkout, and packages that contain ES modules only. */
const { createHash } = require('node:crypto');
const { readFileSync } = require('node:fs');
const { version } = require('esbuild');
const { mutated, toCommonJs } = require('./to-commonjs.cjs');

const ownFiles = [module.filename, require.resolve('./to-commonjs.cjs')].map((file) =>
	readFileSync(file),
);

/** CommonJS equivalent of `import.meta.url`. */
const ownUrl = {
	banner: "const ownUrl = require('node:url').pathToFileURL(__filename).href;",
	define: { 'import.meta.url': 'ownUrl' },
};

module.exports = {
	process: (source, file) => {
		const { code, map } = toCommonJs(source, file, {
			sourcemap: 'external',
			sourcesContent: false,
			...(source.includes('import.meta.url') ? ownUrl : {}),
		});
		return { code, map };
	},

	getCacheKey: (source, file) => {
		const hash = createHash('sha256');
		for (const part of [...ownFiles, version, file, mutated(source, file)])
			hash.update(part).update('\0');
		return hash.digest('hex');
	},
};
