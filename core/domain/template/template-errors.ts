import { general } from '../../base/error-definitions';
import { defineErrors } from '../../base/errors';

/** Coded errors of relationship templates (docs/protocol/transport.md 4, 18; http-api.md 8.12). */
export const templateErrors = defineErrors({
	notFound: {
		...general.recordNotFound,
		remedy:
			'Check the template ID or reference. A template that expired, was deleted, is meant for another identity or is protected by another password looks the same as an unknown one.',
	},
	notIntendedForYou: {
		...general.notIntendedForYou,
		remedy: 'This template was made for another identity; ask for a template for this identity.',
	},
	cannotCreateTokenForPeerTemplate: {
		code: 'error.runtime.relationshipTemplates.cannotCreateTokenForPeerTemplate',
		kind: 'forbidden',
		meaning: 'The template belongs to a peer, so no token can be created for it.',
		remedy: 'Make tokens for templates of your own only; a template of a peer has its reference.',
	},
	personalizationMustBeInherited: {
		code: 'error.runtime.relationshipTemplates.personalizationMustBeInherited',
		kind: 'invalid',
		meaning:
			'The template is personalized, and its token is not personalized for the same identity.',
		remedy: 'Give the token the same address in forIdentity as its template has.',
	},
	passwordProtectionMustBeInherited: {
		code: 'error.runtime.relationshipTemplates.passwordProtectionMustBeInherited',
		kind: 'invalid',
		meaning:
			'The template is protected by a password, and its token is not protected in the same way.',
		remedy: 'Give the token the same password, PIN flag and location as its template has.',
	},
	usedUp: {
		code: 'error.platform.validation.relationshipTemplate.maxNumberOfAllocationsExhausted',
		kind: 'conflict',
		meaning: 'The template was used as often as its owner allows.',
		remedy: 'Ask for a new template: this template was used as often as its owner allows.',
	},
	invalidTokenContent: {
		...general.invalidTokenContent,
		remedy: 'Use a token that was made for a relationship template.',
	},
});
