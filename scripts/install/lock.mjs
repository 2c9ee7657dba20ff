/**
 * Completes lock files for every platform. npm omits packages of other platforms if the registry has
 * no copy of them; `npm ci` and installations on those platforms would then fail.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { n8nFolders } from '../n8n/host-folder.cjs';
import { npmWithNewLists } from './npm.mjs';
import { projectPath } from '../lib/paths.mjs';

/** Younger versions are not taken: by this age most harmful versions have been found and withdrawn. */
export const minimumAgeDays = 14;

/** Settings of npm that leave out younger versions, and addresses. */
export const chosenVersions = (ageDays = minimumAgeDays) => [
	`--before=${new Date(Date.now() - ageDays * 86_400_000).toISOString()}`,
	'--omit-lockfile-registry-resolved',
	'--package-lock-only',
];

/** A package can be older than the chosen day, and what it needs younger: then an earlier day is tried. */
const triedDays = 7;

const libcOf = { gnu: 'glibc', gnueabihf: 'glibc', musl: 'musl', musleabihf: 'musl' };
const nameOfPart =
	/-(?<os>darwin|linux|win32|freebsd|android|openharmony)-(?<cpu>arm64|arm|x64|ia32|ppc64|s390x|riscv64|loong64)(?:-(?<abi>[a-z]+))?$/;

/** `npm run lock`: completes our lock file; with `--n8n` renews the one of n8n. */
export async function lock(rest) {
	if (rest.length === 0) {
		completeLock();
		return 0;
	}
	if (rest.length !== 1 || rest[0] !== '--n8n') {
		console.error(
			'Usage: npm run lock [-- --n8n]\n\n' +
				'  --n8n    resolves each n8n, as the manifests in scripts/n8n name it, anew',
		);
		return 2;
	}
	for (const folder of Object.values(n8nFolders)) await renewLock(folder);
	return 0;
}

/** Resolves a manifest without its old lock file, and says what has changed. */
async function renewLock(folder) {
	const lockFile = join(folder, 'package-lock.json');
	const before = existsSync(lockFile) ? readPackages(lockFile) : {};
	const draft = mkdtempSync(join(tmpdir(), 'enmeshed-lock-'));
	try {
		writeFileSync(join(draft, 'package.json'), readFileSync(join(folder, 'package.json')));
		console.log(`Resolving all packages of ${folder}, which takes some minutes …`);
		await resolveAll(draft);
		writeFileSync(lockFile, readFileSync(join(draft, 'package-lock.json')));
	} finally {
		rmSync(draft, { recursive: true });
	}
	completeLock(lockFile);
	for (const line of changes(before, readPackages(lockFile))) console.log(line);
}

async function resolveAll(folder) {
	for (let days = minimumAgeDays; ; days++) {
		const words = ['install', ...chosenVersions(days)];
		try {
			await npmWithNewLists(words, { cwd: folder, label: 'npm install' });
			return;
		} catch (error) {
			const isRefused = error.message.includes('code ETARGET');
			if (!isRefused || days === minimumAgeDays + triedDays) throw error;
			console.log(`Not all is there that is ${days} days old; trying ${days + 1} days …`);
		}
	}
}

export function completeLock(lockFile = projectPath('package-lock.json')) {
	const lock = JSON.parse(readFileSync(lockFile, 'utf8'));
	const missing = missingParts(lock.packages);
	for (const part of missing) lock.packages[part.place] = entryOf(part);
	if (missing.length > 0) {
		lock.packages = Object.fromEntries(
			Object.entries(lock.packages).toSorted(([a], [b]) => a.localeCompare(b, 'en')),
		);
		writeFileSync(lockFile, `${JSON.stringify(lock, undefined, '\t')}\n`);
	}
	console.log(`package-lock.json: ${missing.length} parts of other platforms added.`);
}

const readPackages = (lockFile) => JSON.parse(readFileSync(lockFile, 'utf8')).packages;

/** A line for each package that came, went, or has another version. */
export function changes(before, after) {
	const places = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
	const lines = places
		.map((place) => [place, before[place]?.version, after[place]?.version])
		.filter(([place, old, current]) => place !== '' && old !== current)
		.map(([place, old, current]) => `  ${place}: ${old ?? 'new'} -> ${current ?? 'gone'}`);
	return [`${lines.length} packages changed, ${Object.keys(after).length - 1} in all.`, ...lines];
}

/** Optional dependencies of packages in the lock file that are missing in it. */
export function missingParts(packages) {
	return Object.entries(packages).flatMap(([parent, entry]) =>
		Object.entries(entry.optionalDependencies ?? {})
			.filter(([name]) => placeOf(packages, parent, name) === undefined)
			.map(([name, version]) => ({ place: `node_modules/${name}`, name, version, parent, entry })),
	);
}

/** Looks a package up by Node's rule: beside the parent, or beside any ancestor. */
function placeOf(packages, parent, name) {
	for (let folder = parent; ; folder = folder.slice(0, folder.lastIndexOf('/node_modules/'))) {
		const place = folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`;
		if (place in packages) return place;
		if (!folder.includes('/node_modules/')) {
			return `node_modules/${name}` in packages ? `node_modules/${name}` : undefined;
		}
	}
}

/**
 * The part of a lock file that one of its packages needs, as manifest and lock file of their own.
 *
 * @param text the lock file
 */
export function partOfLock(text, name) {
	const { packages, ...lock } = JSON.parse(text);
	const chosen = new Map();
	const add = (place) => {
		if (place === undefined || chosen.has(place)) return;
		const entry = packages[place];
		chosen.set(place, entry);
		for (const needed of Object.keys({ ...entry.dependencies, ...entry.optionalDependencies })) {
			add(placeOf(packages, place, needed));
		}
	};
	add(`node_modules/${name}`);
	const { version } = packages[`node_modules/${name}`];
	const manifest = { name: `${name}-alone`, private: true, dependencies: { [name]: version } };
	const entries = Object.fromEntries([...chosen].sort(([a], [b]) => (a < b ? -1 : 1)));
	return {
		version,
		manifest: JSON.stringify(manifest),
		lock: JSON.stringify({ ...lock, name: manifest.name, packages: { '': manifest, ...entries } }),
	};
}

function entryOf({ name, version, entry }) {
	const { os, cpu, abi } = nameOfPart.exec(name)?.groups ?? {};
	if (os === undefined || !/^\d+\.\d+\.\d+$/.test(version)) {
		throw new Error(`'${name}@${version}' is missing, and its name does not contain its platform.`);
	}
	const libc = libcOf[abi];
	return {
		version,
		cpu: [cpu],
		...(entry.dev === true ? { dev: true } : {}),
		...(os === 'linux' && libc !== undefined ? { libc: [libc] } : {}),
		optional: true,
		os: [os],
	};
}
