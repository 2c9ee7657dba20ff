import { readFile } from 'node:fs/promises';
import { serverErrors } from '../server-errors';

export type Settings = { [name: string]: unknown };

/** Short names of single settings (docs/protocol/http-api.md 14.1). */
const aliases: Readonly<Record<string, string>> = {
	DATABASE_NAME: 'database__dbName',
	DATABASE_CONNECTION_STRING: 'database__connectionString',
	API_KEY: 'infrastructure__httpServer__apiKey',
	SYNC_ENABLED: 'modules__sync__enabled',
	PLATFORM_CLIENT_ID: 'transportLibrary__platformClientId',
	PLATFORM_CLIENT_SECRET: 'transportLibrary__platformClientSecret',
	DEBUG: 'debug',
};

const roots = new Set([
	'debug',
	'transportLibrary',
	'database',
	'infrastructure',
	'logging',
	'modules',
	'pinnedTLSCertificateSHA256Fingerprints',
	'enforceCertificatePinning',
]);

export interface ConfigSources {
	/** of the command line; wins over the one in the environment */
	readonly file?: string | undefined;
	readonly environment: Readonly<Record<string, string | undefined>>;
}

/**
 * All settings merged: the environment wins over the file, leaf by leaf; lists are replaced
 * (docs/protocol/http-api.md 14.1).
 *
 * @throws `error.gateway.configuration.invalid`
 */
export async function readSettings({ file, environment }: ConfigSources): Promise<Settings> {
	const named = file ?? environment.CUSTOM_CONFIG_LOCATION;
	const settings = await readConfigFile(named ?? './config.json', named !== undefined);
	for (const [name, value] of Object.entries(environment)) {
		if (value === undefined) continue;
		const path = (aliases[name] ?? name).split(/__|:/);
		if (!roots.has(path[0] ?? '') || (path.length === 1 && aliases[name] === undefined)) continue;
		if (path.some((part) => part === '')) continue;
		place(settings, path, readValue(value));
	}
	return settings;
}

/** A file that nobody named may be missing, as may a named one (docs/protocol/http-api.md 14.1). */
async function readConfigFile(file: string, isNamed: boolean): Promise<Settings> {
	let text: string;
	try {
		text = await readFile(file, 'utf8');
	} catch (cause) {
		if ((cause as { code?: unknown }).code === 'ENOENT' && !isNamed) return {};
		throw invalidFile(`The configuration file ${file} cannot be read`, cause);
	}
	try {
		const parsed: unknown = JSON.parse(text, (name, value: unknown) =>
			name === '__proto__' ? undefined : value,
		);
		if (isSettings(parsed)) return parsed;
	} catch (cause) {
		throw invalidFile(`The configuration file ${file} is not JSON`, cause);
	}
	throw invalidFile(`The configuration file ${file} does not hold an object`);
}

/** What parses as JSON is used parsed, so that `true`, `5` and `["a"]` mean what they say. */
function readValue(text: string): unknown {
	try {
		return JSON.parse(text, (name, value: unknown) =>
			name === '__proto__' ? undefined : value,
		) as unknown;
	} catch {
		return text;
	}
}

function place(settings: Settings, [name = '', ...rest]: readonly string[], value: unknown): void {
	if (rest.length === 0) {
		const known = settings[name];
		settings[name] = isSettings(known) && isSettings(value) ? mergeSettings(known, value) : value;
		return;
	}
	const below = settings[name];
	const next: Settings = isSettings(below) ? below : {};
	settings[name] = next;
	place(next, rest, value);
}

function mergeSettings(low: Settings, high: Settings): Settings {
	for (const [name, value] of Object.entries(high)) place(low, [name], value);
	return low;
}

export function isSettings(value: unknown): value is Settings {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function invalidFile(message: string, cause?: unknown): Error {
	return serverErrors.create('invalidConfiguration', { message: `${message}.`, cause });
}
