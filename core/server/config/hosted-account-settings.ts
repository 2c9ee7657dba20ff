import * as z from 'zod';

export const accountNameRule =
	'expected at most 64 letters, digits, dots, dashes and underscores, a letter or digit first';

export const hostedAccountNameSchema = z
	.string(accountNameRule)
	.regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, accountNameRule);

const group = z.record(z.string(), z.unknown(), 'expected an object');

/**
 * Settings of one account below `accounts`, in the groups of the configuration file. What is absent
 * is as in the default account, except for modules that send events or decide: each account has its
 * own.
 */
export const hostedAccountSettingsSchema = z.strictObject({
	transportLibrary: group.optional(),
	database: group.optional(),
	modules: group.optional(),
});
export type HostedAccountSettings = z.infer<typeof hostedAccountSettingsSchema>;
