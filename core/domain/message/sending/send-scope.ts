import type { JsonObject } from '../../../model/json';

/** Types of content in which no other noun takes part. */
const plainTypes = ['Mail', 'ArbitraryMessageContent'];

/**
 * Scope of the transaction that prepares a message: the counters of its recipients, and the
 * idempotency key. Undefined for content whose request or notification is written too.
 */
export function scopeOfPreparation(
	content: JsonObject,
	recipients: readonly string[],
	idempotencyKey: string | undefined,
): readonly string[] | undefined {
	if (!isPlain(content)) return undefined;
	const counters = recipients.map((address) => `counter:${address}`);
	return idempotencyKey === undefined ? counters : [...counters, `key:${idempotencyKey}`];
}

/** Scope of the transaction that completes a send: the send with its message. */
export function scopeOfCompletion(
	content: JsonObject,
	intentId: string,
): readonly string[] | undefined {
	return isPlain(content) ? [`send:${intentId}`] : undefined;
}

function isPlain(content: JsonObject): boolean {
	return plainTypes.includes(String(content['@type']));
}
