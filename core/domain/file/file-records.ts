import { createHash } from 'node:crypto';
import type { UploadedFile, WireFile } from '../../backbone/dto';
import type { SecretKey } from '../../crypto/keys';
import type { FileRecord, FileSecrets } from '../../model/record/file';
import type { Entry } from '../../store/store';
import { openFileMetadata, type FileDescription, type SealedFile } from './file-envelope';
import { otherFile } from './file-errors';

/** Stored file: the data that every holder of a reference can read, and the keys. */
export type StoredFile = Entry<FileRecord, FileSecrets>;

/**
 * Hashes an ownership token, so that a file can be found by its token, which is encrypted at rest.
 */
export function hashOwnershipToken(token: string): string {
	return createHash('sha256').update(token).digest('base64url');
}

/** Builds the record of a file that this account has just uploaded. */
export function recordOfUpload(
	uploaded: UploadedFile,
	sealed: SealedFile,
	file: FileDescription & { readonly filesize: number; readonly expiresAt: string },
	owner: { readonly address: string; readonly deviceId: string },
	idempotencyKey?: string,
): StoredFile {
	const token = uploaded.ownershipToken ?? undefined;
	return {
		record: {
			id: uploaded.id,
			isOwn: true,
			owner: owner.address,
			createdAt: uploaded.createdAt,
			createdBy: owner.address,
			createdByDevice: owner.deviceId,
			expiresAt: file.expiresAt,
			filesize: file.filesize,
			...described(file),
			cipherHash: sealed.cipherHash,
			plaintextHash: sealed.plaintextHash,
			...(token === undefined ? {} : { ownershipTokenHash: hashOwnershipToken(token) }),
			...(idempotencyKey === undefined ? {} : { idempotencyKey }),
		},
		secrets: {
			secretKey: sealed.metadataKey,
			contentKey: sealed.contentKey,
			...(token === undefined ? {} : { ownershipToken: token }),
		},
	};
}

/**
 * Builds the record of a file from the Backbone's answer.
 *
 * @throws `error.transport.files.invalidMetadata` when the answer is about another file
 * @throws `error.crypto.encryption.decrypt`, `error.runtime.requestDeserialization`
 */
export function recordOfWire(
	id: string,
	wire: WireFile,
	metadataKey: SecretKey,
	ownAddress: string,
): StoredFile {
	if (wire.id != null && wire.id !== id) throw otherFile(wire.id);
	const metadata = openFileMetadata(wire.encryptedProperties, metadataKey);
	return {
		record: {
			id,
			isOwn: wire.owner === ownAddress,
			owner: wire.owner,
			createdAt: wire.createdAt,
			createdBy: wire.createdBy,
			createdByDevice: wire.createdByDevice,
			expiresAt: wire.expiresAt,
			filesize: metadata.filesize,
			...described(metadata),
			cipherHash: Buffer.from(wire.cipherHash, 'base64').toString('base64url'),
			plaintextHash: metadata.plaintextHash,
			...(wire.ownershipIsLocked === true && wire.owner === ownAddress
				? { ownershipIsLocked: true as const }
				: {}),
			...(wire.deletedAt == null ? {} : { deletedAt: wire.deletedAt }),
			...(wire.deletedBy == null ? {} : { deletedBy: wire.deletedBy }),
			...(wire.deletedByDevice == null ? {} : { deletedByDevice: wire.deletedByDevice }),
		},
		secrets: { secretKey: metadataKey, contentKey: metadata.secretKey },
	};
}

/** Returns the file with another owner; only the owner has a token and can see a lock. */
export function withOwner(
	{ record, secrets }: StoredFile,
	owner: string,
	ownAddress: string,
	ownershipToken?: string,
): StoredFile {
	const { ownershipIsLocked: _lock, ownershipTokenHash: _hash, ...rest } = record;
	const { ownershipToken: _token, ...keys } = secrets;
	const hash = ownershipToken && hashOwnershipToken(ownershipToken);
	return {
		record: {
			...rest,
			owner,
			isOwn: owner === ownAddress,
			...(hash === undefined ? {} : { ownershipTokenHash: hash }),
		},
		secrets: { ...keys, ...(ownershipToken === undefined ? {} : { ownershipToken }) },
	};
}

function described({
	filename,
	mimetype,
	title,
	description,
	tags,
	filemodified,
}: FileDescription): Pick<FileRecord, keyof FileDescription> {
	return {
		filename,
		mimetype,
		...(title === undefined ? {} : { title }),
		...(description === undefined ? {} : { description }),
		...(tags === undefined ? {} : { tags: [...tags] }),
		...(filemodified === undefined ? {} : { filemodified }),
	};
}
