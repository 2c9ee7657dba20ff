import { defineErrors, type GatewayError } from '../base/errors';

/** Coded errors of looking at problems, trying again and giving up. */
export const problemErrors = defineErrors({
	unknown: {
		code: 'error.gateway.problems.unknown',
		kind: 'notFound',
		remedy: 'List the problems, and name one as it stands there; it may be solved already.',
	},
	notDiscardable: {
		code: 'error.gateway.problems.notDiscardable',
		kind: 'conflict',
		remedy:
			'Leave it out. What was received can be discarded when it is not tried by itself any more; a message that belongs to a change made here is sent, or goes with its relationship; an unfinished answer, a relationship that was asked for and the deletion of the identity are tried on.',
	},
	invalidSelection: {
		code: 'error.gateway.problems.invalidSelection',
		kind: 'invalid',
		remedy:
			"Name what is meant by 'ids', a list of ids as problems have them, or say 'all': true, which 'kind' (receivedEvent, delivery, sending or unfinishedChange) and 'consumer' narrow; a list takes all three without 'all'.",
	},
});

export function unknownProblems(ids: readonly string[]): GatewayError {
	return problemErrors.create('unknown', {
		message: `There is no problem with the ID ${ids.map((id) => `'${id}'`).join(', ')}.`,
		facts: { problemIds: ids },
	});
}
