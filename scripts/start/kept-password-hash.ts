import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { hashOwnerPassword } from '../n8n/environment';

/** Hash of the owner's password, stored because a new one at each start would end the sessions. */
export function keptPasswordHash(folder: string): string {
	const file = join(folder, 'owner-password-hash');
	if (existsSync(file)) return readFileSync(file, 'utf8');
	const hash = hashOwnerPassword();
	writeFileSync(file, hash, { mode: 0o600 });
	return hash;
}
