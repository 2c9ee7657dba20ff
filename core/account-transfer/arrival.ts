import type { Cancellable } from '../base/abort';
import { isoInstant } from '../base/clock';
import type { AccountHome, HomeLook, HomeStore } from '../store/account/account-home';
import type { ArrivingState } from '../store/account/account-state';
import type { NewSeal } from '../store/account/account-proof';
import type { WriteTransaction } from '../store/store';
import type { ContentSummary } from './account-tally';
import { identityIn, proveIdentity, requireSame, summaryOf } from './copy-proof';
import type { TransferDependencies } from './transfer-dependencies';
import type { AccountPlace, BackboneClient } from './transfer-types';
import { transferErrors } from './transfer-errors';

/** Target of a copy. */
export interface Destination {
	readonly home: AccountHome;
	readonly place: AccountPlace;
}

export interface DestinationState {
	readonly there: HomeLook | undefined;
	/** living accounts under other names in the same store */
	readonly otherAccounts: readonly HomeLook[];
}

/** @param origin place of the original, which may be in the same store */
export async function inspectDestination(
	{ home, place }: Destination,
	origin: string | undefined,
	context: TransferDependencies,
): Promise<DestinationState> {
	const others = await home.otherAccounts();
	return {
		there: await home.look(),
		otherAccounts: others.filter(
			({ account, accountState }) =>
				accountState.state === 'living' && context.home({ ...place, account }).name !== origin,
		),
	};
}

/** @throws `error.gateway.moving.identityLivesHere`, `error.gateway.moving.targetTaken` */
export function requireAvailable(
	{ there, otherAccounts }: DestinationState,
	address: string,
): void {
	const living = there?.accountState.state === 'living' ? [there, ...otherAccounts] : otherAccounts;
	const same = living.find((look) => look.address === address);
	if (same !== undefined) {
		throw transferErrors.create('identityLivesHere', {
			message: `${address} exists there already, as account '${same.account}'.`,
			facts: { address, account: same.account },
		});
	}
	if (there === undefined || there.accountState.state === 'arriving') return;
	if (there.accountState.state === 'retired' && there.address === address) return;
	throw transferErrors.create('targetTaken', {
		message: `There is another account named '${there.account}'.`,
		facts: { account: there.account },
	});
}

/** Creates an account in state `arriving`, after removing the remains of an earlier attempt. */
export async function prepareArrival(
	{ home, place }: Destination,
	state: DestinationState,
	{
		move,
		from,
		clientSecretHash,
	}: Pick<ArrivingState, 'move' | 'from'> & Pick<NewSeal, 'clientSecretHash'>,
	context: TransferDependencies,
): Promise<HomeStore> {
	if (state.there !== undefined) await home.discard();
	const since = isoInstant(context.clock.now());
	const { passphrase, sealContents } = place;
	return await home.create(
		{ clientSecretHash, passphrase, sealContents },
		{ state: 'arriving', move, from, since },
	);
}

/** Reads the copy back, compares it with the original, and marks it as proven. */
export async function proveArrival(
	target: HomeStore,
	original: ContentSummary,
	parts: ProofOptions,
): Promise<ContentSummary> {
	const copy = await proveCopy(target, original, parts);
	await target.transact(async (tx) => {
		const accountState = await tx.accountState.get();
		if (accountState.state !== 'arriving') throw new TypeError('The copy is not on its way');
		await tx.accountState.set({ ...accountState, digest: copy.digest });
	});
	return copy;
}

export interface ProofOptions extends Cancellable {
	/** absent: the copy is verified without the Backbone */
	readonly client: BackboneClient | undefined;
	readonly context: TransferDependencies;
}

/** @throws `error.gateway.moving.copyDiffers`, and the codes of `proveIdentity` */
export async function proveCopy(
	target: HomeStore,
	original: ContentSummary,
	{ client, context, ...options }: ProofOptions,
): Promise<ContentSummary> {
	context.step('Comparing the copy with the original, every record and every secret.');
	const copy = await summaryOf(target, options);
	requireSame(original, copy);
	if (client !== undefined) context.step('Logging in at the Backbone with the copied keys.');
	await proveIdentity(await identityIn(target), client, context, options);
	return copy;
}

/**
 * Activates a proven copy; a gateway that opens it continues with numbers that no other copy has
 * used.
 */
export async function activateCopy(
	target: HomeStore,
	move: string,
	change: (tx: WriteTransaction) => Promise<void> = async () => undefined,
): Promise<void> {
	await target.transact(async (tx) => {
		await change(tx);
		await tx.accountState.set({ state: 'living', move });
	});
}
