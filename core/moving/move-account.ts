import type { Cancellable } from '../base/abort';
import { alphanumeric } from '../base/random';
import type { AccountHome, HomeStore } from '../store/account-home';
import { requireLiving, type RetiredLife } from '../store/account-life';
import { readContent, type ContentRow } from './account-content';
import { AccountTally, type ContentSummary } from './account-tally';
import {
	comeToLife,
	fill,
	proveArrival,
	lookAround,
	prepareArrival,
	proveCopy,
	requireNoOther,
	type Destination,
	type ProofParts,
	type Room,
} from './arrival';
import { identityIn, summaryOf } from './copy-proof';
import { openAlone, retire } from './source';
import { movingContext } from './moving-context';
import type { AccountPlace, BackboneClient, CopyReport, MovingDependencies } from './moving-types';
import { movingErrors } from './moving-errors';

export interface Move extends Cancellable {
	readonly from: AccountPlace;
	readonly to: AccountPlace;
	/** absent: the copy is proven without asking the Backbone */
	readonly client?: BackboneClient | undefined;
}

/**
 * Moves an account from one store to another. Nobody may have it open. The source is retired when the
 * copy is proven, and then the copy comes to life: between any two steps there is one living copy, or
 * none and both say that the same call has to be repeated.
 *
 * @throws `error.gateway.moving.samePlace`, `error.gateway.moving.noAccount`,
 * `error.gateway.moving.identityLivesHere`, `error.gateway.moving.targetTaken`,
 * `error.gateway.moving.copyDiffers`, `error.gateway.moving.keyDoesNotSign`,
 * `error.gateway.store.openElsewhere`, `error.gateway.store.accountMoved`,
 * `error.gateway.store.moveUnfinished`, codes of `openStore` about files and proof, and why the
 * Backbone refused the login
 */
export async function moveAccount(move: Move, deps: MovingDependencies = {}): Promise<CopyReport> {
	const context = movingContext(deps);
	const from = context.home(move.from);
	const to = { home: context.home(move.to), place: move.to };
	if (from.name === to.home.name) {
		throw movingErrors.create('samePlace', {
			message: `The account is in ${from.name} already.`,
			facts: { field: 'to' },
		});
	}
	const room = await lookAround(to, from.name, context);
	const source = await openAlone(from, move.from);
	try {
		const parts = { client: move.client, context, signal: move.signal };
		const life = await source.read((tx) => tx.life.get());
		return life.state === 'retired'
			? await resume({ from, source, life }, to, room, parts)
			: await start({ from, source }, to, room, parts);
	} finally {
		await source.close();
	}
}

interface Origin {
	readonly from: AccountHome;
	readonly source: HomeStore;
}

async function start(
	{ from, source }: Origin,
	to: Destination,
	room: Room,
	parts: ProofParts,
): Promise<CopyReport> {
	const { context } = parts;
	requireLiving(await source.read((tx) => tx.life.get()));
	const { address } = (await identityIn(source)).record;
	requireNoOther(room, address);
	requireAbandoned(room, from);
	const move = context.random.text(24, alphanumeric);
	const { clientSecretHash } = source;
	context.step(`Copying ${address} from ${from.name} to ${to.home.name}.`);
	const target = await prepareArrival(
		to,
		room,
		{ move, from: from.name, clientSecretHash },
		context,
	);
	try {
		const { digest, counts } = await copy(source, target, parts);
		await retire(source, { to: to.home.name, move, digest }, context);
		await comeToLife(target, move);
		context.step(`The account lives in ${to.home.name} now.`);
		return { address, from: from.name, to: to.home.name, counts, digest, resumed: false };
	} finally {
		await target.close();
	}
}

/** A proven copy may be all that is left alive of an account that another move has retired. */
function requireAbandoned({ there }: Room, from: AccountHome): void {
	if (there?.life.state !== 'arriving') return;
	if (there.life.digest !== undefined && there.life.from !== from.name) requireLiving(there.life);
}

/** One pass through the source, inside one transaction. */
async function copy(
	source: HomeStore,
	target: HomeStore,
	parts: ProofParts,
): Promise<ContentSummary> {
	const tally = new AccountTally();
	await source.read(async (tx) => {
		async function* counted(): AsyncGenerator<ContentRow> {
			for await (const row of readContent(tx, parts)) {
				tally.add(row);
				yield row;
			}
		}
		await fill(target, counted());
	});
	return await proveArrival(target, tally.summary(), parts);
}

/** The source was retired; its copy may not have come to life. */
async function resume(
	{ from, source, life }: Origin & { readonly life: RetiredLife },
	to: Destination,
	{ there }: Room,
	parts: ProofParts,
): Promise<CopyReport> {
	if (there === undefined || there.life.state === 'retired' || there.life.move !== life.move) {
		requireLiving(life);
	}
	const { address } = (await identityIn(source)).record;
	const original = await summaryOf(source, parts);
	const { counts, digest } = original;
	const report = { address, from: from.name, to: to.home.name, counts, digest, resumed: true };
	if (there?.life.state === 'living') return report;
	const target = await to.home.open(to.place, { alone: true });
	try {
		await proveCopy(target, original, parts);
		await comeToLife(target, life.move);
		parts.context.step(`The account lives in ${to.home.name} now.`);
		return report;
	} finally {
		await target.close();
	}
}
