import { general } from '../../base/error-definitions';
import { defineErrors } from '../../base/errors';

/** Coded errors of the audit. */
export const auditErrors = defineErrors({
	invalidInput: general.invalidPropertyValue,
	broken: {
		code: 'error.gateway.audit.broken',
		kind: 'internal',
		meaning: 'The oldest rows of the audit were changed or removed, so none is removed now.',
		remedy:
			"Run 'npx n8n-nodes-enmeshed audit verify', which names the rows, and find out who can write to the database.",
	},
});
