import { createHmac, randomBytes } from 'node:crypto';
import type { DeviceRow } from '../state/records';
import type { Answer, Caller, Sandbox } from '../http/context';

const lockMs = 10 * 60_000;
const maxFailures = 3;

interface IssuedToken {
	/** kept until the token expires, even if the identity is deleted */
	readonly caller: Caller;
	readonly expiresAt: number;
	/** host name and port of the token request */
	readonly host: string | undefined;
}

/** Token endpoint with the tokens it has issued (docs/protocol/backbone-api.md 4). */
export class AccessTokens {
	private readonly issued = new Map<string, IssuedToken>();

	private readonly key = randomBytes(32);

	constructor(private readonly sandbox: Omit<Sandbox, 'operator'>) {}

	/** @param host host of the call, which must be the issuing one; undefined for any */
	callerOf(token: string, host: string | undefined): Caller | undefined {
		const issued = this.issued.get(token);
		if (issued === undefined || issued.expiresAt <= this.sandbox.state.now()) return undefined;
		return host === undefined || host === issued.host ? issued.caller : undefined;
	}

	/** Revokes all tokens, for tests of re-authentication. */
	revokeAll(): void {
		this.issued.clear();
	}

	forgetExpired(): void {
		const now = this.sandbox.state.now();
		for (const [token, { expiresAt }] of this.issued) {
			if (expiresAt <= now) this.issued.delete(token);
		}
	}

	answer(body: Buffer, host: string | undefined): Answer {
		const form = new URLSearchParams(body.toString('utf8'));
		const { clientId, clientSecret } = this.sandbox.settings;
		if (form.get('client_id') !== clientId || form.get('client_secret') !== clientSecret) {
			return refused(401, 'invalid_client', 'The client credentials are wrong.');
		}
		const username = form.get('username')?.trim().toLowerCase();
		const password = form.get('password');
		if (form.get('grant_type') !== 'password' || !username || !password) {
			return refused(400, 'unsupported_grant_type', 'Only the password grant is allowed.');
		}
		const device = this.sandbox.state.devicesByUsername.get(username);
		const refusal = this.judge(device, password);
		const identity = device && this.sandbox.state.identities.get(device.address);
		if (refusal !== undefined || device === undefined || identity === undefined) {
			return refused(400, refusal ?? 'invalid_grant', 'The login is refused.');
		}
		this.noteLogin(device);
		const lifetime = this.sandbox.settings.accessTokenLifetimeSeconds;
		return json(200, {
			access_token: this.issue({ device, identity }, lifetime, host),
			token_type: 'Bearer',
			expires_in: lifetime,
		});
	}

	/** Checks a password. Three failures lock the device, even for the correct password. */
	private judge(device: DeviceRow | undefined, password: string): string | undefined {
		if (device === undefined) return 'invalid_grant';
		const { state, deletions } = this.sandbox;
		const now = state.now();
		if (device.lockedUntil !== undefined && device.lockedUntil > now) return 'access_denied';
		const identity = state.identities.get(device.address);
		if (identity === undefined || deletions.isExpired(identity)) return 'invalid_grant';
		if (device.password === password) return undefined;
		if (++device.failedLogins >= maxFailures) {
			device.failedLogins = 0;
			device.lockedUntil = now + lockMs;
		}
		state.devices.save(device);
		return 'invalid_grant';
	}

	/** Records a login; a backup device becomes a regular device by its first login. */
	private noteLogin(device: DeviceRow): void {
		const { state, push } = this.sandbox;
		if (device.isBackupDevice) push.send(device.address, 'BackupDeviceUsed');
		device.lastLogin = state.timestamp();
		device.isBackupDevice = false;
		device.failedLogins = 0;
		state.devices.save(device);
	}

	/** Issues a signed JWT like the real server; clients treat it as opaque. */
	private issue(caller: Caller, lifetimeSeconds: number, host: string | undefined): string {
		const { device } = caller;
		const now = this.sandbox.state.now();
		const claims = {
			sub: device.id,
			name: device.username,
			nmshd_address: device.address,
			device_id: device.id,
			client_id: this.sandbox.settings.clientId,
			iss: `http://${host ?? 'localhost'}/`,
			jti: randomBytes(16).toString('hex'),
			exp: Math.floor(now / 1_000) + lifetimeSeconds,
		};
		const content = `${part({ alg: 'HS256', typ: 'at+jwt' })}.${part(claims)}`;
		const signature = createHmac('sha256', this.key).update(content).digest('base64url');
		const token = `${content}.${signature}`;
		this.issued.set(token, { caller, host, expiresAt: now + lifetimeSeconds * 1_000 });
		return token;
	}
}

function part(value: object): string {
	return Buffer.from(JSON.stringify(value)).toString('base64url');
}

function refused(status: number, error: string, description: string): Answer {
	return json(status, { error, error_description: description });
}

function json(status: number, body: object): Answer {
	return { status, raw: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
}
