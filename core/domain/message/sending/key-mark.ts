import { createHmac } from 'node:crypto';
import { encodeBase64Url } from '../../../base/encoding';
import { readCipherField } from '../../../crypto/json-forms';
import { keyBytes } from '../../../crypto/keys';
import type { Account } from '../../identity/account';

const nonceLength = 24;
const purpose = 'n8n-nodes-enmeshed: nonce of a message with an idempotency key';

/**
 * Nonce of the body of a message that is sent under an idempotency key. It is derived from the key
 * with a secret of this account, so that a copy of the account which does not know the send
 * recognises the message at the Backbone. The body has a random key of its own, which is used with
 * this nonce only.
 */
export function nonceOfKey({ deviceKeys }: Pick<Account, 'deviceKeys'>, key: string): Uint8Array {
	const secret = createHmac('sha256', keyBytes(deviceKeys.privateKey)).update(purpose).digest();
	return createHmac('sha256', secret).update(key).digest().subarray(0, nonceLength);
}

/** Stands for the idempotency key of a send that was found at the Backbone. */
export function markOfKey(account: Pick<Account, 'deviceKeys'>, key: string): string {
	return toMark(encodeBase64Url(nonceOfKey(account, key)));
}

/** Mark of a message at the Backbone; undefined for a body that this account does not write. */
export function markOfBody(body: string): string | undefined {
	try {
		const { nnc } = readCipherField(body);
		return nnc === undefined ? undefined : toMark(nnc);
	} catch {
		return undefined;
	}
}

const toMark = (nonce: string): string => `mark:${nonce}`;
