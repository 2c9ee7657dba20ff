/** Converts TypeScript, or an ES module, to CommonJS with the compiler of the build. */
const { transformSync } = require('esbuild');

/** Changes of source files by path, `[start, end, text]` each, by which `npm run mutate` judges the tests. */
const changes = JSON.parse(process.env.ENMESHED_MUTATION ?? '{}');

/** The source with the changes that this process has for the file. */
function mutated(source, file) {
	return (changes[file] ?? [])
		.toSorted(([a], [b]) => b - a)
		.reduce((text, [start, end, other]) => text.slice(0, start) + other + text.slice(end), source);
}

/**
 * @param {string} source
 * @param {string} file path, which determines the language and appears in errors
 */
function toCommonJs(source, file, options = {}) {
	return transformSync(mutated(source, file), {
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

module.exports = { mutated, toCommonJs };
