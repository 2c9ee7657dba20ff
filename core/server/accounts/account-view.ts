import * as z from 'zod';
import type { HostedAccountSettings } from '../config/hosted-account-settings';

/** Account of the HTTP gateway, as administrators see it. */
export const hostedAccountViewSchema = z.object({
	name: z.string(),
	/** whether the account is open, and if not, why */
	state: z.enum(['starting', 'running', 'failed', 'paused', 'deleting']),
	/** address of the identity; absent while the account is not open */
	address: z.string().optional(),
	/** why the account could not be opened; it is tried again */
	failure: z
		.object({
			/** code of the error */
			code: z.string(),
			/** what is wrong */
			message: z.string(),
			/** what to do */
			remedy: z.string().optional(),
			/** ISO time of the failure */
			at: z.string(),
		})
		.optional(),
	/** where the settings of the account are */
	source: z.enum(['configuration', 'stored']),
});
export type HostedAccountView = z.infer<typeof hostedAccountViewSchema>;
export type HostedState = HostedAccountView['state'];
export type OpeningFailure = NonNullable<HostedAccountView['failure']>;

/** Changes of an account; absent groups of its settings stay as they are. */
export interface HostedAccountChange {
	readonly isPaused?: boolean | undefined;
	readonly settings?: HostedAccountSettings;
}
