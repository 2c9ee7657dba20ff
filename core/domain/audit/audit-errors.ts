import { defineErrors } from '../../base/errors';

/** Coded errors of the audit. */
export const auditErrors = defineErrors({
	broken: {
		code: 'error.gateway.audit.broken',
		kind: 'internal',
		meaning: 'Rows of the audit were changed or removed, or the audit was set back.',
		remedy:
			"Run 'npx n8n-nodes-enmeshed audit verify', which names the rows, and find out who can write to the database.",
	},
});
