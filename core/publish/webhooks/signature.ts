import { createHmac } from 'node:crypto';

export interface SignedContent {
	readonly id: string;
	/** seconds since 1970 */
	readonly timestamp: number;
	readonly body: string;
}

/**
 * Value of the header `webhook-signature`: `v1,` and the Base64 of HMAC-SHA-256 over
 * `<id>.<timestamp>.<body>`, as libraries for "Standard Webhooks" verify it.
 *
 * @param secret `whsec_` and the key in Base64, or a text whose UTF-8 bytes are the key
 * @see docs/protocol/http-api.md 11.1
 */
export function signatureOf(secret: string, { id, timestamp, body }: SignedContent): string {
	const key = secret.startsWith('whsec_')
		? Buffer.from(secret.slice('whsec_'.length), 'base64')
		: Buffer.from(secret, 'utf8');
	return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
}
