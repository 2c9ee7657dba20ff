import type { Cancellable } from '../base/abort';
import { alphanumeric } from '../base/random';
import type { AccountHome, HomeStore } from '../store/account/account-home';
import { requireLiving, type RetiredState } from '../store/account/account-state';
import { readContent, type ContentRow } from './account-content';
import { AccountTally, type ContentSummary } from './account-tally';
import {
	activateCopy,
	proveArrival,
	inspectDestination,
	prepareArrival,
	proveCopy,
	requireAvailable,
	type Destination,
	type ProofOptions,
	type DestinationState,
} from './arrival';
import { writeContent } from './content-writer';
import { identityIn, summaryOf } from './copy-proof';
import { openExclusively, retire } from './source';
import { transferDependencies } from './transfer-dependencies';
import type { AccountPlace, BackboneClient, CopyReport, TransferOptions } from './transfer-types';
import { transferErrors } from './transfer-errors';

/** Order to move an account from one store to another. */
export interface Move extends Cancellable {
	/** place that loses the account */
	readonly from: AccountPlace;
	/** place that gets the account */
	readonly to: AccountPlace;
	/** absent: the copy is verified without the Backbone */
	readonly client?: BackboneClient | undefined;
}

/**
 * Moves an account from one store to another; no process may have it open. The source is retired
 * once the copy is proven, then the copy is activated. If the process ends between these steps,
 * either one copy is living, or none is and both require that the same call is repeated.
 *
 * @throws `error.gateway.moving.samePlace`, `error.gateway.moving.noAccount`,
 * `error.gateway.moving.identityLivesHere`, `error.gateway.moving.targetTaken`,
 * `error.gateway.moving.copyDiffers`, `error.gateway.moving.keyDoesNotSign`,
 * `error.gateway.store.openElsewhere`, `error.gateway.store.accountMoved`,
 * `error.gateway.store.moveUnfinished`, codes of `openStore` about files and proof, and the
 * Backbone's reason for refusing the login
 */
export async function moveAccount(move: Move, deps: TransferOptions = {}): Promise<CopyReport> {
	const context = transferDependencies(deps);
	const from = context.home(move.from);
	const to = { home: context.home(move.to), place: move.to };
	if (from.name === to.home.name) {
		throw transferErrors.create('samePlace', {
			message: `The account is in ${from.name} already.`,
			facts: { field: 'to' },
		});
	}
	const state = await inspectDestination(to, from.name, context);
	await using source = await openExclusively(from, move.from);
	const parts = { client: move.client, context, signal: move.signal };
	const accountState = await source.read((tx) => tx.accountState.get());
	return accountState.state === 'retired'
		? await resume({ from, source, accountState }, to, state, parts)
		: await start({ from, source }, to, state, parts);
}

interface Origin {
	readonly from: AccountHome;
	readonly source: HomeStore;
}

async function start(
	{ from, source }: Origin,
	to: Destination,
	state: DestinationState,
	parts: ProofOptions,
): Promise<CopyReport> {
	const { context } = parts;
	requireLiving(await source.read((tx) => tx.accountState.get()));
	const { address } = (await identityIn(source)).record;
	requireAvailable(state, address);
	requireNoOtherMove(state, from);
	const move = context.random.text(24, alphanumeric);
	const { clientSecretHash } = source;
	context.step(`Copying ${address} from ${from.name} to ${to.home.name}.`);
	await using target = await prepareArrival(
		to,
		state,
		{ move, from: from.name, clientSecretHash },
		context,
	);
	const { digest, counts } = await copy(source, target, parts);
	await retire(source, { to: to.home.name, move, digest }, context);
	await activateCopy(target, move);
	context.step(`The account is in ${to.home.name} now.`);
	return { address, from: from.name, to: to.home.name, counts, digest, resumed: false };
}

/** Refuses to replace a proven copy of another move, because its source may be retired already. */
function requireNoOtherMove({ there }: DestinationState, from: AccountHome): void {
	if (there?.accountState.state !== 'arriving') return;
	if (there.accountState.digest !== undefined && there.accountState.from !== from.name)
		requireLiving(there.accountState);
}

/** Copies the source in one pass inside one transaction. */
async function copy(
	source: HomeStore,
	target: HomeStore,
	parts: ProofOptions,
): Promise<ContentSummary> {
	const tally = new AccountTally();
	await source.read(async (tx) => {
		async function* counted(): AsyncGenerator<ContentRow> {
			for await (const row of readContent(tx, parts)) {
				tally.add(row);
				yield row;
			}
		}
		await writeContent(target, counted());
	});
	return await proveArrival(target, tally.summary(), parts);
}

/** Completes a move whose source was retired before its copy was activated. */
async function resume(
	{ from, source, accountState }: Origin & { readonly accountState: RetiredState },
	to: Destination,
	{ there }: DestinationState,
	parts: ProofOptions,
): Promise<CopyReport> {
	if (
		there === undefined ||
		there.accountState.state === 'retired' ||
		there.accountState.move !== accountState.move
	) {
		requireLiving(accountState);
	}
	const { address } = (await identityIn(source)).record;
	parts.context.step(`Completing the move of ${address} from ${from.name} to ${to.home.name}.`);
	const original = await summaryOf(source, parts);
	const { counts, digest } = original;
	const report = { address, from: from.name, to: to.home.name, counts, digest, resumed: true };
	if (there?.accountState.state === 'living') return report;
	await using target = await to.home.open(to.place, { alone: true });
	await proveCopy(target, original, parts);
	await activateCopy(target, accountState.move);
	parts.context.step(`The account is in ${to.home.name} now.`);
	return report;
}
