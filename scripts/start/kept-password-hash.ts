import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { hashOwnerPassword } from '../n8n/environment';

/** The hash of the owner's password, the same at every start: another one would end the sessions. */
export function keptPasswordHash(folder: string): string {
	const file = join(folder, 'owner-password-hash');
	if (existsSync(file)) return readFileSync(file, 'utf8');
	const hash = hashOwnerPassword();
	writeFileSync(file, hash, { mode: 0o600 });
	return hash;
}
