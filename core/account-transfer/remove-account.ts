import { codeOf } from '../base/errors';
import { openExclusively } from './source';
import { transferDependencies } from './transfer-dependencies';
import type { AccountPlace, TransferOptions } from './transfer-types';

/** Tells whether a store has an account in this place, in whatever state; it needs no proof. */
export async function accountExists(
	place: Pick<AccountPlace, 'account' | 'store'>,
	deps: TransferOptions = {},
): Promise<boolean> {
	return (await transferDependencies(deps).home(place).look()) !== undefined;
}

/**
 * Removes an account from its store for good; nothing if there is none. Its identity at the
 * Backbone is not touched, and cannot be used again without an export of the account.
 *
 * @throws `error.gateway.store.openElsewhere`, and the codes of `openStore` about files and proof
 */
export async function removeAccount(
	place: AccountPlace,
	deps: TransferOptions = {},
): Promise<void> {
	const home = transferDependencies(deps).home(place);
	if ((await home.look()) === undefined) return;
	try {
		await (await openExclusively(home, place)).close();
	} catch (error) {
		// A removal that was interrupted has removed the key file first.
		if (codeOf(error) !== 'error.gateway.store.keyFileMissing') throw error;
	}
	await home.discard();
}
