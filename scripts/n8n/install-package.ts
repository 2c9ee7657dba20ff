import { execFileSync } from 'node:child_process';
import {
	cpSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

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

/** Packs the checkout and unpacks the tarball. */
export function unpackInto(target: string): void {
	const packing = mkdtempSync(join(tmpdir(), 'enmeshed-pack-'));
	try {
		const pack = ['pack', '--silent', '--pack-destination', packing];
		execFileSync(...npmCommand(pack), { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
		const [tarball = ''] = readdirSync(packing);
		// GNU tar takes the drive letter of a Windows path for a host.
		execFileSync('tar', ['-xzf', tarball], { cwd: packing });
		mkdirSync(target, { recursive: true });
		cpSync(join(packing, 'package'), target, { recursive: true });
	} finally {
		rmSync(packing, { recursive: true, force: true });
	}
}
