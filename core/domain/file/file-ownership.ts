import type { Cancellable } from '../../base/abort';
import { isoInstant } from '../../base/clock';
import { codeOf } from '../../base/errors';
import { appendEvent } from '../../events/outbox';
import type { FileDto } from '../../model/record/file';
import type { WorkRecord } from '../../model/record/work';
import type { WriteTransaction } from '../../store/store';
import type { FileDependencies } from './file-dependencies';
import { fileErrors, tokenNotRenewed, unknownFile } from './file-errors';
import { withOwner, type StoredFile } from './file-records';
import type { FileService } from './file-service';

const ownedAlready = 'error.platform.validation.file.cannotClaimOwnershipOfOwnFile';

/**
 * Ownership of files. The owner of a file can change, its creator never does
 * (docs/protocol/transport.md 8.4).
 */
export class FileOwnership {
	constructor(
		private readonly dependencies: FileDependencies,
		private readonly files: FileService,
	) {}

	/**
	 * Requests a new ownership token for an own file; the old token becomes invalid, and a lock is
	 * removed.
	 *
	 * @throws `error.runtime.recordNotFound`, `error.runtime.files.notOwnedByYou`,
	 * `error.gateway.files.tokenNotRenewed` when the Backbone returns a token that it does not store:
	 * the former token is kept
	 */
	async regenerateToken(id: string, options: Cancellable = {}): Promise<FileDto> {
		const { record } = await this.files.find(id, options);
		if (!record.isOwn) {
			throw fileErrors.create('notOwnedByYou', {
				message: `The file '${id}' belongs to another identity.`,
				facts: { fileId: id },
			});
		}
		const { file, isRenewed } = await this.changeToken(id, 'regenerateFileToken', options, () =>
			this.newToken(id, options),
		);
		if (isRenewed) return file;
		throw tokenNotRenewed(file);
	}

	/**
	 * Checks whether the token permits taking over the file. A check with a wrong token locks a file
	 * that another identity owns.
	 *
	 * @throws `error.runtime.recordNotFound`
	 */
	async validateToken(
		id: string,
		ownershipToken: string,
		options: Cancellable = {},
	): Promise<boolean> {
		await this.files.find(id, options);
		return await this.dependencies.backbone.files.validateOwnershipToken(
			id,
			ownershipToken,
			options,
		);
	}

	/**
	 * Takes over the ownership of a loaded file.
	 *
	 * @throws `error.runtime.recordNotFound`, `error.platform.forbidden` when the token is wrong or
	 * the file is locked, `error.platform.validation.file.cannotClaimOwnershipOfOwnFile`
	 */
	async claim(id: string, ownershipToken: string, options: Cancellable = {}): Promise<FileDto> {
		const { backbone } = this.dependencies;
		const { record } = await this.files.find(id, options);
		const { file } = await this.changeToken(id, 'claimFile', options, async () => {
			try {
				return await backbone.files.claimOwnership(id, ownershipToken, options);
			} catch (error) {
				// An earlier attempt succeeded, but its answer with the token was lost.
				if (codeOf(error) !== ownedAlready || record.isOwn) throw error;
				return await this.tokenAfterClaim(id, options);
			}
		});
		return file;
	}

	/** Determines the outcome of an interrupted change, and completes or drops it. */
	async settle({ id, kind }: WorkRecord, options: Cancellable): Promise<void> {
		const { backbone, account, changes, store } = this.dependencies;
		const known = await store.read((tx) => tx.files.get(id), options);
		if (known === undefined) return await changes.drop(id);
		if (kind === 'deleteFile') return await this.files.deleteOwn(id, options);
		const { owner } = await backbone.files.metadata(id, options);
		if (owner !== account.address) return await changes.drop(id);
		await this.changeToken(id, kind, options, () =>
			kind === 'claimFile' ? this.tokenAfterClaim(id, options) : this.newToken(id, options),
		);
	}

	/**
	 * Records a lock, which an attempt with a wrong token has caused; unknown files are ignored
	 * (docs/protocol/transport.md 14).
	 */
	async applyLock(tx: WriteTransaction, id: string): Promise<void> {
		const known = await tx.files.get(id);
		// The Backbone reports each wrong token twice; the file is locked once.
		if (known === undefined || known.record.ownershipIsLocked === true) return;
		const record = { ...known.record, ownershipIsLocked: true as const };
		await tx.files.update(record);
		await this.publish(tx, 'transport.fileOwnershipLocked', { record, secrets: known.secrets });
	}

	/**
	 * Returns the current owner of a claimed file. For a deleted file, whose owner the Backbone no
	 * longer reports, it is the identity named in the event.
	 */
	async ownerAfterClaim(id: string, claimedBy: string, options: Cancellable): Promise<string> {
		try {
			return (await this.dependencies.backbone.files.metadata(id, options)).owner;
		} catch (error) {
			if (codeOf(error) !== fileErrors.notFound.code) throw error;
			return claimedBy;
		}
	}

	/** Records a new owner; unknown files are ignored. */
	async applyClaim(tx: WriteTransaction, id: string, owner: string): Promise<void> {
		const { address } = this.dependencies.account;
		const known = await tx.files.get(id);
		// The change was applied before, by an event with another id or by a claim of this account.
		if (known === undefined || known.record.owner === owner) return;
		// A file that this account has taken back in the meantime keeps the token received with it.
		const token = owner === address ? known.secrets.ownershipToken : undefined;
		const changed = withOwner(known, owner, address, token);
		await tx.files.update(changed.record, changed.secrets);
		await this.publish(tx, 'transport.fileOwnershipClaimed', changed);
	}

	/**
	 * Requests a new token and returns it if the Backbone stores it: since 6.54 the returned token is
	 * not stored, and a claim with it would lock the file permanently. Validating a token of an own
	 * file locks nothing (docs/protocol/backbone-api.md 16.3).
	 */
	private async newToken(id: string, options: Cancellable): Promise<string | undefined> {
		const { files } = this.dependencies.backbone;
		const token = await files.regenerateOwnershipToken(id, options);
		return (await files.validateOwnershipToken(id, token, options)) ? token : undefined;
	}

	/**
	 * Returns the token of a file whose claim succeeded without an answer; undefined if it cannot be
	 * determined. A file that this account owned before has kept its token, unless its owner changed
	 * in the meantime.
	 */
	private async tokenAfterClaim(id: string, options: Cancellable): Promise<string | undefined> {
		const { backbone, store } = this.dependencies;
		const renewed = await this.newToken(id, options);
		if (renewed !== undefined) return renewed;
		const former = (await store.read((tx) => tx.files.get(id), options))?.secrets.ownershipToken;
		if (former === undefined) return undefined;
		const isValid = await backbone.files.validateOwnershipToken(id, former, options);
		return isValid ? former : undefined;
	}

	/**
	 * Records this account as the owner, with the token that the call returns. Without a usable
	 * token, a renewal changes nothing, and a claimed file is owned without a token.
	 */
	private async changeToken(
		id: string,
		action: WorkRecord['kind'],
		options: Cancellable,
		call: () => Promise<string | undefined>,
	): Promise<{ readonly file: FileDto; readonly isRenewed: boolean }> {
		const { account, changes } = this.dependencies;
		const { address } = account;
		return await changes.run(
			{
				id,
				action,
				call,
				complete: async (tx, token) => {
					const known = await tx.files.get(id);
					if (known === undefined) throw unknownFile(id);
					const isRenewed = token !== undefined;
					const isKept = !isRenewed && action === 'regenerateFileToken';
					const owned = isKept ? known : withOwner(known, address, address, token);
					await tx.files.update(owned.record, owned.secrets);
					return { file: this.files.toDto(owned), isRenewed };
				},
			},
			options,
		);
	}

	private async publish(
		tx: WriteTransaction,
		name: 'transport.fileOwnershipLocked' | 'transport.fileOwnershipClaimed',
		file: StoredFile,
	): Promise<void> {
		await appendEvent(tx, {
			name,
			createdAt: isoInstant(this.dependencies.clock.now()),
			subject: file.record.id,
			data: this.files.toDto(file),
		});
	}
}
