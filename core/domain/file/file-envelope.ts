import * as z from 'zod';
import { decodeUtf8, encodeBase64Url, encodeUtf8 } from '../../base/encoding';
import type { Random } from '../../base/random';
import { sha512 } from '../../crypto/hashes';
import {
	readCipher,
	readCipherField,
	secretKeySchema,
	writeCipherField,
	writeSecretKey,
	writeSignatureField,
} from '../../crypto/json-forms';
import type { SecretKey, SignaturePrivateKey } from '../../crypto/keys';
import { decrypt, decryptText, encrypt, generateSecretKey } from '../../crypto/secret-key';
import { sign, signatureLabels } from '../../crypto/signature-keys';
import { parseWireJson } from '../../crypto/wire-json';
import { readEnvelopeText } from '../envelope/envelope-content';
import { envelopeErrors } from '../envelope/envelope-errors';

/*
 * A file at the Backbone: the JSON text of a cipher as its bytes, and metadata with the content key
 * under a second key, which travels in references.
 * Source: docs/protocol/crypto-and-identity.md 5.6
 */
export interface FileDescription {
	readonly filename: string;
	readonly mimetype: string;
	readonly description?: string | undefined;
	readonly filemodified?: string | undefined;
	readonly tags?: readonly string[] | undefined;
	readonly title?: string | undefined;
}

/** The parts of the upload and the key of the reference. */
export interface SealedFile {
	readonly content: Uint8Array;
	readonly cipherHash: string;
	readonly ownerSignature: string;
	readonly encryptedProperties: string;
	readonly metadataKey: SecretKey;
}

export function sealFile(
	plaintext: Uint8Array,
	description: FileDescription,
	devicePrivateKey: SignaturePrivateKey,
	random: Random,
): SealedFile {
	const plaintextHash = sha512(plaintext);
	const contentKey = generateSecretKey(random);
	const cipher = encrypt(contentKey, plaintext, random);
	const content = encodeUtf8(JSON.stringify({ ...cipher, '@type': 'CryptoCipher' }));
	const { description: text, filemodified, filename, mimetype, tags, title } = description;
	const metadata = JSON.stringify({
		'@type': 'FileMetadata',
		description: text,
		filemodified,
		filename,
		filesize: plaintext.length,
		mimetype,
		plaintextHash: encodeBase64Url(plaintextHash),
		secretKey: writeSecretKey(contentKey),
		tags,
		title,
	});
	const metadataKey = generateSecretKey(random);
	return {
		content,
		cipherHash: encodeBase64Url(sha512(content)),
		ownerSignature: writeSignatureField(
			sign(plaintextHash, devicePrivateKey, signatureLabels.device),
		),
		encryptedProperties: writeCipherField(encrypt(metadataKey, metadata, random)),
		metadataKey,
	};
}

const fileMetadataSchema = z.object({
	description: z.string().optional(),
	filemodified: z.string().optional(),
	filename: z.string(),
	filesize: z.number(),
	mimetype: z.string(),
	plaintextHash: z.string(),
	secretKey: secretKeySchema,
	tags: z.array(z.string()).optional(),
	title: z.string().optional(),
});
export type FileMetadata = z.infer<typeof fileMetadataSchema>;

/** @throws `error.crypto.encryption.decrypt`, `error.runtime.requestDeserialization` */
export function openFileMetadata(field: string, metadataKey: SecretKey): FileMetadata {
	const text = decryptText(metadataKey, readCipherField(field));
	return readEnvelopeText(text, fileMetadataSchema, 'the metadata of a file');
}

/**
 * @param content the bytes as downloaded
 * @param cipherHash of the Backbone's metadata
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
	const cipher = readCipher(parseWireJson(decodeUtf8(content) ?? ''));
	const plaintext = decrypt(metadata.secretKey, cipher);
	if (encodeBase64Url(sha512(plaintext)) === metadata.plaintextHash) return plaintext;
	const message = 'Expected the file that the owner described, its hash is another';
	throw envelopeErrors.create('plaintextHashMismatch', { message });
}
