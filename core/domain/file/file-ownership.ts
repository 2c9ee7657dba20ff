import type { Cancellable } from '../../base/abort';
import { isoInstant } from '../../base/clock';
import { codeOf } from '../../base/errors';
import { appendEvent } from '../../events/outbox';
import type { FileDto } from '../../model/record/file';
import type { ObjectIntent } from '../../model/record/object-intent';
import type { WriteTransaction } from '../../store/store';
import type { FileContext } from './file-context';
import { fileErrors, unknownFile } from './file-errors';
import { withOwner, type StoredFile } from './file-records';
import type { FileService } from './file-service';

const ownedAlready = 'error.platform.validation.file.cannotClaimOwnershipOfOwnFile';

/** Who owns a file can change; the creator never does (docs/protocol/transport.md 8.4). */
export class FileOwnership {
	constructor(
		private readonly context: FileContext,
		private readonly files: FileService,
	) {}

	/**
	 * A new ownership token for an own file; the old one is worthless and a lock is gone.
	 *
	 * @throws `error.runtime.recordNotFound`, `error.runtime.files.notOwnedByYou`
	 */
	async regenerateToken(id: string, options: Cancellable = {}): Promise<FileDto> {
		const { record } = await this.files.find(id, options);
		if (!record.isOwn) {
			throw fileErrors.create('notOwnedByYou', {
				message: `The file '${id}' belongs to somebody else.`,
				facts: { fileId: id },
			});
		}
		return await this.takeNewToken(id, 'regenerateFileToken', options, () =>
			this.context.backbone.files.regenerateOwnershipToken(id, options),
		);
	}

	/**
	 * Whether the token would hand over the file. Asking with a wrong one locks a file of somebody
	 * else.
	 *
	 * @throws `error.runtime.recordNotFound`
	 */
	async validateToken(
		id: string,
		ownershipToken: string,
		options: Cancellable = {},
	): Promise<boolean> {
		await this.files.find(id, options);
		return await this.context.backbone.files.validateOwnershipToken(id, ownershipToken, options);
	}

	/**
	 * Makes a loaded file ours.
	 *
	 * @throws `error.runtime.recordNotFound`, `error.platform.forbidden` when the token is wrong or the
	 * file is locked,
	 * `error.platform.validation.file.cannotClaimOwnershipOfOwnFile`
	 */
	async claim(id: string, ownershipToken: string, options: Cancellable = {}): Promise<FileDto> {
		const { backbone } = this.context;
		const { record } = await this.files.find(id, options);
		return await this.takeNewToken(id, 'claimFile', options, async () => {
			try {
				return await backbone.files.claimOwnership(id, ownershipToken, options);
			} catch (error) {
				// An earlier attempt whose answer was lost went through: its token is replaced.
				if (codeOf(error) !== ownedAlready || record.isOwn) throw error;
				return await backbone.files.regenerateOwnershipToken(id, options);
			}
		});
	}

	/** Finds out what became of an interrupted change. */
	async settle(intent: ObjectIntent, options: Cancellable): Promise<void> {
		const { backbone, account, changes, store } = this.context;
		const { id } = intent;
		const known = await store.read((tx) => tx.files.get(id), options);
		if (known === undefined) return await changes.drop(id);
		if (intent.action === 'deleteFile') return await this.files.deleteOwn(id, options);
		const { owner } = await backbone.files.metadata(id, options);
		if (owner !== account.address) return await changes.drop(id);
		await this.takeNewToken(id, intent.action, options, () =>
			backbone.files.regenerateOwnershipToken(id, options),
		);
	}

	/** Somebody tried a wrong token; unknown files are ignored (docs/protocol/transport.md 14). */
	async applyLock(tx: WriteTransaction, id: string): Promise<void> {
		const known = await tx.files.get(id);
		if (known === undefined) return;
		const record = { ...known.record, ownershipIsLocked: true as const };
		await tx.files.update(record);
		await this.announce(tx, 'transport.fileOwnershipLocked', { record, secrets: known.secrets });
	}

	/**
	 * Who owns a file that was claimed, as far as the Backbone still tells: a deleted file belongs to
	 * whom the event names.
	 */
	async ownerAfterClaim(id: string, claimedBy: string, options: Cancellable): Promise<string> {
		try {
			return (await this.context.backbone.files.metadata(id, options)).owner;
		} catch (error) {
			if (codeOf(error) !== fileErrors.notFound.code) throw error;
			return claimedBy;
		}
	}

	/** A file changed hands; unknown ones are ignored. */
	async applyClaim(tx: WriteTransaction, id: string, owner: string): Promise<void> {
		const { address } = this.context.account;
		const known = await tx.files.get(id);
		if (known === undefined) return;
		// It came back to us meanwhile: the token that came with it is the one that counts.
		const token = owner === address ? known.secrets.ownershipToken : undefined;
		const changed = withOwner(known, owner, address, token);
		await tx.files.update(changed.record, changed.secrets);
		await this.announce(tx, 'transport.fileOwnershipClaimed', changed);
	}

	private async takeNewToken(
		id: string,
		action: ObjectIntent['action'],
		options: Cancellable,
		call: () => Promise<string>,
	): Promise<FileDto> {
		const { account, changes } = this.context;
		const { address } = account;
		return await changes.run(
			{
				id,
				action,
				call,
				complete: async (tx, token) => {
					const known = await tx.files.get(id);
					if (known === undefined) throw unknownFile(id);
					const owned = withOwner(known, address, address, token);
					await tx.files.update(owned.record, owned.secrets);
					return this.files.toDto(owned);
				},
			},
			options,
		);
	}

	private async announce(
		tx: WriteTransaction,
		name: 'transport.fileOwnershipLocked' | 'transport.fileOwnershipClaimed',
		file: StoredFile,
	): Promise<void> {
		await appendEvent(tx, {
			name,
			createdAt: isoInstant(this.context.clock.now()),
			subject: file.record.id,
			data: this.files.toDto(file),
		});
	}
}
