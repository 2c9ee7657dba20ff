import { codeOf, isGatewayError } from '../../base/errors';
import type { Judge, OperationResult } from '../../base/observation/instruments';
import { backboneErrors } from '../backbone-errors';

/** Names the result of one exchange with the Backbone. */
export const judgeExchange: Judge<{ readonly status: number }> = {
	value: ({ status }) => resultOfStatus(status),
	error: (error) => {
		const code = codeOf(error);
		if (code === backboneErrors.aborted.code) return 'timeout';
		if (code === backboneErrors.closed.code || code === backboneErrors.tooLate.code) {
			return 'aborted';
		}
		if (isGatewayError(error)) return 'failed';
		// The reason of an aborted signal is an error without a code; failures below HTTP have a cause
		// with one.
		return error instanceof Error && isGatewayError(error.cause) ? 'unreachable' : 'aborted';
	},
};

function resultOfStatus(status: number): OperationResult {
	if (status < 400) return 'success';
	return status < 500 ? 'refused' : 'failed';
}

/**
 * Kind of object of a call, for figures: the first segment of its path, which is a fixed word of
 * this client.
 */
export function resourceOf(target: string): string {
	return /^(?:\/api\/v\d)?\/([A-Za-z]{1,40})(?:[/?]|$)/.exec(target)?.[1] ?? 'other';
}
