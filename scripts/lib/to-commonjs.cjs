/** Converts TypeScript, or an ES module, to CommonJS with the compiler of the build. */
const { transformSync } = require('esbuild');

/** Change of one source file, by which `npm run mutate` looks whether a test notices it. */
const mutation = JSON.parse(process.env.ENMESHED_MUTATION ?? '{}');

/** The source with the mutation, if this process has one for the file. */
function mutated(source, file) {
	if (file !== mutation.file) return source;
	return source.slice(0, mutation.start) + mutation.text + source.slice(mutation.end);
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
