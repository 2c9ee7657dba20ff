import { isoInstant } from '../base/clock';
import type { AccountHome, HomeStore } from '../store/account/account-home';
import type { RetiredState } from '../store/account/account-state';
import type { TransferDependencies } from './transfer-dependencies';
import { transferErrors } from './transfer-errors';
import type { AccountPlace } from './transfer-types';

/** @throws `error.gateway.moving.noAccount`, and the codes of `AccountHome.open` */
export async function openExclusively(home: AccountHome, proof: AccountPlace): Promise<HomeStore> {
	await requireAccount(home);
	return await home.open(proof, { alone: true });
}

/** @throws `error.gateway.moving.noAccount` */
export async function requireAccount(home: AccountHome): Promise<void> {
	if ((await home.look()) !== undefined) return;
	throw transferErrors.create('noAccount', { message: `There is no account in ${home.name}.` });
}

/** Retires the source; from this commit on it can no longer be opened. */
export async function retire(
	source: HomeStore,
	{ to, move, digest }: Pick<RetiredState, 'to' | 'move' | 'digest'>,
	{ clock }: TransferDependencies,
): Promise<void> {
	const since = isoInstant(clock.now());
	await source.transact((tx) => tx.accountState.set({ state: 'retired', to, move, since, digest }));
}
