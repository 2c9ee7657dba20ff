import { isSettings, valueAt, type Settings } from './config-sources';
import type { ConfigProblem } from './config-problem';

/** Settings of the official gateway that are accepted but have no effect here. */
const ignored: Readonly<Record<string, string>> = {
	'transportLibrary.platformMaxRedirects':
		'is not read: redirects of a Backbone are never followed',
	'transportLibrary.platformMaxContentLength':
		'is not read: the gateway limits each kind of answer itself',
	'transportLibrary.debug': 'is not read: calls to the Backbone are not logged',
};

/** Warnings at start about settings on which the official gateway would act. */
export function ignoredSettings(settings: Settings): ConfigProblem[] {
	const logging = isOfficialLogging(settings.logging)
		? [{ setting: 'logging', message: "is read for 'format' only: lines go to the terminal" }]
		: [];
	const fixed = Object.entries(ignored)
		.filter(([setting]) => isSet(valueAt(settings, setting)))
		.map(([setting, message]) => ({ setting, message }));
	const modules = isSettings(settings.modules) ? Object.keys(settings.modules) : [];
	const locations = modules
		.map((name) => `modules.${name}.location`)
		.filter((setting) => isSet(valueAt(settings, setting)))
		.map((setting) => ({ setting, message: 'is not read: custom modules are not supported' }));
	return [...logging, ...fixed, ...locations];
}

/** Detects settings of the official gateway's logger. */
function isOfficialLogging(logging: unknown): boolean {
	if (!isSettings(logging)) return isSet(logging);
	return Object.keys(logging).some((name) => name !== 'format');
}

const isSet = (value: unknown): boolean => value !== undefined && value !== false;
