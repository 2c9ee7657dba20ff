import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { projectPath, projectRoot } from './paths.mjs';
import { projectNode } from './toolchain.mjs';

const forwardedSignals = ['SIGTERM', 'SIGHUP'];

/** Packages of the programs that tasks start by name. */
const packages = {
	eslint: 'eslint',
	gulp: 'gulp',
	jest: 'jest',
	knip: 'knip',
	prettier: 'prettier',
	tsc: 'typescript',
	typedoc: 'typedoc',
};

/** Starts such programs as files of Node: Windows cannot start the scripts in `.bin` by name. */
function start(command, commandArguments, options) {
	if (!Object.hasOwn(packages, command)) return spawn(command, commandArguments, options);
	const folder = projectPath('node_modules', packages[command]);
	const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
	const file = join(folder, typeof bin === 'string' ? bin : bin[command]);
	return spawn(projectNode(), [file, ...commandArguments], options);
}

/**
 * Runs a program in this terminal and resolves to its exit code. Ctrl-C reaches the child by itself
 * (same process group), so the parent only waits for its shutdown.
 */
export function runInherited(command, commandArguments, options = {}) {
	return new Promise((resolve, reject) => {
		const child = start(command, commandArguments, { stdio: 'inherit', ...options });
		const forward = (signal) => child.kill(signal);
		const wait = () => undefined;
		for (const signal of forwardedSignals) process.on(signal, forward);
		process.on('SIGINT', wait);
		const release = () => {
			for (const signal of forwardedSignals) process.off(signal, forward);
			process.off('SIGINT', wait);
		};
		child.on('error', (error) => {
			release();
			reject(error);
		});
		child.on('exit', (code, signal) => {
			release();
			resolve(code ?? (signal === 'SIGINT' ? 130 : 1));
		});
	});
}

/** Runs an unbuilt TypeScript program of this checkout. */
export function runTypeScript(file) {
	const loading = ['--enable-source-maps', '--require=./scripts/lib/typescript.cjs'];
	return (rest) =>
		runInherited(process.execPath, [...loading, file, ...rest], { cwd: projectRoot });
}

/**
 * Runs a program quietly; a failure throws the end of its output. `label` prints a sign of life
 * every half minute, for steps that take minutes.
 */
export async function runQuietly(command, commandArguments, { label, ...options } = {}) {
	const started = Date.now();
	const seconds = () => Math.round((Date.now() - started) / 1000);
	const ticker =
		label === undefined
			? undefined
			: setInterval(() => console.log(`  ${label}: still at work after ${seconds()} s`), 30_000);
	try {
		return await new Promise((resolve, reject) => {
			const child = start(command, commandArguments, {
				stdio: ['ignore', 'pipe', 'pipe'],
				...options,
			});
			let output = '';
			let stdout = '';
			child.stdout.on('data', (chunk) => {
				stdout += chunk;
				output += chunk;
			});
			child.stderr.on('data', (chunk) => (output += chunk));
			child.on('error', reject);
			child.on('close', (code) => {
				if (code === 0) return resolve(stdout);
				const shown = [command, ...commandArguments].join(' ');
				reject(new Error(`'${shown}' ended with ${code}:\n${output.slice(-4000)}`));
			});
		});
	} finally {
		clearInterval(ticker);
	}
}
