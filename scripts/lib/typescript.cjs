/**
 * `node --require` hook that lets Node run the TypeScript of this checkout as CommonJS, with the
 * same compiler that bundles it. Types are checked by `npm run typecheck`.
 */
const { readFileSync } = require('node:fs');
const Module = require('node:module');
const { transformSync } = require('esbuild');

Module._extensions['.ts'] = (compiled, filename) => {
	const { code } = transformSync(readFileSync(filename, 'utf8'), {
		format: 'cjs',
		loader: 'ts',
		platform: 'node',
		sourcefile: filename,
		sourcemap: 'inline',
		// What is loaded on first use is TypeScript as well, which Node's own imports do not know.
		supported: { 'dynamic-import': false },
		target: 'es2023',
	});
	compiled._compile(code, filename);
};
