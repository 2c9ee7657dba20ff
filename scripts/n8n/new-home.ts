import { cpSync, existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

import { hashOwnerPassword, n8nEnvironment } from './environment';
import { freePort } from './free-port';
import { hostFolder } from './host-folder.cjs';
import { N8nProcess } from './n8n-process';

const startTimeoutMs = 180_000;

const scratch = join(__dirname, '..', '..', '.tmp');

/**
 * Makes a home for one n8n, below the temporary folder: a copy of one whose database is ready,
 * because hundreds of migrations take most of a first start.
 */
export async function newHome(): Promise<string> {
	const home = mkdtempSync(join(tmpdir(), 'enmeshed-n8n-'));
	cpSync(await migratedHome(), home, { recursive: true });
	return home;
}

/** Home that n8n has started in once; made by the first of all tests. */
async function migratedHome(): Promise<string> {
	const { withClaim } = await import('../install/claims.mjs');
	const folder = join(scratch, 'n8n-homes', basename(hostFolder()));
	if (existsSync(folder)) return folder;
	const claimed = `${folder}.new`;
	await withClaim(claimed, 'the first start of n8n', async () => {
		if (existsSync(folder)) return;
		const home = mkdtempSync(join(claimed, 'home-'));
		const [port, brokerPort] = [await freePort(), await freePort()];
		const environment = n8nEnvironment({
			home,
			port,
			brokerPort,
			passwordHash: hashOwnerPassword(),
		});
		const n8n = new N8nProcess(['start'], environment, home);
		n8n.spawn();
		const url = `http://127.0.0.1:${port}/healthz/readiness`;
		try {
			await n8n.until(async () => (await fetch(url)).ok, 'ready', startTimeoutMs);
			await n8n.end('SIGTERM');
			renameSync(home, folder);
		} finally {
			await n8n.end('SIGTERM');
			rmSync(home, { recursive: true, force: true });
		}
	});
	return folder;
}
