import * as z from 'zod';

/**
 * Account that `serve` opens besides the default one. Its settings contain secrets of clients, so
 * they are stored like other secrets.
 */
export const hostedAccountRecordSchema = z.object({
	/** name of the account */
	id: z.string(),
	/** ISO time of the creation of this record */
	createdAt: z.string(),
	/** true if an administrator created it; false if the configuration names it */
	isStored: z.boolean(),
	isPaused: z.boolean(),
	/** true from the order to delete it until nothing of it is left */
	isBeingDeleted: z.boolean(),
});
export type HostedAccountRecord = z.infer<typeof hostedAccountRecordSchema>;

export const hostedAccountSecretsSchema = z.object({
	/** settings in the form of the configuration file, as JSON; empty for a configured account */
	settings: z.string(),
});
export type HostedAccountSecrets = z.infer<typeof hostedAccountSecretsSchema>;

/** Account that `serve` opens besides the default one, with its settings. */
export interface HostedAccountDto {
	/** name of the account */
	readonly name: string;
	/** true if an administrator created it; false if the configuration names it */
	readonly isStored: boolean;
	/** whether the account is closed and stays so */
	readonly isPaused: boolean;
	/** true from the order to delete it until nothing of it is left */
	readonly isBeingDeleted: boolean;
	/** settings in the form of the configuration file, as JSON; empty for a configured account */
	readonly settings: string;
}
