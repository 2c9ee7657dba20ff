import * as z from 'zod';
import { storeErrors } from './store-errors';

/**
 * Where an account is in its life (docs/adr/0018-moving-an-account.md). Of all copies of an account
 * one is living; `arriving` copies have never been used, `retired` ones never are again.
 */
export const accountLifeSchema = z.discriminatedUnion('state', [
	z.object({
		state: z.literal('living'),
		/** the move that brought it here */
		move: z.string().optional(),
	}),
	z.object({
		state: z.literal('arriving'),
		move: z.string(),
		from: z.string(),
		since: z.string(),
		/** of everything that was copied; present as soon as the copy is proven */
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
export type AccountLife = z.infer<typeof accountLifeSchema>;
export type ArrivingLife = Extract<AccountLife, { state: 'arriving' }>;
export type RetiredLife = Extract<AccountLife, { state: 'retired' }>;

/**
 * @throws `error.gateway.store.accountMoved`, `error.gateway.store.moveUnfinished` unless the account
 * lives here
 */
export function requireLiving(life: AccountLife): void {
	if (life.state === 'living') return;
	if (life.state === 'retired') {
		throw storeErrors.create('accountMoved', {
			message: `The account has been moved to ${life.to} (${life.since}); this is its former copy.`,
			facts: { movedTo: life.to, movedAt: life.since },
		});
	}
	throw storeErrors.create('moveUnfinished', {
		message: `The account was being copied here from ${life.from} (${life.since}), which has not come to its end.`,
		facts: { copiedFrom: life.from, begunAt: life.since },
	});
}
