import { multipartForm } from '../../../core/backbone/http/multipart';
import { bytes, type RawAccount, type RawAnswer } from './raw-client';

/** A file that lives for an hour, with parts of the form replaced. */
export async function uploadFile(
	account: RawAccount,
	change: Record<string, string> = {},
	content: Uint8Array | string = 'cipher',
): Promise<RawAnswer> {
	const texts = {
		cipherHash: bytes(64),
		owner: account.address,
		ownerSignature: bytes(100),
		expiresAt: new Date(Date.now() + 3_600_000).toISOString(),
		encryptedProperties: bytes(200),
		...change,
	};
	const form = multipartForm(
		{
			name: 'content',
			filename: 'cipher.bin',
			contentType: 'application/octet-stream',
			content: Buffer.from(content),
		},
		Object.entries(texts),
	);
	return await account.call('POST', 'Files', Buffer.concat(form.pieces), {
		'content-type': form.contentType,
	});
}
