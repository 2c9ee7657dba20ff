import type { SignatureKeyPair } from '../../crypto/signature-keys';

/** Who we are: what the other services need of the opened identity. Keys stay in memory only. */
export interface Account {
	readonly address: string;
	readonly deviceId: string;
	/** of the Backbone the identity lives on, as written into references */
	readonly backboneBaseUrl: string;
	readonly identityKeys: SignatureKeyPair;
	readonly deviceKeys: SignatureKeyPair;
}
