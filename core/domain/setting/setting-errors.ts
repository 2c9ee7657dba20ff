import { general } from '../../base/error-definitions';
import { defineErrors } from '../../base/errors';

/** Coded errors of settings and drafts (docs/protocol/consumption.md 12). */
export const settingErrors = defineErrors({
	notFound: {
		...general.recordNotFound,
		remedy: 'Check the ID or the key; nothing was stored for it.',
	},
});
