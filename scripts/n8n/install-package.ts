import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
	cpSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	renameSync,
	rmSync,
	statSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';

import { npmCommand } from '../lib/toolchain.mjs';

const root = join(__dirname, '..', '..');

/**
 * Installs the packed package into an n8n home.
 *
 * @param folder of the data folder; by default the one of community packages
 */
export function installPackage(home: string, folder = 'nodes'): void {
	const target = join(home, '.n8n', folder, 'node_modules', 'n8n-nodes-enmeshed');
	rmSync(target, { recursive: true, force: true });
	mkdirSync(dirname(target), { recursive: true });
	cpSync(installedPackage(), target, { recursive: true });
}

/**
 * The package as n8n's own installer leaves it: packed, unpacked, its manifest stripped, installed.
 * A file missing in the tarball is therefore missing in tests too. Done once for each build.
 */
function installedPackage(): string {
	const folders = join(root, '.tmp', 'installed-package');
	const folder = join(folders, hashOfBuild());
	if (existsSync(folder)) return folder;
	// Earlier builds are of no use any more; another process may be at work on the same one.
	for (const name of existsSync(folders) ? readdirSync(folders) : []) {
		if (!name.startsWith('draft-')) rmSync(join(folders, name), { recursive: true, force: true });
	}
	mkdirSync(folders, { recursive: true });
	const draft = mkdtempSync(join(folders, 'draft-'));
	unpackInto(draft);
	const file = join(draft, 'package.json');
	const manifest = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
	for (const name of ['devDependencies', 'peerDependencies', 'optionalDependencies']) {
		delete manifest[name];
	}
	writeFileSync(file, JSON.stringify(manifest));
	const installing = ['install', '--audit=false', '--fund=false', '--bin-links=false'];
	const shallow = ['--install-strategy=shallow', '--ignore-scripts=true', '--package-lock=false'];
	execFileSync(...npmCommand([...installing, ...shallow]), { cwd: draft, stdio: 'pipe' });
	try {
		renameSync(draft, folder);
	} catch (error) {
		rmSync(draft, { recursive: true, force: true });
		if (!existsSync(folder)) throw error;
	}
	return folder;
}

/** Changes with every build, and with every other file that is packed. */
function hashOfBuild(): string {
	const hash = createHash('sha256');
	const packed = ['package.json', 'README.md', 'LICENSE', 'CHANGELOG.md'];
	const built = readdirSync(join(root, 'dist'), { recursive: true }).map((name) =>
		join('dist', String(name)),
	);
	for (const name of [...packed, ...built.sort()]) {
		const { size, mtimeMs } = statSync(join(root, name));
		hash.update(`${name} ${size} ${mtimeMs}\n`);
	}
	return hash.digest('hex').slice(0, 16);
}

/** Unpacks the tarball, by default of the checkout. */
export function unpackInto(target: string, tarball?: string): void {
	const unpacking = mkdtempSync(join(tmpdir(), 'enmeshed-pack-'));
	try {
		const file = tarball ?? packInto(unpacking);
		// Relative, because GNU tar takes the drive letter of a Windows path for a host.
		execFileSync('tar', ['-xzf', relative(unpacking, file)], { cwd: unpacking });
		mkdirSync(target, { recursive: true });
		cpSync(join(unpacking, 'package'), target, { recursive: true });
	} finally {
		rmSync(unpacking, { recursive: true, force: true });
	}
}

/**
 * Packs the checkout as it is built: callers have built, so `prepack` does not run.
 *
 * @returns the tarball
 */
export function packInto(folder: string): string {
	const pack = ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder];
	const [command, words] = npmCommand(pack);
	const printed = execFileSync(command, words, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
	return join(folder, printed.toString().trim());
}
