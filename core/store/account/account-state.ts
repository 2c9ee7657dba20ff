import * as z from 'zod';
import { storeErrors } from '../store-errors';

/**
 * State of an account (docs/adr/0018-moving-an-account.md). Of all copies of an account one
 * is living; `arriving` copies have never been used, `retired` copies are never used again.
 */
export const accountStateSchema = z.discriminatedUnion('state', [
	z.object({
		state: z.literal('living'),
		/** id of the move that brought the account here */
		move: z.string().optional(),
	}),
	z.object({
		state: z.literal('arriving'),
		move: z.string(),
		from: z.string(),
		since: z.string(),
		/** digest of everything that was copied; present as soon as the copy is verified */
		digest: z.string().optional(),
	}),
	z.object({
		state: z.literal('retired'),
		move: z.string(),
		to: z.string(),
		since: z.string(),
		digest: z.string(),
	}),
]);
export type AccountState = z.infer<typeof accountStateSchema>;
export type ArrivingState = Extract<AccountState, { state: 'arriving' }>;
export type RetiredState = Extract<AccountState, { state: 'retired' }>;

/**
 * Requires that the account lives here.
 *
 * @throws `error.gateway.store.accountMoved`, `error.gateway.store.moveUnfinished`
 */
export function requireLiving(accountState: AccountState): void {
	if (accountState.state === 'living') return;
	if (accountState.state === 'retired') {
		throw storeErrors.create('accountMoved', {
			message: `The account has been moved to ${accountState.to} (${accountState.since}); this is its former copy.`,
			facts: { movedTo: accountState.to, movedAt: accountState.since },
		});
	}
	throw storeErrors.create('moveUnfinished', {
		message: `The transfer of the account to this place is not complete. It came from ${accountState.from} (${accountState.since}).`,
		facts: { copiedFrom: accountState.from, begunAt: accountState.since },
	});
}
