import type { Cancellable } from '../base/abort';
import { isoInstant } from '../base/clock';
import type { AccountHome, HomeLook, HomeStore } from '../store/account-home';
import type { ArrivingLife } from '../store/account-life';
import type { NewSeal } from '../store/account-proof';
import type { WriteTransaction } from '../store/store';
import type { ContentRow } from './account-content';
import type { ContentSummary } from './account-tally';
import { ContentWriter } from './content-writer';
import { identityIn, proveIdentity, requireSame, summaryOf } from './copy-proof';
import type { MovingContext } from './moving-context';
import type { AccountPlace, BackboneClient } from './moving-types';
import { movingErrors } from './moving-errors';

/** Where a copy is to live. */
export interface Destination {
	readonly home: AccountHome;
	readonly place: AccountPlace;
}

export interface Room {
	readonly there: HomeLook | undefined;
	/** living accounts under other names of the same store */
	readonly neighbours: readonly HomeLook[];
}

/** @param origin the place that the account comes from, which may be in the same store */
export async function lookAround(
	{ home, place }: Destination,
	origin: string | undefined,
	context: MovingContext,
): Promise<Room> {
	const others = await home.neighbours();
	return {
		there: await home.look(),
		neighbours: others.filter(
			({ account, life }) =>
				life.state === 'living' && context.home({ ...place, account }).name !== origin,
		),
	};
}

/** @throws `error.gateway.moving.identityLivesHere`, `error.gateway.moving.targetTaken` */
export function requireNoOther({ there, neighbours }: Room, address: string): void {
	const living = there?.life.state === 'living' ? [there, ...neighbours] : neighbours;
	const same = living.find((look) => look.address === address);
	if (same !== undefined) {
		throw movingErrors.create('identityLivesHere', {
			message: `${address} lives there already, as account '${same.account}'.`,
			facts: { address, account: same.account },
		});
	}
	if (there === undefined || there.life.state === 'arriving') return;
	if (there.life.state === 'retired' && there.address === address) return;
	throw movingErrors.create('targetTaken', {
		message: `There is another account named '${there.account}'.`,
		facts: { account: there.account },
	});
}

/** A new account that is on its way; what a former attempt has left is removed. */
export async function prepareArrival(
	{ home, place }: Destination,
	room: Room,
	{
		move,
		from,
		clientSecretHash,
	}: Pick<ArrivingLife, 'move' | 'from'> & Pick<NewSeal, 'clientSecretHash'>,
	context: MovingContext,
): Promise<HomeStore> {
	if (room.there !== undefined) await home.discard();
	const since = isoInstant(context.clock.now());
	const { passphrase, sealContents } = place;
	return await home.create(
		{ clientSecretHash, passphrase, sealContents },
		{ state: 'arriving', move, from, since },
	);
}

export async function fill(target: HomeStore, rows: AsyncIterable<ContentRow>): Promise<void> {
	const writer = new ContentWriter(target);
	for await (const row of rows) await writer.add(row);
	await writer.flush();
}

/** Reads the copy again, compares, and marks it as proven. */
export async function proveArrival(
	target: HomeStore,
	original: ContentSummary,
	parts: ProofParts,
): Promise<ContentSummary> {
	const copy = await proveCopy(target, original, parts);
	await target.transact(async (tx) => {
		const life = await tx.life.get();
		if (life.state !== 'arriving') throw new TypeError('The copy is not on its way');
		await tx.life.set({ ...life, digest: copy.digest });
	});
	return copy;
}

export interface ProofParts extends Cancellable {
	/** absent: the Backbone is not asked */
	readonly client: BackboneClient | undefined;
	readonly context: MovingContext;
}

/** @throws `error.gateway.moving.copyDiffers`, and the codes of `proveIdentity` */
export async function proveCopy(
	target: HomeStore,
	original: ContentSummary,
	{ client, context, ...options }: ProofParts,
): Promise<ContentSummary> {
	context.step('Comparing the copy with the original, every record and every secret.');
	const copy = await summaryOf(target, options);
	requireSame(original, copy);
	if (client !== undefined) context.step('Logging in at the Backbone with the copied keys.');
	await proveIdentity(await identityIn(target), client, context, options);
	return copy;
}

/** The copy comes to life; who opens it begins with numbers that no other copy has used. */
export async function comeToLife(
	target: HomeStore,
	move: string,
	alsoDo: (tx: WriteTransaction) => Promise<void> = async () => undefined,
): Promise<void> {
	await target.transact(async (tx) => {
		await alsoDo(tx);
		await tx.life.set({ state: 'living', move });
	});
}
