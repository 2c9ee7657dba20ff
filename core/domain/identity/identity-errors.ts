import { defineErrors } from '../../base/errors';

/** Coded errors of our own identity and device (docs/protocol/crypto-and-identity.md 8, 12). */
export const identityErrors = defineErrors({
	noIdentityFound: {
		code: 'error.transport.general.noIdentityFound',
		kind: 'notFound',
		remedy: 'Allow the creation of an identity, or check the account name and the store folder.',
	},
	anotherBackbone: {
		code: 'error.gateway.identity.belongsToAnotherBackbone',
		kind: 'conflict',
		remedy:
			"Enter the Backbone URL this account was created with, or choose another 'Account Name' for the new Backbone.",
	},
	addressMismatch: {
		code: 'error.gateway.identity.addressMismatch',
		kind: 'invalid',
		remedy:
			"The Backbone uses another host name in addresses than the one in its URL: enter that name in 'Address Hostname'.",
	},
	creationBusy: {
		code: 'error.gateway.identity.creationBusy',
		kind: 'unavailable',
		remedy: 'Another process is creating the identity of this account; repeat in a moment.',
	},
	newerDatawallet: {
		code: 'error.transport.datawallet.insufficientSupportedDatawalletVersion',
		kind: 'conflict',
		remedy: 'Newer software has used this identity; update this package.',
	},
});
