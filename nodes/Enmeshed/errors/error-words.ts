import type { INodeProperties } from 'n8n-workflow';
import type { GatewayError } from '../../../core';
import type { OperationCall } from '../operation/operation';
import { isGatewayError, type ErrorWords } from './to-node-error';
import { formPlace, withLabels } from './form-words';
import { withPeerNames } from './peer-names';

/** Advice for callers of the core, which a message that names the field repeats. */
const generalAdvice = /^Correct the named /;

/**
 * Words of the schema library of official software, which clients of the HTTP interface compare.
 */
const unknownType = /^Type '?([^']*?)'? with version \d+ was not found within reflection classes/;

/**
 * Words for an error that an operation has met: the fields are called as in its form, people by
 * their names. Undefined for errors that do not come from the core.
 */
export async function errorWords(
	error: unknown,
	call: OperationCall,
	properties: readonly INodeProperties[],
): Promise<ErrorWords | undefined> {
	if (!isGatewayError(error)) return undefined;
	const { message, remedy } = inForm(error, call, properties);
	return {
		message: await withPeerNames(withLabels(message, properties), call.gateway),
		...(remedy === undefined ? {} : { remedy: withLabels(remedy, properties) }),
	};
}

function inForm(
	error: GatewayError,
	call: OperationCall,
	properties: readonly INodeProperties[],
): ErrorWords {
	const message = plainMessage(error.message);
	const remedy = error.remedy;
	const { field, itemCode } = error.facts;
	// A problem of the whole request, for example of its recipient, is at no place of the form.
	if (itemCode !== undefined && !/(^|\.)items\./.test(String(field))) return { message, remedy };
	const place = typeof field === 'string' ? formPlace(call, properties, field) : undefined;
	if (place === undefined || error.kind !== 'invalid') return { message, remedy };
	const at = place.at === undefined || place.at === '' ? '' : ` at '${place.at}'`;
	const reason = capitalised(reasonOf(message));
	return {
		message: `${place.subject} is not valid${at}`,
		remedy: remedy === undefined || generalAdvice.test(remedy) ? reason : `${reason} ${remedy}`,
	};
}

function plainMessage(message: string): string {
	return message.replace(unknownType, "There is no type '$1'").replace(/ You might have .*$/, '');
}

/** What a message of the core says behind the place of the value. */
function reasonOf(message: string): string {
	return /^.*? (?:is|are) not valid(?: at '[^']*')?: (.+)$/s.exec(message)?.[1] ?? message;
}

function capitalised(text: string): string {
	const sentence = text.replace(/^./, (first) => first.toUpperCase());
	return sentence.endsWith('.') ? sentence : `${sentence}.`;
}
