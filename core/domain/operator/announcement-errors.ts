import { defineErrors } from '../../base/errors';

/** Coded errors of announcements (docs/protocol/http-api.md 8.2). */
export const announcementErrors = defineErrors({
	invalidInput: {
		code: 'error.runtime.validation.invalidPropertyValue',
		kind: 'invalid',
		remedy: "Give 'language' as a code of two letters, for example en or de.",
	},
});
