/**
 * `node --require` hook that makes Node run the TypeScript of this checkout as CommonJS. `npm run
 * typecheck` checks the types.
 */
const { readFileSync } = require('node:fs');
const Module = require('node:module');
const { toCommonJs } = require('./to-commonjs.cjs');

Module._extensions['.ts'] = (compiled, filename) => {
	const source = readFileSync(filename, 'utf8');
	compiled._compile(toCommonJs(source, filename, { sourcemap: 'inline' }).code, filename);
};
