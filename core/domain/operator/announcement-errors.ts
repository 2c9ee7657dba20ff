import { general } from '../../base/error-definitions';
import { defineErrors } from '../../base/errors';

/** Coded errors of announcements (docs/protocol/http-api.md 8.2). */
export const announcementErrors = defineErrors({
	invalidInput: {
		...general.invalidPropertyValue,
		remedy: "Give 'language' as a code of two letters, for example en or de.",
	},
});
