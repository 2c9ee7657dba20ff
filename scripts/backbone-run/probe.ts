import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { probeCredential } from '../../core';
import { HttpBackbone } from '../../core/backbone/http/http-backbone';
import type { Target } from './options';

/** Logs in and returns the major version of the Backbone. */
export async function probeBackbone({ url, clientId, clientSecret }: Target): Promise<number> {
	const client = { baseUrl: url, clientId, clientSecret };
	const folder = mkdtempSync(join(tmpdir(), 'backbone-run-'));
	const backbone = HttpBackbone.open(client);
	try {
		const store = { kind: 'sqlite', folder } as const;
		const { ok, message } = await probeCredential({ backbone: client, store });
		if (!ok) throw new Error(message);
		return (await backbone.version.get()).majorVersion;
	} finally {
		await backbone.close();
		rmSync(folder, { recursive: true, force: true });
	}
}
