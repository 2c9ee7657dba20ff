/**
 * `npm run mutate`: mutates the code in places drawn at random, one at a time, and names the mutations that no
 * test notices. The compilation for the tests applies a mutation (`to-commonjs.cjs`), so no file changes.
 */
import { spawn } from 'node:child_process';
import {
	existsSync,
	globSync,
	mkdirSync,
	readFileSync,
	rmSync,
	statSync,
	writeFileSync,
} from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';

import { projectPath, projectRoot, scratchPath } from '../lib/paths.mjs';
import { suites, wordsOf } from '../tests/test-run.mjs';
import { temporaryFolder } from '../tests/temporary-folder.mjs';
import { mutationsOf } from './mutations.mjs';

const usage =
	'Usage: npm run mutate -- [<folder or file> …] [--sample <number>] [--seed <number>] [--suites <names>]\n' +
	'Without a folder, the sample is drawn from core and nodes. Suites: unit,contract; scenario can follow.';

export async function mutate(rest) {
	const { positionals, values } = parseArgs({
		args: rest,
		allowPositionals: true,
		options: {
			sample: { type: 'string', default: '100' },
			suites: { type: 'string', default: 'unit,contract' },
			seed: { type: 'string', default: String(Date.now() % 1_000_000) },
		},
	});
	const [size, seed] = [Number(values.sample), Number(values.seed)];
	const paths = positionals.length === 0 ? ['core', 'nodes'] : positionals;
	const files = paths.flatMap(sourcesAt);
	const judging = values.suites.split(',');
	const isKnown = judging.every((name) => Object.hasOwn(suites, name));
	if (!isKnown || !(size > 0) || !Number.isInteger(seed) || files.length === 0) {
		console.error(usage);
		return 1;
	}
	const all = files.flatMap((file) => mutationsOf(file, readFileSync(file, 'utf8')));
	const sample = drawn(all, size, seed);
	console.log(`${sample.length} of ${all.length} mutations, drawn with seed ${seed}`);
	const judges = await judgesOf(sample, judging);
	const unnoticed = [];
	await inLanes([...judges], availableParallelism(), async ([mutation, tests]) => {
		const isNoticed = tests.length > 0 && (await isNoticedBy(tests, mutation));
		if (!isNoticed) unnoticed.push(mutation);
		const counted = `${tests.length} test files`.padStart(14);
		console.log(`${isNoticed ? 'noticed  ' : 'UNNOTICED'} ${counted}  ${described(mutation)}`);
	});
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

/**
 * Test files of the named suites that compute the place of each mutation; the first
 * ones are from its own folder. One run without mutations finds them: the places note which test passes by.
 * @throws Error if tests fail without a mutation
 */
async function judgesOf(sample, judging) {
	const notes = scratchPath('mutate', 'reached.txt');
	rmSync(notes, { force: true });
	mkdirSync(dirname(notes), { recursive: true });
	writeFileSync(notes, '');
	const changes = {};
	const note = JSON.stringify(projectPath('scripts', 'mutate', 'reached.cjs'));
	for (const [number, { file, expression }] of sample.entries()) {
		const [start, end] = expression;
		changes[file] ??= [];
		changes[file].push([start, start, `(require(${note})(${number}), `], [end, end, ')']);
	}
	for (const name of judging) {
		const words = wordsOf(suites[name]);
		if (!(await passes(words, changes, 3_600_000, { ENMESHED_MUTATION_REACHED: notes }))) {
			throw new Error(`The tests fail without a mutation: jest ${words.join(' ')}`);
		}
	}
	const reached = sample.map(() => new Set());
	for (const line of readFileSync(notes, 'utf8').split('\n').slice(0, -1)) {
		const [number, test] = line.split('\t');
		reached[Number(number)].add(test);
	}
	return new Map(
		sample.map((mutation, number) => {
			const tests = [...reached[number]].filter((test) => test !== '').sort();
			const own = `${testsOf(mutation.file)}/`;
			const [first, others] = [true, false].map((isOwn) =>
				tests.filter((test) => test.startsWith(own) === isOwn),
			);
			return [mutation, [...first, ...others]];
		}),
	);
}

/** Folder with the tests of a source file: the nearest one of the same name. */
function testsOf(file) {
	for (let folder = dirname(file); folder !== projectRoot; folder = dirname(folder)) {
		const tests = folder.replace(projectRoot, projectPath('test'));
		if (existsSync(tests)) return tests;
	}
	throw new Error(`There are no tests for ${file}.`);
}

/** Test files in one process of jest: a few at first, because most mutations are noticed by these. */
const portions = [6, 30, Infinity];

async function isNoticedBy(tests, { file, start, end, text }) {
	const waiting = [...tests];
	for (const portion of portions) {
		const files = waiting.splice(0, portion);
		if (files.length === 0) return false;
		const words = [...wordsOf({ workers: 1, paths: [] }), '--bail', '--runTestsByPath', ...files];
		const timeoutMs = 120_000 + 30_000 * files.length;
		if (!(await passes(words, { [file]: [[start, end, text]] }, timeoutMs))) return true;
	}
	return false;
}

/** Runs jest in a process group of its own, which ends with it or with the time. */
async function passes(words, changes, timeoutMs, variables) {
	const jest = projectPath('node_modules', 'jest', 'bin', 'jest.js');
	const env = {
		...process.env,
		...temporaryFolder(),
		...variables,
		ENMESHED_TEST_SEED: '1',
		ENMESHED_MUTATION: JSON.stringify(changes),
	};
	const child = spawn(process.execPath, [jest, ...words], {
		cwd: projectRoot,
		detached: true,
		env,
		// Only the run without mutations has failures that a person wants to see.
		stdio: ['ignore', 'ignore', variables === undefined ? 'ignore' : 'inherit'],
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
