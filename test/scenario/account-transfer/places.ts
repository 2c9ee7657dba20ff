import { systemClock } from '../../../core/base/clock';
import { systemRandom } from '../../../core/base/random';
import type { AccountPlace } from '../../../core';
import { accountHome } from '../../../core/store/open-store';
import type { AccountState } from '../../../core/store/account/account-state';
import type { ContentSummary } from '../../../core/account-transfer/account-tally';
import { summaryOf } from '../../../core/account-transfer/copy-proof';

export const deps = { clock: systemClock, random: systemRandom };

/** A folder as a place, with the client secret that all test gateways use. */
export const placeIn = (
	folder: string,
	parts: { readonly account?: string; readonly passphrase?: string } = {},
): AccountPlace => ({
	account: 'default',
	store: { kind: 'sqlite', folder },
	clientSecret: 'test',
	...parts,
});

export const client = { clientId: 'test', clientSecret: 'test' };

export async function accountStateIn(place: AccountPlace): Promise<AccountState | undefined> {
	return (await accountHome(place, deps).look())?.accountState;
}

/** Everything that is there, whatever its state. */
export async function contentOf(place: AccountPlace): Promise<ContentSummary> {
	const store = await accountHome(place, deps).open(place, { alone: false });
	try {
		return await summaryOf(store);
	} finally {
		await store.close();
	}
}

/** The counter of each relationship's next message. */
export const transmitCounters = ({ counters }: ContentSummary): number[] =>
	[...counters].flatMap(([name, next]) => (name.startsWith('transmit:') ? [next] : []));
