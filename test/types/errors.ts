import { codeOf, isGatewayError } from '../../index';

/* Codes are names, and narrow to their facts. Only compiled, never run. */

export function right(error: unknown): string {
	if (isGatewayError(error, 'error.runtime.recordNotFound')) {
		const { messageId }: { readonly messageId?: string } = error.facts;
		return messageId ?? error.code;
	}
	if (codeOf(error) === 'error.runtime.validation.invalidPropertyValue') return 'invalid';
	return isGatewayError(error) ? `${error.kind} ${error.remedy ?? ''}` : String(error);
}

export function wrong(error: unknown): unknown {
	// @ts-expect-error a misspelled code
	if (isGatewayError(error, 'error.runtime.recordNotFuond')) return error;
	// @ts-expect-error no error has this code
	if (codeOf(error) === 'error.runtime.nothing') return error;
	if (isGatewayError(error, 'error.runtime.recordNotFound')) {
		// @ts-expect-error an id is text
		const wrongId: number | undefined = error.facts.messageId;
		return wrongId;
	}
	return undefined;
}
