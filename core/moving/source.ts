import { isoInstant } from '../base/clock';
import type { AccountHome, HomeStore } from '../store/account-home';
import type { RetiredLife } from '../store/account-life';
import type { MovingContext } from './moving-context';
import { movingErrors } from './moving-errors';
import type { AccountPlace } from './moving-types';

/** @throws `error.gateway.moving.noAccount`, and the codes of `AccountHome.open` */
export async function openAlone(home: AccountHome, proof: AccountPlace): Promise<HomeStore> {
	await requireAccount(home);
	return await home.open(proof, { alone: true });
}

/** @throws `error.gateway.moving.noAccount` */
export async function requireAccount(home: AccountHome): Promise<void> {
	if ((await home.look()) !== undefined) return;
	throw movingErrors.create('noAccount', { message: `There is no account in ${home.name}.` });
}

/** From this commit on the source is no living copy. */
export async function retire(
	source: HomeStore,
	{ to, move, digest }: Pick<RetiredLife, 'to' | 'move' | 'digest'>,
	{ clock }: MovingContext,
): Promise<void> {
	const since = isoInstant(clock.now());
	await source.transact((tx) => tx.life.set({ state: 'retired', to, move, since, digest }));
}
