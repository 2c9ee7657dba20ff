import { defineErrors } from '../../base/errors';

/** Coded errors of calls under idempotency keys. */
export const idempotencyErrors = defineErrors({
	keyReused: {
		code: 'error.gateway.idempotency.keyReused',
		kind: 'invalid',
		meaning: 'The idempotency key was used for another request.',
		remedy: 'Use a new key for each request, and the same key only for its repetitions.',
	},
	inProgress: {
		code: 'error.gateway.idempotency.inProgress',
		kind: 'conflict',
		meaning: 'The first request with this idempotency key is still running.',
		remedy: 'Repeat the request after some seconds.',
	},
	tooMany: {
		code: 'error.gateway.idempotency.tooMany',
		kind: 'unavailable',
		meaning: 'The account keeps as many idempotency keys as it may; each is kept for 24 hours.',
		remedy: 'Send fewer requests with the header Idempotency-Key, or repeat the request later.',
	},
});
