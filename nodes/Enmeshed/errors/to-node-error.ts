import { NodeApiError, NodeOperationError, type INode } from 'n8n-workflow';
import type { GatewayError, GatewayProblem } from '../../../core';
import { fieldNames } from '../methods/credential-test';
import { linkedCode } from './error-reference';

export type NodeError = NodeApiError | NodeOperationError;
type Failure = NonNullable<NodeError['failure']>;

/** Words for a person, instead of the message and the remedy of an error of the core. */
export interface ErrorWords {
	readonly message: string;
	readonly remedy?: string | undefined;
}

const clientRefusals: readonly string[] = [
	'error.transport.general.platformClientInvalid',
	'error.transport.request.noAuthPossible',
	'error.transport.request.noAuthGrant',
];

/**
 * Converts a thrown value to the error that n8n shows: a title in plain words, then the remedy and
 * the exact code, which links to its row in `docs/errors.md`. Only message, remedy and code are
 * copied, because causes may contain data of other people.
 *
 * @param words replace the message and the remedy of an error of the core
 */
export function toNodeError(
	node: INode,
	error: unknown,
	itemIndex?: number,
	words?: ErrorWords,
): NodeError {
	if (error instanceof NodeOperationError || error instanceof NodeApiError) {
		if (itemIndex !== undefined) error.context.itemIndex ??= itemIndex;
		return error;
	}
	if (isAbort(error)) return toCancellation(node, error, itemIndex);
	if (isGatewayError(error)) {
		const plain = words ?? settingWords(error) ?? error;
		return fromGatewayError(node, error, plain, itemIndex);
	}
	const title = error instanceof Error ? error.message : 'An unexpected value was thrown';
	return new NodeOperationError(node, title, {
		...at(itemIndex),
		level: 'error',
		failure: { cause: 'node-defect' },
	});
}

/**
 * Converts the error that ended the work after the user stopped the execution. The engine
 * recognizes it by the word 'canceled'. The description keeps remedy and code of the interrupted
 * operation, because a message may have been sent already.
 */
export function toCancellation(node: INode, error: unknown, itemIndex?: number): NodeError {
	const description = isGatewayError(error)
		? { description: texts(error.code, error).description }
		: {};
	return new NodeOperationError(node, 'The execution was canceled', {
		...at(itemIndex),
		...description,
	});
}

/** Converts a problem that was not thrown to the same form. */
export function describeError(node: INode, problem: GatewayProblem): NodeError {
	return titled(
		new NodeOperationError(node, problem.message, texts(problem.code, problem)),
		problem.code,
		problem,
	);
}

function fromGatewayError(
	node: INode,
	error: GatewayError,
	words: ErrorWords,
	itemIndex?: number,
): NodeError {
	const { code, kind } = error;
	const options = { ...at(itemIndex), ...texts(code, words), ...failureOf(error) };
	const shown =
		kind === 'unavailable'
			? new NodeApiError(node, { message: words.message, code }, options)
			: new NodeOperationError(node, words.message, options);
	return titled(shown, code, words);
}

/** Words for a wrong setting, which the form of the credential shows under another name. */
function settingWords({ code, message, facts }: GatewayError): ErrorWords | undefined {
	if (code !== 'error.gateway.configuration.invalid') return undefined;
	const name = fieldNames[String(facts['field'])];
	if (name === undefined) return undefined;
	const reason = /is not valid: (.+)$/s.exec(message)?.[1] ?? message;
	return {
		message: `The field '${name}' of the credential is not valid`,
		remedy: reason.replace(/^./, (first) => first.toUpperCase()),
	};
}

/**
 * Keeps our title: n8n replaces titles that contain the code of a failed connection, such as
 * ECONNREFUSED, by a guess of its own.
 */
function titled<Shown extends NodeError>(shown: Shown, code: string, words: ErrorWords): Shown {
	shown.message = withoutFinalPeriod(words.message);
	shown.messages = [];
	shown.context['code'] = code;
	return shown;
}

function texts(
	code: string,
	{ message, remedy }: ErrorWords,
): {
	message: string;
	description: string;
} {
	const shownCode = `Code: ${linkedCode(code)}`;
	const description = remedy === undefined ? shownCode : `${remedy} ${shownCode}`;
	return { message: withoutFinalPeriod(message), description };
}

function failureOf(error: GatewayError): { failure?: Failure } {
	switch (error.kind) {
		case 'unavailable': {
			if (error.code === 'error.platform.quotaExhausted') return quotaFailure(error);
			const waitMs = error.facts['retryAfterMs'];
			return {
				failure: {
					cause: 'temporarily-unavailable',
					...(typeof waitMs === 'number' ? { retryAfterMs: waitMs } : {}),
				},
			};
		}
		case 'forbidden':
			return clientRefusals.includes(error.code)
				? { failure: { cause: 'credential-invalid' } }
				: {};
		case 'invalid':
		case 'notFound':
			return { failure: { cause: 'configuration-invalid' } };
		case 'internal':
			return { failure: { cause: 'node-defect' } };
		case 'conflict':
			return {};
	}
}

/** The Backbone names a time without a renewal as the end of time. */
const neverRenewedMs = Date.parse('9999-01-01T00:00:00.000Z');

function quotaFailure({ facts }: GatewayError): { failure: Failure } {
	const resetsAtEpochMs = Date.parse(String(facts['isExhaustedUntil']));
	return {
		failure: {
			cause: 'quota-exhausted',
			...(resetsAtEpochMs < neverRenewedMs ? { resetsAtEpochMs } : {}),
		},
	};
}

/**
 * Checks the shape: the class would load the core, and n8n reloads its modules
 * while old errors still exist.
 */
export function isGatewayError(error: unknown): error is GatewayError {
	return error instanceof Error && error.name === 'GatewayError' && 'code' in error;
}

function isAbort(error: unknown): boolean {
	return (
		typeof error === 'object' && error !== null && 'name' in error && error.name === 'AbortError'
	);
}

function at(itemIndex: number | undefined): { itemIndex?: number } {
	return itemIndex === undefined ? {} : { itemIndex };
}

function withoutFinalPeriod(text: string): string {
	return text.endsWith('.') && !text.slice(0, -1).includes('. ') ? text.slice(0, -1) : text;
}
