import { throwIfAborted, type Cancellable } from '../../base/abort';
import { isGatewayError } from '../../base/errors';
import type { UploadedFile } from '../../backbone/dto';
import { asSecretKey } from '../../crypto/keys';
import { uploadInputSchema } from '../../model/input/file';
import { isExpired } from '../../model/instant';
import type { Reference } from '../../model/reference';
import type { DownloadedFile, FileDto } from '../../model/record/file';
import type { ReadTransaction } from '../../store/store';
import type { QrCodeFormat, QrCodeOptions } from '../../facade/qr-codes';
import { isOutcomeUnknown } from '../unfinished/outcome';
import { referenceTo } from '../password-protection';
import { renderQrCode, renderQrCodeSvg } from '../qr/reference-qr';
import { parseInput } from '../validation';
import { listOf } from '../query/list-with-query';
import type { FileDependencies } from './file-dependencies';
import { toFileDto } from './file-dto';
import { openFile, sealFile, type SealedFile } from './file-envelope';
import { otherFile, unknownFile, uploadUnconfirmed } from './file-errors';
import { recordOfUpload, recordOfWire, type StoredFile } from './file-records';
import { withSource, type UploadContent } from './file-source';
import { fileQueryFields } from './file-query';
import { matching } from '../query/conditions';
import { invalidInput } from '../input-errors';

/** Expiry date of files without expiry at the Backbone. */
const neverExpires = '9999-12-31T00:00:00.000Z';

export interface UploadOptions extends Cancellable {
	/** key of the upload: a repetition with the same key returns the file that was stored first */
	readonly idempotencyKey?: string;
}

/** Use cases of files (docs/protocol/transport.md 8). */
export class FileService {
	constructor(private readonly dependencies: FileDependencies) {}

	/**
	 * Encrypts the content, uploads it and stores the keys. If the answer is lost, or the process
	 * dies during the call, an unreadable file is left at the Backbone: it cannot be found again,
	 * because the Backbone lists files only by their ids.
	 *
	 * @param content bytes, or the path of a file, which is read in pieces; never text from a caller
	 * @throws `error.runtime.validation.invalidPropertyValue`,
	 * `error.transport.files.maxFileSizeExceeded`, `error.gateway.files.unreadable`,
	 * `error.gateway.files.outcomeUnknown`
	 */
	async upload(
		input: unknown,
		content: UploadContent,
		options: UploadOptions = {},
	): Promise<FileDto> {
		const { account, clock, random, store } = this.dependencies;
		const { expiresAt = neverExpires, ...description } = parseInput(uploadInputSchema, input);
		if (options.idempotencyKey !== undefined) {
			const earlier = await store.read((tx) => uploadedWith(tx, options), options);
			if (earlier !== undefined) return this.toDto(earlier);
		}
		if (isExpired(expiresAt, clock.now())) {
			throw invalidInput("'expiresAt' is not valid: must be in the future.", 'expiresAt');
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
			if (await tx.files.insertIfNew(stored.record, stored.secrets)) return this.toDto(stored);
			// Another process completed the same upload first; its file is returned.
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
		const { account, backbone } = this.dependencies;
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

	readonly list = listOf(fileQueryFields, async (query, options) => {
		const entries = await this.dependencies.store.read((tx) => tx.files.list(query), options);
		return entries.map((entry) => this.toDto(entry));
	});

	/** Returns the files in the order of the ids; unknown ids are left out. */
	async getMany(ids: readonly string[], options: Cancellable = {}): Promise<FileDto[]> {
		const entries = await this.dependencies.store.read((tx) => tx.files.getMany(ids), options);
		return entries.map((entry) => this.toDto(entry));
	}

	/**
	 * Returns the stored file without a call to the Backbone, or else loads a peer's file by its id
	 * and key.
	 *
	 * @param key from the reference, token or message that refers to the file
	 * @throws `error.runtime.recordNotFound`, `error.transport.files.invalidMetadata`,
	 * `error.crypto.*`, `error.runtime.requestDeserialization`
	 */
	async getOrLoad(
		{ id, key }: { readonly id: string; readonly key: string },
		options: Cancellable = {},
	): Promise<FileDto> {
		const { store } = this.dependencies;
		const known = await store.read((tx) => tx.files.get(id), options);
		if (known !== undefined) return this.toDto(known);
		const loaded = await this.fetch({ id, key }, options);
		return await store.transact(async (tx) => {
			await tx.files.insertIfNew(loaded.record, loaded.secrets);
			// Another process may have stored the file first; its row is returned.
			return this.toDto((await tx.files.get(id)) ?? loaded);
		});
	}

	/** Reads a peer's file from the Backbone without storing it. */
	async fetch(
		{ id, key }: { readonly id: string; readonly key: string },
		options: Cancellable,
	): Promise<StoredFile> {
		const { backbone, account } = this.dependencies;
		const wire = await backbone.files.metadata(id, options);
		return recordOfWire(id, wire, asSecretKey(key), account.address);
	}

	/**
	 * Downloads the content from the Backbone on each call, decrypts it and verifies both hashes.
	 *
	 * @throws `error.runtime.recordNotFound`, `error.transport.files.cipherMismatch`,
	 * `error.transport.files.plaintextHashMismatch`, `error.crypto.encryption.decrypt`
	 */
	async download(id: string, options: Cancellable = {}): Promise<DownloadedFile> {
		const { record, secrets } = await this.find(id, options);
		const bytes = await this.dependencies.backbone.files.content(id, options);
		const content = openFile(bytes, record.cipherHash, {
			plaintextHash: record.plaintextHash,
			secretKey: asSecretKey(secrets.contentKey),
		});
		const { filename, mimetype } = record;
		return { content, filename: filename === '' ? id : filename, mimetype };
	}

	/**
	 * Deletes an own file at the Backbone and locally, a peer's file only locally.
	 *
	 * @throws `error.runtime.recordNotFound`; `error.platform.forbidden` for an own file that another
	 * identity has created
	 */
	async delete(id: string, options: Cancellable = {}): Promise<void> {
		const { record } = await this.find(id, options);
		if (record.isOwn) await this.deleteOwn(id, options);
		else await this.dependencies.store.transact((tx) => tx.files.delete(id), options);
	}

	/** @throws `error.runtime.recordNotFound` and the codes of rendering */
	async qrCode(id: string, format: QrCodeFormat, options: QrCodeOptions = {}): Promise<Uint8Array> {
		return await renderQrCode(await this.referenceOf(id, options), format, options);
	}

	async qrCodeSvg(id: string, format: QrCodeFormat, options: QrCodeOptions = {}): Promise<string> {
		return await renderQrCodeSvg(await this.referenceOf(id, options), format, options);
	}

	/**
	 * Deletes an own file. Also completes interrupted deletions: a file that the Backbone no longer
	 * has counts as deleted.
	 */
	async deleteOwn(id: string, options: Cancellable): Promise<void> {
		const { backbone, changes } = this.dependencies;
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
		return toFileDto(record, secrets, this.dependencies.account.backboneBaseUrl);
	}

	/** @throws `error.runtime.recordNotFound` */
	async find(id: string, options: Cancellable): Promise<StoredFile> {
		const entry = await this.dependencies.store.read((tx) => tx.files.get(id), options);
		if (entry === undefined) throw unknownFile(id);
		return entry;
	}

	private async referenceOf(id: string, options: Cancellable): Promise<Omit<Reference, 'kind'>> {
		const { record, secrets } = await this.find(id, options);
		return referenceTo(record, secrets, this.dependencies.account.backboneBaseUrl);
	}
}

async function uploadedWith(
	tx: ReadTransaction,
	{ idempotencyKey: value }: UploadOptions,
): Promise<StoredFile | undefined> {
	if (value === undefined) return undefined;
	return await tx.files.first({ where: matching({ idempotencyKey: value }) });
}
