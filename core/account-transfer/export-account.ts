import { resolve } from 'node:path';
import type { Cancellable } from '../base/abort';
import { isoInstant } from '../base/clock';
import { alphanumeric } from '../base/random';
import type { HomeStore } from '../store/account/account-home';
import { requireLiving } from '../store/account/account-state';
import { readContent } from './account-content';
import { AccountFileReader, AccountFileWriter } from './account-file';
import { tallyOf, type ContentSummary } from './account-tally';
import { identityIn, proveIdentity, requireSame } from './copy-proof';
import { requireAccount, retire } from './source';
import { transferDependencies, type TransferDependencies } from './transfer-dependencies';
import type { AccountPlace, BackboneClient, CopyReport, TransferOptions } from './transfer-types';

/** Order to copy an account into an encrypted file. */
export interface Export extends Cancellable {
	/** account to copy */
	readonly from: AccountPlace;
	/** path of a file that must not exist yet */
	readonly file: string;
	/** at least 12 characters */
	readonly password: string;
	/** absent: the copy is verified without the Backbone */
	readonly client?: BackboneClient | undefined;
	/**
	 * False: the file is a backup, and the account stays in use at its place; other processes may
	 * have it open. True: the account cannot be used anywhere until the file is imported.
	 */
	readonly retire: boolean;
}

/**
 * Copies an account into an encrypted file, which appears once it is complete and verified.
 *
 * @throws `error.gateway.moving.noAccount`, `error.gateway.moving.fileExists`,
 * `error.gateway.moving.fileNotUsable`, `error.gateway.moving.weakPassword`,
 * `error.gateway.moving.copyDiffers`, `error.gateway.moving.keyDoesNotSign`,
 * `error.gateway.store.openElsewhere` (when it is retired), `error.gateway.store.accountMoved`,
 * `error.gateway.store.moveUnfinished`, codes of `openStore` about files and proof, and the
 * Backbone's reason for refusing the login
 */
export async function exportAccount(
	order: Export,
	deps: TransferOptions = {},
): Promise<CopyReport> {
	const context = transferDependencies(deps);
	const home = context.home(order.from);
	await requireAccount(home);
	await using source = await home.open(order.from, { alone: order.retire });
	requireLiving(await source.read((tx) => tx.accountState.get()));
	const identity = await identityIn(source);
	const { address } = identity.record;
	const file = resolve(order.file);
	context.step(`Copying ${address} from ${home.name} into ${file}.`);
	if (order.client !== undefined) context.step('Logging in at the Backbone with its keys.');
	await proveIdentity(identity, order.client, context, order);
	const { digest, counts } = await writeFile(source, { ...order, file }, context);
	if (order.retire) {
		const move = context.random.text(24, alphanumeric);
		await retire(source, { to: `file:${file}`, move, digest }, context);
	}
	return { address, from: home.name, to: `file:${file}`, counts, digest, resumed: false };
}

async function writeFile(
	source: HomeStore,
	{ file, password, signal }: Export,
	context: TransferDependencies,
): Promise<ContentSummary> {
	const { record } = await identityIn(source);
	const head = {
		address: record.address,
		backboneBaseUrl: record.backboneBaseUrl,
		exportedAt: isoInstant(context.clock.now()),
		clientSecretHash: source.clientSecretHash,
	};
	const writer = await AccountFileWriter.create({ file, password }, head, context.random);
	try {
		await source.read(async (tx) => {
			for await (const row of readContent(tx, { signal })) await writer.add(row);
		});
		const written = await writer.complete();
		context.step('Reading the file again and comparing it with the original.');
		{
			await using reader = await AccountFileReader.open(writer.draft, password);
			requireSame(written, await tallyOf(reader.rows()));
		}
		await writer.publish();
		return written;
	} catch (error) {
		await writer.abandon();
		throw error;
	}
}
