import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';

import { npmCommand } from '../lib/toolchain.mjs';

const root = join(__dirname, '..', '..');

/**
 * Installs the packed package into an n8n home with the steps of n8n's own installer: pack, unpack,
 * strip the manifest, install. A file missing in the tarball is therefore missing in tests too.
 */
export function installPackage(home: string): void {
	const target = join(home, '.n8n', 'nodes', 'node_modules', 'n8n-nodes-enmeshed');
	rmSync(target, { recursive: true, force: true });
	unpackInto(target);
	const file = join(target, 'package.json');
	const manifest = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
	for (const name of ['devDependencies', 'peerDependencies', 'optionalDependencies']) {
		delete manifest[name];
	}
	writeFileSync(file, JSON.stringify(manifest));
	const installing = ['install', '--audit=false', '--fund=false', '--bin-links=false'];
	const shallow = ['--install-strategy=shallow', '--ignore-scripts=true', '--package-lock=false'];
	execFileSync(...npmCommand([...installing, ...shallow]), { cwd: target, stdio: 'pipe' });
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
	const options = { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] } as const;
	const printed = execFileSync(...npmCommand(pack), options);
	return join(folder, printed.toString().trim());
}
