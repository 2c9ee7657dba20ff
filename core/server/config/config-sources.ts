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
	for (const { name, path, value } of settingsIn(environment)) {
		const blocking = place(settings, path, readValue(value));
		if (blocking === undefined) continue;
		const above = path.slice(0, path.length - blocking).join('.');
		throw invalidSetting(above, `does not hold an object, but ${name} names a setting below it`);
	}
	return settings;
}

interface Variable {
	readonly name: string;
	readonly path: readonly string[];
	readonly value: string;
}

/** Variables that name settings, shorter paths first: the order of an environment says nothing. */
function settingsIn(environment: ConfigSources['environment']): Variable[] {
	const found: Variable[] = [];
	for (const [name, value] of Object.entries(environment)) {
		const path = (aliases[name] ?? name).split(/__|:/);
		if (value === undefined || !roots.has(path[0] ?? '')) continue;
		if (path.includes('')) throw invalidSetting(name, 'is no path of a setting');
		found.push({ name, path, value });
	}
	return found.sort((one, other) => one.path.length - other.path.length);
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

/**
 * Merges objects member by member, and replaces everything else.
 *
 * @returns how many names of the path lie below a value that is no object; undefined when it was placed
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
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value behind names that are joined with dots. */
export function valueAt(settings: Settings, setting: string): unknown {
	let value: unknown = settings;
	for (const name of setting.split('.')) value = isSettings(value) ? value[name] : undefined;
	return value;
}

/** The settings without the members that the shape names. */
export function without(settings: Settings, shape: Readonly<Record<string, unknown>>): Settings {
	return Object.fromEntries(
		Object.entries(settings).filter(([name]) => !Object.hasOwn(shape, name)),
	);
}

function invalidFile(message: string, cause?: unknown): Error {
	return serverErrors.create('invalidConfiguration', { message: `${message}.`, cause });
}

/** Names the setting, never its value. */
function invalidSetting(name: string, problem: string): Error {
	return serverErrors.create('invalidConfiguration', {
		message: `The configuration is not valid:\n  ${name}: ${problem}`,
		facts: { settings: [name] },
	});
}
