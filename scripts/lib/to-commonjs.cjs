/** Converts TypeScript, or an ES module, to CommonJS with the compiler of the build. */
const { transformSync } = require('esbuild');

/**
 * @param {string} source
 * @param {string} file path, which determines the language and appears in errors
 */
function toCommonJs(source, file, options = {}) {
	return transformSync(source, {
		format: 'cjs',
		loader: file.endsWith('.ts') ? 'ts' : 'js',
		platform: 'node',
		sourcefile: file,
		// Dynamic imports may load TypeScript too, which Node's own import cannot.
		supported: { 'dynamic-import': false },
		target: 'es2023',
		...options,
	});
}

module.exports = { toCommonJs };
