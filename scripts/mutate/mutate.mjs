/**
 * `npm run mutate`: mutates the code in places drawn at random, one at a time, and names the mutations that no
 * test notices. The compilation for the tests applies a mutation (`to-commonjs.cjs`), so no file changes.
 */
import { spawn } from 'node:child_process';
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';

import { projectPath, projectRoot } from '../lib/paths.mjs';
import { suites, wordsOf } from '../tests/test-run.mjs';
import { temporaryFolder } from '../tests/temporary-folder.mjs';
import { mutationsOf } from './mutations.mjs';

const usage =
	'Usage: npm run mutate -- [<folder or file> …] [--sample <number>] [--seed <number>]\n' +
	'Without a folder, the sample is drawn from core and nodes.';

export async function mutate(rest) {
	const { positionals, values } = parseArgs({
		args: rest,
		allowPositionals: true,
		options: {
			sample: { type: 'string', default: '100' },
			seed: { type: 'string', default: String(Date.now() % 1_000_000) },
		},
	});
	const [size, seed] = [Number(values.sample), Number(values.seed)];
	const paths = positionals.length === 0 ? ['core', 'nodes'] : positionals;
	const files = paths.flatMap(sourcesAt);
	if (!(size > 0) || !Number.isInteger(seed) || files.length === 0) {
		console.error(usage);
		return 1;
	}
	const all = files.flatMap((file) => mutationsOf(file, readFileSync(file, 'utf8')));
	const sample = drawn(all, size, seed);
	console.log(`${sample.length} of ${all.length} mutations, drawn with seed ${seed}`);
	const survivors = [];
	await inLanes(sample, availableParallelism(), async (mutation) => {
		const folder = testsOf(mutation.file);
		const isNoticed = await isNoticedBy([...common, folder], mutation);
		if (!isNoticed) survivors.push(mutation);
		console.log(`${isNoticed ? 'noticed' : 'left   '}  ${described(mutation)}`);
	});
	console.log(`\n${survivors.length} are left for the unit tests and the contracts`);
	const unnoticed = [];
	for (const mutation of survivors) {
		const isNoticed =
			(await isNoticedBy([...wordsOf(suites.unit), '--bail'], mutation)) ||
			(await isNoticedBy([...wordsOf(suites.contract), '--bail'], mutation));
		if (!isNoticed) unnoticed.push(mutation);
		console.log(`${isNoticed ? 'noticed' : 'UNNOTICED'}  ${described(mutation)}`);
	}
	const percent = (100 * (1 - unnoticed.length / sample.length)).toFixed(0);
	console.log(`\n${percent} % of ${sample.length} mutations were noticed, with seed ${seed}`);
	for (const mutation of unnoticed) console.log(`  ${described(mutation)}`);
	return 0;
}

function sourcesAt(path) {
	const whole = projectPath(path);
	if (!existsSync(whole)) return [];
	const names = statSync(whole).isDirectory() ? globSync('**/*.ts', { cwd: whole }) : [''];
	return names.map((name) => join(whole, name)).sort();
}

/** Part of the list in random order (Park and Miller's generator); the same seed draws the same. */
function drawn(all, size, seed) {
	let state = (seed % 2_147_483_646) + 1;
	const random = () => (state = (state * 48_271) % 2_147_483_647);
	const places = all.map((one) => ({ one, place: random() }));
	return places
		.sort((a, b) => a.place - b.place)
		.flatMap(({ one }) => one)
		.slice(0, size);
}

async function inLanes(values, lanes, work) {
	const waiting = [...values];
	const lane = async () => {
		for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await work(next);
	};
	await Promise.all(Array.from({ length: lanes }, lane));
}

/** Folder with the tests of a source file: the nearest one of the same name. */
function testsOf(file) {
	for (let folder = dirname(file); folder !== projectRoot; folder = dirname(folder)) {
		const tests = folder.replace(projectRoot, 'test');
		if (globSync(`${tests}/**/*.test.ts`, { cwd: projectRoot }).length > 0) return `${tests}/`;
	}
	throw new Error(`There are no tests for ${file}.`);
}

const common = [...wordsOf({ workers: 1, paths: [] }), '--bail'];
const usualMs = new Map();

/** @throws Error if the tests fail without a mutation */
async function isNoticedBy(words, mutation) {
	const key = words.join(' ');
	if (!usualMs.has(key)) usualMs.set(key, msWithoutMutation(words));
	return !(await passes(words, mutation, 30_000 + 4 * (await usualMs.get(key))));
}

async function msWithoutMutation(words) {
	const started = Date.now();
	if (!(await passes(words, {}, 3_600_000))) {
		throw new Error(`The tests fail without a mutation: jest ${words.join(' ')}`);
	}
	return Date.now() - started;
}

/** Runs jest in a process group of its own, which ends with it or with the time. */
async function passes(words, { file, start, end, text }, timeoutMs) {
	const jest = projectPath('node_modules', 'jest', 'bin', 'jest.js');
	const env = {
		...process.env,
		...temporaryFolder(),
		ENMESHED_TEST_SEED: '1',
		ENMESHED_MUTATION: JSON.stringify({ file, start, end, text }),
	};
	const child = spawn(process.execPath, [jest, ...words], {
		cwd: projectRoot,
		detached: true,
		env,
		stdio: 'ignore',
	});
	const endGroup = () => process.kill(-child.pid, 'SIGKILL');
	const timer = setTimeout(endGroup, timeoutMs);
	process.once('exit', endGroup);
	const code = await new Promise((resolve) => child.once('exit', resolve));
	clearTimeout(timer);
	process.off('exit', endGroup);
	return code === 0;
}

function described({ file, line, before, text }) {
	const [from, to] = [before, text].map((part) => part.replace(/\s+/g, ' ').slice(0, 80));
	return `${file.slice(projectRoot.length + 1)}:${line}  ${from} → ${to}`;
}
