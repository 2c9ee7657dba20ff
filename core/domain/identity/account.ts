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

/** Identity with what its account has chosen. */
export interface OpenedAccount extends Account {
	/**
	 * true if peers get an own attribute under the id that it has here, as in version 7; false if each
	 * copy has an id of its own
	 */
	readonly hasOneId: boolean;
}
