import { isSettings, type Settings } from './config-sources';
import { isSwitchedOn } from './jwt-bearer-config';

const secretName = /secret|password|passphrase|token|apiKey|authorization/i;
/** Settings of which every member may be a secret. */
const secretMaps = new Set(['platformAdditionalHeaders']);
const switchedOn = 'redacted, but enabled';

/**
 * Configuration without secrets, for an operator to share (docs/protocol/http-api.md 8.14,
 * docs/protocol/connector-7.md 5).
 */
export function redactedSettings(settings: Settings): Settings {
	return redactMembers(settings, []);
}

function redactMembers(settings: Settings, path: readonly string[]): Settings {
	return Object.fromEntries(
		Object.entries(settings).map(([name, value]) => [name, redact(value, [...path, name])]),
	);
}

function redact(value: unknown, path: readonly string[]): unknown {
	const name = path.at(-1) ?? '';
	if (/^infrastructure\.httpServer\.(apiKey|oidc|jwtBearer)$/.test(path.join('.'))) {
		return switchedOn;
	}
	if (/^infrastructure\.httpServer\.authentication\.\w+$/.test(path.join('.'))) {
		return isMethodOn(name, value) ? 'redacted (enabled)' : 'redacted (disabled)';
	}
	// Header names are arbitrary and many headers carry keys, so all values are hidden.
	if (path.at(-2) === 'headers') return '***';
	if (Array.isArray(value)) return value.map((entry) => redact(entry, path));
	if (isSettings(value)) return redactMembers(value, path);
	if (typeof value === 'boolean') return value;
	if (path.slice(0, -1).some((above) => secretMaps.has(above))) return '***';
	if (secretName.test(name) || name === 'connectionString') return '***';
	return typeof value === 'string' ? withoutSecrets(value, path) : value;
}

/** Tells whether a method of authentication is used; API keys are by default if there are any. */
function isMethodOn(name: string, method: unknown): boolean {
	if (name !== 'apiKey' || !isSettings(method) || method.enabled !== undefined) {
		return isSwitchedOn(method);
	}
	return isSettings(method.keys) && Object.keys(method.keys).length > 0;
}

/**
 * Removes passwords from addresses of targets and brokers, and the path, which is a secret of some
 * targets.
 */
function withoutSecrets(text: string, path: readonly string[]): string {
	const shown = text.replace(/\/\/[^/\s]*@/, '//***@');
	const [group] = path[0] === 'accounts' ? path.slice(2) : path;
	if (group !== 'modules' || !/^(url|accessTokenUrl)$/.test(path.at(-1) ?? '')) return shown;
	return shown.replace(/^(\w+:\/\/[^/?#]*)[/?#].+$/, '$1/***');
}
