import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { probeCredential } from '../../core';
import { HttpBackbone } from '../../core/backbone/http/http-backbone';
import type { Target } from './options';

export interface ProbedBackbone {
	readonly majorVersion: number;
	/** whether it has the older version of the interface, too */
	readonly servesV1: boolean;
}

/** Logs in and looks which versions the Backbone has. */
export async function probeBackbone({
	url,
	clientId,
	clientSecret,
}: Target): Promise<ProbedBackbone> {
	const client = { baseUrl: url, clientId, clientSecret };
	const folder = mkdtempSync(join(tmpdir(), 'backbone-run-'));
	const backbone = HttpBackbone.open(client);
	try {
		const store = { kind: 'sqlite', folder } as const;
		const { ok, message } = await probeCredential({ backbone: client, store });
		if (!ok) throw new Error(message);
		const { majorVersion } = await backbone.version.get();
		const older = await fetch(`${url}/api/v1/Version`, { redirect: 'manual' });
		return { majorVersion, servesV1: older.ok };
	} finally {
		await backbone.close();
		rmSync(folder, { recursive: true, force: true });
	}
}
