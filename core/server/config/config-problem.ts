import { serverErrors } from '../server-errors';

/** A setting that is missing, wrong or retired, and what to do about it. */
export interface ConfigProblem {
	/** path of the setting with dots */
	readonly setting: string;
	readonly message: string;
}

/**
 * Error with one line for each setting. It contains the name of the setting but not its value, which
 * may be a secret.
 */
export function invalidSettings(problems: readonly ConfigProblem[], cause?: unknown): Error {
	const lines = problems.map(({ setting, message }) => `  ${setting}: ${message}`);
	return serverErrors.create('invalidConfiguration', {
		message: ['The configuration is not valid:', ...lines].join('\n'),
		facts: { settings: problems.map(({ setting }) => setting) },
		cause,
	});
}

export const invalidSetting = (setting: string, message: string, cause?: unknown): Error =>
	invalidSettings([{ setting, message }], cause);
