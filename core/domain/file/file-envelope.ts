import { createHash } from 'node:crypto';
import * as z from 'zod';
import { encodeBase64Url } from '../../base/encoding';
import type { Random } from '../../base/random';
import { CipherTextWriter, decryptCipherText } from '../../crypto/cipher-text';
import {
	readCipherField,
	secretKeySchema,
	writeCipherField,
	writeSecretKey,
	writeSignatureField,
} from '../../crypto/json-forms';
import type { SecretKey, SignaturePrivateKey } from '../../crypto/keys';
import { decryptText, encrypt, generateSecretKey } from '../../crypto/secret-key';
import { sign, signatureLabels } from '../../crypto/signature-keys';
import { readEnvelopeText } from '../envelope/envelope-content';
import { envelopeErrors } from '../envelope/envelope-errors';

/*
 * Form of a file at the Backbone: its bytes are the JSON text of a cipher; its metadata contains
 * the content key and is encrypted with a second key, which is part of references. Source:
 * docs/protocol/crypto-and-identity.md 5.6
 */
export interface FileDescription {
	readonly filename: string;
	readonly mimetype: string;
	readonly description?: string | undefined;
	readonly filemodified?: string | undefined;
	readonly tags?: readonly string[] | undefined;
	readonly title?: string | undefined;
}

/** Plaintext of a file, in any number of pieces. */
export interface FileSource {
	/** total size of all pieces in bytes */
	readonly size: number;
	readonly pieces: Iterable<Uint8Array> | AsyncIterable<Uint8Array>;
}

/** Parts of the upload, and the keys that open the file again. */
export interface SealedFile {
	readonly content: Uint8Array;
	readonly cipherHash: string;
	readonly ownerSignature: string;
	readonly encryptedProperties: string;
	/** key in references */
	readonly metadataKey: SecretKey;
	readonly contentKey: SecretKey;
	readonly plaintextHash: string;
}

export function sha512(content: Uint8Array): Uint8Array {
	return new Uint8Array(createHash('sha512').update(content).digest());
}

/** @throws TypeError when the length of the pieces differs from the stated size */
export async function sealFile(
	source: FileSource,
	description: FileDescription,
	devicePrivateKey: SignaturePrivateKey,
	random: Random,
): Promise<SealedFile> {
	const contentKey = generateSecretKey(random);
	const writer = new CipherTextWriter(contentKey, source.size, random);
	const hash = createHash('sha512');
	for await (const piece of source.pieces) {
		hash.update(piece);
		writer.update(piece);
	}
	const content = writer.end();
	const hashBytes = new Uint8Array(hash.digest());
	const plaintextHash = encodeBase64Url(hashBytes);
	const { description: text, filemodified, filename, mimetype, tags, title } = description;
	const metadata = JSON.stringify({
		'@type': 'FileMetadata',
		description: text,
		filemodified,
		filename,
		filesize: source.size,
		mimetype,
		plaintextHash,
		secretKey: writeSecretKey(contentKey),
		tags,
		title,
	});
	const metadataKey = generateSecretKey(random);
	return {
		content,
		cipherHash: encodeBase64Url(sha512(content)),
		ownerSignature: writeSignatureField(sign(hashBytes, devicePrivateKey, signatureLabels.device)),
		encryptedProperties: writeCipherField(encrypt(metadataKey, metadata, random)),
		metadataKey,
		contentKey,
		plaintextHash,
	};
}

const fileMetadataSchema = z.object({
	description: z.string().optional(),
	filemodified: z.string().optional(),
	filename: z.string(),
	filesize: z
		.number()
		.int()
		.min(0)
		.max(2 ** 31 - 1),
	mimetype: z.string(),
	plaintextHash: z.string(),
	secretKey: secretKeySchema,
	tags: z.array(z.string()).max(1_000).optional(),
	title: z.string().optional(),
});
export type FileMetadata = z.infer<typeof fileMetadataSchema>;

/** @throws `error.crypto.encryption.decrypt`, `error.runtime.requestDeserialization` */
export function openFileMetadata(field: string, metadataKey: SecretKey): FileMetadata {
	const text = decryptText(metadataKey, readCipherField(field));
	return readEnvelopeText(text, fileMetadataSchema, 'the metadata of a file');
}

/**
 * @param content bytes as downloaded; is overwritten
 * @param cipherHash hash in the Backbone's metadata
 * @throws `error.transport.files.cipherMismatch`, `error.crypto.encryption.decrypt`,
 * `error.transport.files.plaintextHashMismatch`
 */
export function openFile(
	content: Uint8Array,
	cipherHash: string,
	metadata: Pick<FileMetadata, 'plaintextHash' | 'secretKey'>,
): Uint8Array {
	if (encodeBase64Url(sha512(content)) !== cipherHash) {
		const message = 'Expected the bytes that the owner uploaded, their hash is another';
		throw envelopeErrors.create('cipherMismatch', { message });
	}
	const plaintext = decryptCipherText(metadata.secretKey, content);
	if (encodeBase64Url(sha512(plaintext)) === metadata.plaintextHash) return plaintext;
	const message = 'Expected the file that the owner described, its hash is another';
	throw envelopeErrors.create('plaintextHashMismatch', { message });
}
