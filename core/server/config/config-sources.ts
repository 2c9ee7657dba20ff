import { readFile } from 'node:fs/promises';
import { parseUntrustedJson, readUntrustedJson } from '../../base/untrusted-json';
import { isJsonObject } from '../../model/json';
import { serverErrors } from '../server-errors';
import { errorCodeOf } from '../../base/members';
import { invalidSetting } from './config-problem';

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
	'accounts',
	'transportLibrary',
	'database',
	'infrastructure',
	'logging',
	'modules',
	'pinnedTLSCertificateSHA256Fingerprints',
	'enforceCertificatePinning',
]);

export interface ConfigSources {
	/** given on the command line; takes precedence over the environment variable */
	readonly file?: string | undefined;
	readonly environment: Readonly<Record<string, string | undefined>>;
}

/**
 * Merges all settings: the environment overrides the file value by value; lists are replaced
 * (docs/protocol/http-api.md 14.1).
 *
 * @throws `error.gateway.configuration.invalid`
 */
export async function readSettings({ file, environment }: ConfigSources): Promise<Settings> {
	const named = file ?? environment.CUSTOM_CONFIG_LOCATION;
	const settings = await readConfigFile(named ?? './config.json', named !== undefined);
	for (const { name, path, value } of settingsIn(environment)) {
		const blocking = place(settings, path, readValue(value));
		if (blocking === undefined) continue;
		const above = path.slice(0, path.length - blocking).join('.');
		throw invalidSetting(above, `is not an object, but ${name} names a setting below it`);
	}
	return settings;
}

interface Variable {
	readonly name: string;
	readonly path: readonly string[];
	readonly value: string;
}

/**
 * Variables that name settings, shorter paths first, because the order of an environment is
 * arbitrary.
 */
function settingsIn(environment: ConfigSources['environment']): Variable[] {
	const found: Variable[] = [];
	for (const [name, value] of Object.entries(environment)) {
		const path = (aliases[name] ?? name).split(/__|:/);
		if (value === undefined || !roots.has(path[0] ?? '')) continue;
		if (path.includes('')) throw invalidSetting(name, 'is not the path of a setting');
		found.push({ name, path, value });
	}
	return found.sort((one, other) => one.path.length - other.path.length);
}

/** Reads the file of the settings; only the default file may be missing. */
async function readConfigFile(file: string, isNamed: boolean): Promise<Settings> {
	let text: string;
	try {
		text = await readFile(file, 'utf8');
	} catch (cause) {
		if (errorCodeOf(cause) === 'ENOENT' && !isNamed) return {};
		throw invalidFile(`The configuration file ${file} cannot be read`, cause);
	}
	try {
		const parsed = parseUntrustedJson(text);
		if (isSettings(parsed)) return parsed;
	} catch (cause) {
		throw invalidFile(`The configuration file ${file} is not JSON`, cause);
	}
	throw invalidFile(`The configuration file ${file} does not contain an object`);
}

/** Parses JSON where possible, so that `true`, `5` and `["a"]` get their types. */
function readValue(text: string): unknown {
	const value = readUntrustedJson(text);
	return value === undefined ? text : value;
}

/**
 * Merges objects member by member, and replaces every other value.
 *
 * @returns how many names of the path lie below a value that is not an object; undefined on success
 */
function place(
	settings: Settings,
	[name = '', ...rest]: readonly string[],
	value: unknown,
): number | undefined {
	const known = Object.hasOwn(settings, name) ? settings[name] : undefined;
	if (rest.length === 0) {
		if (isSettings(known) && isSettings(value)) {
			for (const [member, below] of Object.entries(value)) place(known, [member], below);
		} else {
			settings[name] = value;
		}
		return undefined;
	}
	if (known !== undefined && !isSettings(known)) return rest.length;
	const next: Settings = known ?? {};
	settings[name] = next;
	return place(next, rest, value);
}

export function isSettings(value: unknown): value is Settings {
	return isJsonObject(value);
}

/** Value of a setting, whose names are joined with dots. */
export function valueAt(settings: Settings, setting: string): unknown {
	let value: unknown = settings;
	for (const name of setting.split('.')) value = isSettings(value) ? value[name] : undefined;
	return value;
}

/** Settings without the members of the shape. */
export function without(settings: Settings, shape: Readonly<Record<string, unknown>>): Settings {
	return Object.fromEntries(
		Object.entries(settings).filter(([name]) => !Object.hasOwn(shape, name)),
	);
}

function invalidFile(message: string, cause?: unknown): Error {
	return serverErrors.create('invalidConfiguration', { message: `${message}.`, cause });
}
