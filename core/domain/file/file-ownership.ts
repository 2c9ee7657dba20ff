import type { Cancellable } from '../../base/abort';
import { isoInstant } from '../../base/clock';
import { codeOf } from '../../base/errors';
import { appendEvent } from '../../events/outbox';
import type { FileDto } from '../../model/record/file';
import type { ObjectIntent } from '../../model/record/object-intent';
import type { WriteTransaction } from '../../store/store';
import type { FileContext } from './file-context';
import { fileErrors, tokenNotRenewed, unknownFile } from './file-errors';
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
	 * A new ownership token for an own file; with it the old one is worthless and a lock is gone.
	 *
	 * @throws `error.runtime.recordNotFound`, `error.runtime.files.notOwnedByYou`,
	 * `error.gateway.files.tokenNotRenewed` when the Backbone answers a token that it does not keep: the
	 * former one stays
	 */
	async regenerateToken(id: string, options: Cancellable = {}): Promise<FileDto> {
		const { record } = await this.files.find(id, options);
		if (!record.isOwn) {
			throw fileErrors.create('notOwnedByYou', {
				message: `The file '${id}' belongs to somebody else.`,
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
		const { file } = await this.changeToken(id, 'claimFile', options, async () => {
			try {
				return await backbone.files.claimOwnership(id, ownershipToken, options);
			} catch (error) {
				// An earlier attempt went through, and its answer with the token was lost.
				if (codeOf(error) !== ownedAlready || record.isOwn) throw error;
				return await this.tokenAfterClaim(id, options);
			}
		});
		return file;
	}

	/** Finds out what became of an interrupted change. */
	async settle(intent: ObjectIntent, options: Cancellable): Promise<void> {
		const { backbone, account, changes, store } = this.context;
		const { id, action } = intent;
		const known = await store.read((tx) => tx.files.get(id), options);
		if (known === undefined) return await changes.drop(id);
		if (action === 'deleteFile') return await this.files.deleteOwn(id, options);
		const { owner } = await backbone.files.metadata(id, options);
		if (owner !== account.address) return await changes.drop(id);
		await this.changeToken(id, action, options, () =>
			action === 'claimFile' ? this.tokenAfterClaim(id, options) : this.newToken(id, options),
		);
	}

	/** Somebody tried a wrong token; unknown files are ignored (docs/protocol/transport.md 14). */
	async applyLock(tx: WriteTransaction, id: string): Promise<void> {
		const known = await tx.files.get(id);
		// Each wrong token is told twice by the Backbone; the file is locked once.
		if (known === undefined || known.record.ownershipIsLocked === true) return;
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
		// Told before under another id, or by our own claim.
		if (known === undefined || known.record.owner === owner) return;
		// It came back to us meanwhile: the token that came with it is the one that counts.
		const token = owner === address ? known.secrets.ownershipToken : undefined;
		const changed = withOwner(known, owner, address, token);
		await tx.files.update(changed.record, changed.secrets);
		await this.announce(tx, 'transport.fileOwnershipClaimed', changed);
	}

	/**
	 * A new token, if the Backbone keeps it: since 6.54 the answered token is stored nowhere, and a claim
	 * with it would lock the file for ever. Asking about an own file locks nothing
	 * (docs/protocol/backbone-api.md 16.3).
	 */
	private async newToken(id: string, options: Cancellable): Promise<string | undefined> {
		const { files } = this.context.backbone;
		const token = await files.regenerateOwnershipToken(id, options);
		return (await files.validateOwnershipToken(id, token, options)) ? token : undefined;
	}

	/**
	 * The token of a file whose claim went through without its answer; undefined when it cannot be
	 * known. A file that was ours before has kept its token unless it changed hands meanwhile.
	 */
	private async tokenAfterClaim(id: string, options: Cancellable): Promise<string | undefined> {
		const { backbone, store } = this.context;
		const renewed = await this.newToken(id, options);
		if (renewed !== undefined) return renewed;
		const former = (await store.read((tx) => tx.files.get(id), options))?.secrets.ownershipToken;
		if (former === undefined) return undefined;
		const isValid = await backbone.files.validateOwnershipToken(id, former, options);
		return isValid ? former : undefined;
	}

	/**
	 * Makes the file ours, with the token that the call gives. A file whose new token is worth nothing
	 * stays as it is; a claimed one is ours without a token.
	 */
	private async changeToken(
		id: string,
		action: ObjectIntent['action'],
		options: Cancellable,
		call: () => Promise<string | undefined>,
	): Promise<{ readonly file: FileDto; readonly isRenewed: boolean }> {
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
