import type { SignatureKeyPair } from '../../crypto/signature-keys';

/** Opened identity, as other services need it. Keys are kept in memory only. */
export interface Account {
	readonly address: string;
	readonly deviceId: string;
	/** Backbone of the identity, as written into references */
	readonly backboneBaseUrl: string;
	readonly identityKeys: SignatureKeyPair;
	readonly deviceKeys: SignatureKeyPair;
}
