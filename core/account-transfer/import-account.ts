import { resolve } from 'node:path';
import type { Cancellable } from '../base/abort';
import { alphanumeric } from '../base/random';
import type { HomeStore } from '../store/account/account-home';
import { requireLiving } from '../store/account/account-state';
import type { WriteTransaction } from '../store/store';
import { AccountFileReader } from './account-file';
import { tallyOf } from './account-tally';
import {
	activateCopy,
	proveArrival,
	inspectDestination,
	prepareArrival,
	requireAvailable,
	type DestinationState,
} from './arrival';
import { writeContent } from './content-writer';
import { identityIn } from './copy-proof';
import { transferDependencies } from './transfer-dependencies';
import type { AccountPlace, BackboneClient, CopyReport, TransferOptions } from './transfer-types';
import { transferErrors } from './transfer-errors';

/** Order to activate an account from an exported file. */
export interface Import extends Cancellable {
	/** path of the exported file */
	readonly file: string;
	/** password with which the file was exported */
	readonly password: string;
	/** place without an account, or with a copy of the same account, which may be replaced */
	readonly to: AccountPlace;
	/** absent: the copy is verified without the Backbone */
	readonly client?: BackboneClient | undefined;
	/** replaces a retired copy in this store, whose successor is lost permanently */
	readonly replaceRetired?: boolean | undefined;
}

/**
 * distance to event numbers that the account used after the backup and that receivers may remember
 */
const outboxJump = 2 ** 20;

/**
 * Activates an exported file in a store. The file is read completely before anything is written. It
 * lacks everything that happened after the export, so the account, like any restored backup,
 * reconciles with the Backbone and skips numbers that may have been used (`docs/adr/0026`).
 *
 * @throws `error.gateway.moving.fileNotUsable`, `error.gateway.moving.fileForeign`,
 * `error.gateway.moving.fileNewer`, `error.gateway.moving.fileDamaged`,
 * `error.gateway.moving.wrongPassword`, `error.gateway.moving.contentInvalid`,
 * `error.gateway.moving.identityLivesHere`, `error.gateway.moving.targetTaken`,
 * `error.gateway.moving.formerCopyHere`, `error.gateway.moving.copyDiffers`,
 * `error.gateway.moving.keyDoesNotSign`, `error.gateway.store.openElsewhere`, codes of `openStore`
 * about files, and the Backbone's reason for refusing the login
 */
export async function importAccount(
	order: Import,
	deps: TransferOptions = {},
): Promise<CopyReport> {
	const context = transferDependencies(deps);
	const { password, to: place, client, signal } = order;
	const file = resolve(order.file);
	const origin = `file:${file}`;
	const to = { home: context.home(place), place };
	context.step(`Reading ${file}.`);
	const { head, summary } = await readOnce(file, password);
	const state = await inspectDestination(to, undefined, context);
	requireAvailable(state, head.address);
	requireReplaceable(state, order.replaceRetired === true);
	const move = context.random.text(24, alphanumeric);
	const { clientSecretHash, address } = head;
	context.step(`Copying ${address} into ${to.home.name}.`);
	await using target = await prepareArrival(
		to,
		state,
		{ move, from: origin, clientSecretHash },
		context,
	);
	await using reader = await AccountFileReader.open(file, password);
	await writeContent(target, reader.rows());
	await proveArrival(target, summary, { client, context, signal });
	await requireOwner(target, address);
	await activateCopy(target, move, asRestored);
	context.step(`The account is in ${to.home.name} now.`);
	const { counts, digest } = summary;
	return { address, from: origin, to: to.home.name, counts, digest, resumed: false };
}

async function readOnce(file: string, password: string) {
	await using reader = await AccountFileReader.open(file, password);
	return { head: reader.head, summary: await tallyOf(reader.rows()) };
}

/**
 * The destination was checked for the address in the file's head, so the rows must belong to it.
 */
async function requireOwner(target: HomeStore, address: string): Promise<void> {
	const { record } = await identityIn(target);
	if (record.address === address) return;
	throw transferErrors.create('contentInvalid', {
		message: `The file says it holds ${address}, but holds ${record.address}.`,
		facts: { section: 'identity', id: 'self' },
	});
}

/**
 * A copy that was retired into a file may return from a file; a copy that was moved to a store
 * still exists there.
 */
function requireReplaceable({ there }: DestinationState, replaceRetired: boolean): void {
	if (there === undefined || there.accountState.state === 'living') return;
	if (there.accountState.state === 'arriving') {
		if (there.accountState.digest !== undefined && !there.accountState.from.startsWith('file:')) {
			requireLiving(there.accountState);
		}
		return;
	}
	if (replaceRetired || there.accountState.to.startsWith('file:')) return;
	throw transferErrors.create('formerCopyHere', {
		message: `The account was here, and was moved to ${there.accountState.to}.`,
		facts: { movedTo: there.accountState.to },
	});
}

async function asRestored(tx: WriteTransaction): Promise<void> {
	await tx.outbox.passTo((await tx.outbox.lastSequence()) + outboxJump);
	const state = (await tx.syncState.get('sync'))?.record;
	if (state !== undefined) await tx.syncState.update({ ...state, reconciliationNeeded: true });
}
