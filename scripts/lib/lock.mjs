/**
 * Completes package-lock.json for every platform. npm omits packages of other platforms if the
 * registry has no copy of them; `npm ci` and installations on those platforms would then fail.
 */
import { readFileSync, writeFileSync } from 'node:fs';

import { projectPath } from './paths.mjs';

const lockFile = projectPath('package-lock.json');
const libcOf = { gnu: 'glibc', gnueabihf: 'glibc', musl: 'musl', musleabihf: 'musl' };
const nameOfPart =
	/-(?<os>darwin|linux|win32|freebsd|android|openharmony)-(?<cpu>arm64|arm|x64|ia32|ppc64|s390x|riscv64|loong64)(?:-(?<abi>[a-z]+))?$/;

export async function completeLock() {
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
	return 0;
}

/** Optional dependencies of packages in the lock file that are missing in it. */
export function missingParts(packages) {
	return Object.entries(packages).flatMap(([parent, entry]) =>
		Object.entries(entry.optionalDependencies ?? {})
			.filter(([name]) => !isPlaced(packages, parent, name))
			.map(([name, version]) => ({ place: `node_modules/${name}`, name, version, parent, entry })),
	);
}

/** Looks a package up by Node's rule: beside the parent, or beside any ancestor. */
function isPlaced(packages, parent, name) {
	for (let folder = parent; ; folder = folder.slice(0, folder.lastIndexOf('/node_modules/'))) {
		if (`${folder}/node_modules/${name}` in packages) return true;
		if (!folder.includes('/node_modules/')) return `node_modules/${name}` in packages;
	}
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
