import { isSettings, valueAt, type Settings } from './config-sources';
import type { ConfigProblem } from './config-problem';

/** Settings of the official gateway that are accepted but have no effect here. */
const ignored: Readonly<Record<string, string>> = {
	logging: 'is not read: one line per event goes to the terminal',
	'transportLibrary.platformMaxRedirects':
		'is not read: redirects of a Backbone are never followed',
	'transportLibrary.platformMaxContentLength':
		'is not read: the gateway limits each kind of answer itself',
	'transportLibrary.debug': 'is not read: calls to the Backbone are not logged',
};

/** Warnings at start about settings on which the official gateway would act. */
export function ignoredSettings(settings: Settings): ConfigProblem[] {
	const fixed = Object.entries(ignored)
		.filter(([setting]) => isSet(valueAt(settings, setting)))
		.map(([setting, message]) => ({ setting, message }));
	const modules = isSettings(settings.modules) ? Object.keys(settings.modules) : [];
	const locations = modules
		.map((name) => `modules.${name}.location`)
		.filter((setting) => isSet(valueAt(settings, setting)))
		.map((setting) => ({ setting, message: 'is not read: custom modules are not supported' }));
	return [...fixed, ...locations];
}

const isSet = (value: unknown): boolean => value !== undefined && value !== false;
