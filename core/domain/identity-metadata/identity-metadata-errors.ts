import { defineErrors } from '../../base/errors';

/** Coded errors of identity metadata (docs/protocol/consumption.md 12). */
export const identityMetadataErrors = defineErrors({
	notFound: {
		code: 'error.runtime.identityMetadata.notFound',
		kind: 'invalid',
		meaning: 'Nothing is stored for this address and key.',
		remedy: 'Check the address and the key; nothing was stored for them.',
	},
	unfamiliar: {
		code: 'error.runtime.identityMetadata.unfamiliarReferencedIdentity',
		kind: 'invalid',
		meaning: 'This account has no relationship with the identity.',
		remedy: 'Enter the own address, or the address of a peer with a relationship to this account.',
	},
});
