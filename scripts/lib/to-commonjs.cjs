/** Turns TypeScript, or an ES module, into CommonJS with the compiler that also makes the build. */
const { transformSync } = require('esbuild');

/**
 * @param {string} source
 * @param {string} file its path, by which the kind is known and errors are shown
 */
function toCommonJs(source, file, options = {}) {
	return transformSync(source, {
		format: 'cjs',
		loader: file.endsWith('.ts') ? 'ts' : 'js',
		platform: 'node',
		sourcefile: file,
		// What is loaded on first use is TypeScript as well, which Node's own imports do not know.
		supported: { 'dynamic-import': false },
		target: 'es2023',
		...options,
	});
}

module.exports = { toCommonJs };
