import { resolve } from 'node:path';
import type { Cancellable } from '../base/abort';
import { alphanumeric } from '../base/random';
import type { HomeStore } from '../store/account-home';
import { requireLiving } from '../store/account-life';
import type { WriteTransaction } from '../store/store';
import { AccountFileReader } from './account-file';
import { tallyOf } from './account-tally';
import {
	comeToLife,
	fill,
	proveArrival,
	lookAround,
	prepareArrival,
	requireNoOther,
	type Room,
} from './arrival';
import { identityIn } from './copy-proof';
import { movingContext } from './moving-context';
import type { AccountPlace, BackboneClient, CopyReport, MovingDependencies } from './moving-types';
import { movingErrors } from './moving-errors';

export interface Import extends Cancellable {
	readonly file: string;
	readonly password: string;
	readonly to: AccountPlace;
	/** absent: the Backbone is not asked */
	readonly client?: BackboneClient | undefined;
	/** the place that a former copy here was moved to is lost for good */
	readonly replaceRetired?: boolean | undefined;
}

/** events of the lost time had numbers, which receivers may remember */
const outboxJump = 2 ** 20;

/**
 * Brings an exported file to life in a store. The file is read to its end before anything is written.
 * What happened after it was written is not in it: like any restored backup the account then compares
 * itself with the Backbone, and uses no number again that may have been used (`docs/adr/0026`).
 *
 * @throws `error.gateway.moving.fileNotUsable`, `error.gateway.moving.fileForeign`,
 * `error.gateway.moving.fileNewer`, `error.gateway.moving.fileDamaged`,
 * `error.gateway.moving.wrongPassword`, `error.gateway.moving.contentInvalid`,
 * `error.gateway.moving.identityLivesHere`, `error.gateway.moving.targetTaken`,
 * `error.gateway.moving.formerCopyHere`, `error.gateway.moving.copyDiffers`,
 * `error.gateway.moving.keyDoesNotSign`, `error.gateway.store.openElsewhere`, codes of `openStore`
 * about files, and why the Backbone refused the login
 */
export async function importAccount(
	order: Import,
	deps: MovingDependencies = {},
): Promise<CopyReport> {
	const context = movingContext(deps);
	const { password, to: place, client, signal } = order;
	const file = resolve(order.file);
	const origin = `file:${file}`;
	const to = { home: context.home(place), place };
	context.step(`Reading ${file}.`);
	const { head, summary } = await readOnce(file, password);
	const room = await lookAround(to, undefined, context);
	requireNoOther(room, head.address);
	requireReplaceable(room, order.replaceRetired === true);
	const move = context.random.text(24, alphanumeric);
	const { clientSecretHash, address } = head;
	context.step(`Copying ${address} into ${to.home.name}.`);
	const target = await prepareArrival(to, room, { move, from: origin, clientSecretHash }, context);
	try {
		const reader = await AccountFileReader.open(file, password);
		try {
			await fill(target, reader.rows());
		} finally {
			await reader.close();
		}
		await proveArrival(target, summary, { client, context, signal });
		await requireOwner(target, address);
		await comeToLife(target, move, asRestored);
		context.step(`The account lives in ${to.home.name} now.`);
		const { counts, digest } = summary;
		return { address, from: origin, to: to.home.name, counts, digest, resumed: false };
	} finally {
		await target.close();
	}
}

async function readOnce(file: string, password: string) {
	const reader = await AccountFileReader.open(file, password);
	try {
		return { head: reader.head, summary: await tallyOf(reader.rows()) };
	} finally {
		await reader.close();
	}
}

/** Where the file says whose account it is, it was asked who lives there; it must not be another. */
async function requireOwner(target: HomeStore, address: string): Promise<void> {
	const { record } = await identityIn(target);
	if (record.address === address) return;
	throw movingErrors.create('contentInvalid', {
		message: `The file says it holds ${address}, but holds ${record.address}.`,
		facts: { section: 'identity', id: 'self' },
	});
}

/** A copy that went into a file comes back from files only; one that went to a store is not lost. */
function requireReplaceable({ there }: Room, replaceRetired: boolean): void {
	if (there === undefined || there.life.state === 'living') return;
	if (there.life.state === 'arriving') {
		if (there.life.digest !== undefined && !there.life.from.startsWith('file:')) {
			requireLiving(there.life);
		}
		return;
	}
	if (replaceRetired || there.life.to.startsWith('file:')) return;
	throw movingErrors.create('formerCopyHere', {
		message: `The account was here, and was moved to ${there.life.to}.`,
		facts: { movedTo: there.life.to },
	});
}

async function asRestored(tx: WriteTransaction): Promise<void> {
	await tx.outbox.passTo((await tx.outbox.lastSequence()) + outboxJump);
	const state = (await tx.syncState.get('sync'))?.record;
	if (state !== undefined) await tx.syncState.update({ ...state, reconciliationNeeded: true });
}
