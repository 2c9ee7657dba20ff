import { randomBytes } from 'node:crypto';
import type { SandboxSettings } from '../settings';
import type { DeviceRow } from '../state/records';
import type { IdentityDeletions } from '../state/identity-deletions';
import type { SandboxState } from '../state/sandbox-state';
import type { Answer } from '../http/context';

const lockMs = 10 * 60_000;

interface IssuedToken {
	readonly device: DeviceRow;
	readonly expiresAt: number;
}

/** The token endpoint and the tokens it has issued (docs/protocol/backbone-api.md 4). */
export class AccessTokens {
	private readonly issued = new Map<string, IssuedToken>();

	constructor(
		private readonly state: SandboxState,
		private readonly settings: SandboxSettings,
		private readonly deletions: IdentityDeletions,
	) {}

	deviceOf(token: string): DeviceRow | undefined {
		const issued = this.issued.get(token);
		if (issued === undefined) return undefined;
		if (issued.expiresAt > this.state.now()) return issued.device;
		this.issued.delete(token);
		return undefined;
	}

	/** Tokens that are out stop working, for tests of re-authentication. */
	revokeAll(): void {
		this.issued.clear();
	}

	answer(body: Buffer): Answer {
		const form = new URLSearchParams(body.toString('utf8'));
		const { clientId, clientSecret, accessTokenLifetimeSeconds } = this.settings;
		if (form.get('client_id') !== clientId || form.get('client_secret') !== clientSecret) {
			return json(401, { error: 'invalid_client', error_description: 'Unknown client.' });
		}
		const username = form.get('username')?.trim().toLowerCase();
		const password = form.get('password');
		if (form.get('grant_type') !== 'password' || !username || !password) {
			return json(400, { error: 'unsupported_grant_type' });
		}
		const device = this.state.devicesByUsername.get(username);
		const refusal = this.judge(device, password);
		if (refusal !== undefined || device === undefined) return json(400, { error: refusal });
		device.lastLogin = this.state.timestamp();
		device.isBackupDevice = false;
		const token = randomBytes(48).toString('base64url');
		const expiresAt = this.state.now() + accessTokenLifetimeSeconds * 1_000;
		this.issued.set(token, { device, expiresAt });
		return json(200, {
			access_token: token,
			token_type: 'Bearer',
			expires_in: accessTokenLifetimeSeconds,
		});
	}

	/** Three failures lock the device, even for the right password. */
	private judge(device: DeviceRow | undefined, password: string): string | undefined {
		if (device === undefined) return 'invalid_grant';
		const now = this.state.now();
		if (device.lockedUntil !== undefined && device.lockedUntil > now) return 'access_denied';
		const identity = this.state.identities.get(device.address);
		if (identity === undefined || this.deletions.isOver(identity)) return 'invalid_grant';
		if (device.password === password) {
			device.failedLogins = 0;
			return undefined;
		}
		if (++device.failedLogins >= 3) {
			device.failedLogins = 0;
			device.lockedUntil = now + lockMs;
		}
		return 'invalid_grant';
	}
}

function json(status: number, body: object): Answer {
	return { status, raw: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
}
