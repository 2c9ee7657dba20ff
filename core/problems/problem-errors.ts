import { defineErrors, type GatewayError } from '../base/errors';

/** Coded errors of listing, retrying and discarding problems. */
export const problemErrors = defineErrors({
	unknown: {
		code: 'error.gateway.problems.unknown',
		kind: 'notFound',
		meaning: 'No problem has this ID.',
		remedy: 'List the problems, and use an ID from the list; the problem may be solved already.',
	},
	notDiscardable: {
		code: 'error.gateway.problems.notDiscardable',
		kind: 'conflict',
		meaning: 'The problem cannot be discarded at present.',
		remedy:
			'Leave it out. A received event can be discarded once it is no longer retried automatically. A message that belongs to a change made here is sent, or removed with its relationship. An unfinished answer, a requested relationship and the deletion of the identity are retried.',
	},
	invalidSelection: {
		code: 'error.gateway.problems.invalidSelection',
		kind: 'invalid',
		meaning: 'The call does not say which problems it is for.',
		remedy:
			"Select problems with 'ids', a list of problem IDs, or with 'all': true, which 'kind' (receivedEvent, delivery, sending, unfinishedChange or wait) and 'consumer' narrow. To list problems, use all three without 'all'.",
	},
});

export function unknownProblems(ids: readonly string[]): GatewayError {
	return problemErrors.create('unknown', {
		message: `There is no problem with the ID ${ids.map((id) => `'${id}'`).join(', ')}.`,
		facts: { problemIds: ids },
	});
}
