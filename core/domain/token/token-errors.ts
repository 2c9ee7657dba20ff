import { general } from '../../base/error-definitions';
import { defineErrors } from '../../base/errors';

/** Coded errors of tokens (docs/protocol/transport.md 9, 18; http-api.md 8.13). */
export const tokenErrors = defineErrors({
	notFound: {
		...general.recordNotFound,
		remedy:
			'Check the token ID or reference. A token that expired, was deleted, is meant for another identity or is protected by another password looks the same as an unknown one.',
	},
	/**
	 * own content that a token cannot contain, or a peer's content of another kind than the operation
	 * loads
	 */
	invalidTokenContent: general.invalidTokenContent,
	emptyToken: {
		code: 'error.transport.tokens.emptyToken',
		kind: 'conflict',
		meaning: 'The token has no content yet.',
		remedy: 'Wait until the token has been filled, then load it again.',
	},
	otherObject: {
		code: 'error.transport.tokens.invalidTokenContent',
		kind: 'invalid',
		meaning: 'The answer of the Backbone is about another token.',
		remedy:
			'The Backbone answered with another token than the requested token; report this to its operator.',
	},
});
