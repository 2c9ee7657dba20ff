import { defineErrors } from '../base/errors';

/** Coded errors of looking at problems and trying again. */
export const problemErrors = defineErrors({
	unknown: {
		code: 'error.gateway.problems.unknown',
		kind: 'notFound',
		remedy: 'List the problems, and name one as it stands there; it may be solved already.',
	},
	invalidSelection: {
		code: 'error.gateway.problems.invalidSelection',
		kind: 'invalid',
		remedy:
			"Give 'kind' as receivedEvent, delivery or sending to list problems, and 'ids' as a list of their ids to try them again.",
	},
});
