import { open, type FileHandle } from 'node:fs/promises';
import { longestPlaintext } from '../../crypto/cipher-text';
import { fileErrors } from './file-errors';
import type { FileSource } from './file-envelope';
import { errorCodeOf } from '../../base/members';

/** Source of an upload: memory, or a file on the disk of this machine. */
export type UploadContent = Uint8Array | { readonly path: string };

/**
 * Limit of official clients, which refuse longer plaintexts before they call the Backbone
 * (transport 8.1).
 */
const maxPlaintextBytes = 10 * 1024 * 1024;
/** Limit of the Backbone for encrypted files; encryption makes a file a third larger. */
const maxCipherBytes = 10 * 1024 * 1024;
const maxSealableBytes = longestPlaintext(maxCipherBytes);

const pieceLength = 64 * 1024;

/**
 * @throws `error.runtime.validation.invalidPropertyValue`,
 * `error.transport.files.maxFileSizeExceeded`
 */
export function checkFileSize(size: number): void {
	if (size <= maxSealableBytes) return;
	const isTooLargeForAll = size > maxPlaintextBytes;
	const message =
		`'content' is too large: the file has ${size} bytes, and at most ${maxSealableBytes} fit, ` +
		`because encryption makes a file a third larger.`;
	const facts = {
		field: 'content',
		size,
		maxPlaintextBytes,
		maxCipherBytes,
		maxContentBytes: maxSealableBytes,
	};
	throw fileErrors.create(isTooLargeForAll ? 'invalidInput' : 'maxFileSizeExceeded', {
		message,
		facts,
		remedy: fileErrors.maxFileSizeExceeded.remedy,
	});
}

/**
 * Runs the work with the pieces of the content; a file is open only during the work.
 *
 * @throws `error.gateway.files.unreadable` and the codes of {@link checkFileSize}
 */
export async function withSource<Result>(
	content: UploadContent,
	work: (source: FileSource) => Promise<Result>,
): Promise<Result> {
	if (content instanceof Uint8Array) {
		checkFileSize(content.length);
		return await work({ size: content.length, pieces: [content] });
	}
	const file = await open(content.path, 'r').catch((error: unknown) => {
		throw unreadable(error);
	});
	try {
		const stat = await file.stat();
		if (!stat.isFile()) throw unreadable({ code: 'EISDIR' });
		checkFileSize(stat.size);
		return await work({ size: stat.size, pieces: piecesOf(file, stat.size) });
	} finally {
		await file.close();
	}
}

/**
 * Reads the file in pieces that share one buffer: the consumer has to process each piece before it
 * takes the next.
 */
async function* piecesOf(file: FileHandle, size: number): AsyncGenerator<Uint8Array> {
	const buffer = Buffer.allocUnsafeSlow(pieceLength);
	let position = 0;
	for (;;) {
		const { bytesRead } = await file.read(buffer, 0, pieceLength, position).catch((error) => {
			throw unreadable(error);
		});
		position += bytesRead;
		if (position > size || (bytesRead === 0 && position < size)) {
			throw unreadable({ code: 'it changed while it was read' });
		}
		if (bytesRead === 0) return;
		yield buffer.subarray(0, bytesRead);
	}
}

/**
 * Creates an error that states only the reason: the path comes from the caller and may contain
 * names of people.
 */
function unreadable(error: unknown): Error {
	const reason = String(errorCodeOf(error) ?? 'unknown reason');
	return fileErrors.create('unreadable', {
		message: `The file to upload cannot be read: ${reason}.`,
		facts: { reason },
	});
}
