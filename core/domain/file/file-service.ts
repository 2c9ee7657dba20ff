import { throwIfAborted, type Cancellable } from '../../base/abort';
import { isGatewayError, type GatewayError } from '../../base/errors';
import type { UploadedFile } from '../../backbone/dto';
import { asSecretKey } from '../../crypto/keys';
import { isExpired } from '../../model/instant';
import type { DownloadedFile, FileDto } from '../../model/record/file';
import type { FileField, Query, ReadTransaction } from '../../store/store';
import { isOutcomeUnknown } from '../outcome';
import { referenceTo } from '../password-protection';
import { renderQrCode } from '../reference-qr';
import { parseInput } from '../validation';
import type { FileContext } from './file-context';
import { toFileDto } from './file-dto';
import { openFile, sealFile, type SealedFile } from './file-envelope';
import { fileErrors, otherFile, unknownFile, uploadUnconfirmed } from './file-errors';
import { neverExpires, uploadInputSchema } from './file-input';
import { recordOfUpload, recordOfWire, type StoredFile } from './file-records';
import { withSource, type UploadContent } from './file-source';

export interface UploadOptions extends Cancellable {
	/** a repetition with the same key returns the file that was stored the first time */
	readonly idempotencyKey?: string;
}

/** Use cases of files (docs/protocol/transport.md 8). */
export class FileService {
	constructor(private readonly context: FileContext) {}

	/**
	 * Encrypts the content, hands it to the Backbone and keeps the keys. When the answer is lost, or
	 * the process dies during the call, a file is left that nobody can read: it cannot be found again,
	 * because the Backbone lists files by their ids only.
	 *
	 * @param content bytes, or the path of a file, which is read in pieces; never a caller's text
	 * @throws `error.runtime.validation.invalidPropertyValue`,
	 * `error.transport.files.maxFileSizeExceeded`, `error.gateway.files.unreadable`,
	 * `error.gateway.files.outcomeUnknown`
	 */
	async upload(
		input: unknown,
		content: UploadContent,
		options: UploadOptions = {},
	): Promise<FileDto> {
		const { account, clock, random, store } = this.context;
		const { expiresAt = neverExpires, ...description } = parseInput(
			uploadInputSchema,
			input,
			invalid,
		);
		if (options.idempotencyKey !== undefined) {
			const earlier = await store.read((tx) => uploadedWith(tx, options), options);
			if (earlier !== undefined) return this.toDto(earlier);
		}
		if (isExpired(expiresAt, clock.now())) {
			throw invalid("'expiresAt' is not valid: must be in the future.", 'expiresAt');
		}
		throwIfAborted(options);
		const { sealed, filesize } = await withSource(content, async (source) => ({
			sealed: await sealFile(source, description, account.deviceKeys.privateKey, random),
			filesize: source.size,
		}));
		const uploaded = await this.handOver(sealed, expiresAt, options);
		const file = { ...description, filesize, expiresAt };
		const stored = recordOfUpload(uploaded, sealed, file, account, options.idempotencyKey);
		return await store.transact(async (tx) => {
			if (await tx.files.insert(stored.record, stored.secrets)) return this.toDto(stored);
			// Another process was faster with the same upload: then its file counts.
			const first = await uploadedWith(tx, options);
			if (first === undefined) throw otherFile(uploaded.id);
			return this.toDto(first);
		});
	}

	private async handOver(
		sealed: SealedFile,
		expiresAt: string,
		options: Cancellable,
	): Promise<UploadedFile> {
		const { account, backbone } = this.context;
		const { content, cipherHash, ownerSignature, encryptedProperties } = sealed;
		const fields = { cipherHash, owner: account.address, ownerSignature, expiresAt };
		try {
			return await backbone.files.upload(content, { ...fields, encryptedProperties }, options);
		} catch (error) {
			if (isGatewayError(error) && !isOutcomeUnknown(error)) throw error;
			throw uploadUnconfirmed(error);
		}
	}

	/** @throws `error.runtime.recordNotFound` */
	async get(id: string, options: Cancellable = {}): Promise<FileDto> {
		return this.toDto(await this.find(id, options));
	}

	async list(query: Query<FileField> = {}, options: Cancellable = {}): Promise<FileDto[]> {
		const entries = await this.context.store.read((tx) => tx.files.list(query), options);
		return entries.map((entry) => this.toDto(entry));
	}

	/** In the order of the ids; unknown ones are left out. */
	async getMany(ids: readonly string[], options: Cancellable = {}): Promise<FileDto[]> {
		const entries = await this.context.store.read((tx) => tx.files.getMany(ids), options);
		return entries.map((entry) => this.toDto(entry));
	}

	/**
	 * The stored file, without asking the Backbone, or else a peer's by its id and key.
	 *
	 * @param key of the reference, token or message that leads to the file
	 * @throws `error.runtime.recordNotFound`, `error.transport.files.invalidMetadata`,
	 * `error.crypto.*`, `error.runtime.requestDeserialization`
	 */
	async getOrLoad(
		{ id, key }: { readonly id: string; readonly key: string },
		options: Cancellable = {},
	): Promise<FileDto> {
		const { store } = this.context;
		const known = await store.read((tx) => tx.files.get(id), options);
		if (known !== undefined) return this.toDto(known);
		const loaded = await this.fetch({ id, key }, options);
		return await store.transact(async (tx) => {
			await tx.files.insert(loaded.record, loaded.secrets);
			// Another process may have been faster; then its row counts.
			return this.toDto((await tx.files.get(id)) ?? loaded);
		});
	}

	/** A peer's file as the Backbone has it, not stored yet. */
	async fetch(
		{ id, key }: { readonly id: string; readonly key: string },
		options: Cancellable,
	): Promise<StoredFile> {
		const { backbone, account } = this.context;
		const wire = await backbone.files.metadata(id, options);
		return recordOfWire(id, wire, asSecretKey(key), account.address);
	}

	/**
	 * The content, from the Backbone each time; both hashes are checked.
	 *
	 * @throws `error.runtime.recordNotFound`, `error.transport.files.cipherMismatch`,
	 * `error.transport.files.plaintextHashMismatch`, `error.crypto.encryption.decrypt`
	 */
	async download(id: string, options: Cancellable = {}): Promise<DownloadedFile> {
		const { record, secrets } = await this.find(id, options);
		const bytes = await this.context.backbone.files.content(id, options);
		const content = openFile(bytes, record.cipherHash, {
			plaintextHash: record.plaintextHash,
			secretKey: asSecretKey(secrets.contentKey),
		});
		const { filename, mimetype } = record;
		return { content, filename: filename === '' ? id : filename, mimetype };
	}

	/**
	 * An own file for everybody, a peer's only here.
	 *
	 * @throws `error.runtime.recordNotFound`; `error.platform.forbidden` for an own file that somebody
	 * else has created
	 */
	async delete(id: string, options: Cancellable = {}): Promise<void> {
		const { record } = await this.find(id, options);
		if (record.isOwn) await this.deleteOwn(id, options);
		else await this.context.store.transact((tx) => tx.files.delete(id), options);
	}

	/** PNG bytes. @throws `error.runtime.recordNotFound` */
	async qrCode(
		id: string,
		format: 'reference' | 'link',
		options: Cancellable = {},
	): Promise<Uint8Array> {
		const { record, secrets } = await this.find(id, options);
		const { backboneBaseUrl } = this.context.account;
		return await renderQrCode(referenceTo(record, secrets, backboneBaseUrl), format);
	}

	/** For an interrupted deletion, too: a file that is gone already is deleted. */
	async deleteOwn(id: string, options: Cancellable): Promise<void> {
		const { backbone, changes } = this.context;
		await changes.delete(
			{
				id,
				action: 'deleteFile',
				call: () => backbone.files.delete(id, options),
				complete: (tx) => tx.files.delete(id),
			},
			options,
		);
	}

	toDto({ record, secrets }: StoredFile): FileDto {
		return toFileDto(record, secrets, this.context.account.backboneBaseUrl);
	}

	/** @throws `error.runtime.recordNotFound` */
	async find(id: string, options: Cancellable): Promise<StoredFile> {
		const entry = await this.context.store.read((tx) => tx.files.get(id), options);
		if (entry === undefined) throw unknownFile(id);
		return entry;
	}
}

async function uploadedWith(
	tx: ReadTransaction,
	{ idempotencyKey: value }: UploadOptions,
): Promise<StoredFile | undefined> {
	if (value === undefined) return undefined;
	return await tx.files.first({ where: [{ field: 'idempotencyKey', op: 'eq', value }] });
}

function invalid(message: string, field: string): GatewayError {
	return fileErrors.create('invalidInput', { message, facts: { field } });
}
