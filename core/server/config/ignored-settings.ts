import { isSettings, valueAt, type Settings } from './config-sources';
import type { ConfigProblem } from './server-config';

/** Settings of the official gateway that are accepted although nothing reads them. */
const ignored: Readonly<Record<string, string>> = {
	logging: 'is not read: one line per event goes to the terminal',
	'transportLibrary.platformMaxRedirects':
		'is not read: redirects of a Backbone are never followed',
	'transportLibrary.platformMaxContentLength':
		'is not read: the gateway limits each kind of answer itself',
	'transportLibrary.debug': 'is not read: calls to the Backbone are not logged',
};

/** What an operator should hear at the start, because the official gateway would act on it. */
export function ignoredSettings(settings: Settings): ConfigProblem[] {
	const fixed = Object.entries(ignored)
		.filter(([setting]) => isSet(valueAt(settings, setting)))
		.map(([setting, message]) => ({ setting, message }));
	const modules = isSettings(settings.modules) ? Object.keys(settings.modules) : [];
	const locations = modules
		.map((name) => `modules.${name}.location`)
		.filter((setting) => isSet(valueAt(settings, setting)))
		.map((setting) => ({ setting, message: 'is not read: own modules cannot be added' }));
	return [...fixed, ...locations];
}

const isSet = (value: unknown): boolean => value !== undefined && value !== false;
