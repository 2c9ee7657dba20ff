import { createHash } from 'node:crypto';

/**
 * Identity of a received message, which no new id and no new time of the Backbone changes: its
 * sender and the text that the sender has signed. The text has the signed time, and a signature
 * follows from text and key, so that equal texts of one sender have the same signature.
 */
export function identityBySignedText(sender: string, signedText: string): string {
	return hash(['text', sender, signedText]);
}

/**
 * Identity of a message that was stored without its signed text. Only the sender and the recipients
 * know its key, which is random.
 */
export function identityByKey(sender: string, messageKey: string): string {
	return hash(['key', sender, messageKey]);
}

function hash(parts: readonly string[]): string {
	return createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
}
