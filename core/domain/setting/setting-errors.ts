import { defineErrors } from '../../base/errors';

/** Coded errors of settings and drafts (docs/protocol/consumption.md 12). */
export const settingErrors = defineErrors({
	notFound: {
		code: 'error.runtime.recordNotFound',
		kind: 'notFound',
		remedy: 'Check the ID or the key; nothing was stored for it.',
	},
	invalidInput: {
		code: 'error.runtime.validation.invalidPropertyValue',
		kind: 'invalid',
		remedy: 'Correct the named field.',
	},
});
