import { defineErrors } from '../../base/errors';

/** Coded errors of what is remembered of identities (docs/protocol/consumption.md 12). */
export const identityMetadataErrors = defineErrors({
	notFound: {
		code: 'error.runtime.identityMetadata.notFound',
		kind: 'invalid',
		remedy: 'Check the address and the key; nothing was stored for them.',
	},
	unfamiliar: {
		code: 'error.runtime.identityMetadata.unfamiliarReferencedIdentity',
		kind: 'invalid',
		remedy: 'Give our own address, or that of a peer that we have a relationship with.',
	},
	invalidInput: {
		code: 'error.runtime.validation.invalidPropertyValue',
		kind: 'invalid',
		remedy: 'Correct the named field.',
	},
});
