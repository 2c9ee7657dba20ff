import * as z from 'zod';
import { decodeBase64Url } from '../../../base/encoding';
import { codeOf, isGatewayError } from '../../../base/errors';
import { isJsonObject, type JsonObject } from '../../json';
import { parseReferenceOfKind, writeTruncatedReference } from '../../reference';
import { referenceErrors } from '../../reference-errors';
import { malformedReferenceIssue, unexpectedIssue } from '../content-type';
import { objectMember, textMember } from '../members';

/**
 * Accepts a reference to a file in any form and writes it as truncated text
 * (docs/protocol/content.md 5.3.1).
 */
export function fileReferenceField(): z.ZodType<string> {
	return z.transform((value, context): string => {
		const text = isJsonObject(value) ? textOf(value) : value;
		if (typeof text !== 'string') {
			context.addIssue({ code: 'custom', message: 'expected a reference to a file' });
			return z.NEVER;
		}
		if (decodeBase64Url(encodedPartOf(text)) === undefined) {
			context.addIssue({ code: 'custom', message: 'not base64url', params: unexpectedIssue });
			return z.NEVER;
		}
		try {
			return writeTruncatedReference(parseReferenceOfKind(text, 'file'));
		} catch (error) {
			if (!isGatewayError(error)) throw error;
			context.addIssue({ code: 'custom', message: error.message, params: failureOf(error) });
			return z.NEVER;
		}
	});
}

/** Encoded part of a reference, after the address of a link or the prefix for apps. */
function encodedPartOf(text: string): string {
	const start = text.indexOf('#') + 1;
	return start === 0 && text.startsWith('http') ? '' : text.slice(start);
}

/** Truncated text of the object form; references to files are neither personal nor protected. */
function textOf(reference: JsonObject): string | undefined {
	const { id, backboneBaseUrl } = reference;
	const key = objectMember(reference, 'key');
	if (typeof id !== 'string' || key['alg'] !== 3) return undefined;
	return writeTruncatedReference({
		id,
		key: textMember(key, 'key'),
		...(typeof backboneBaseUrl === 'string' ? { backboneBaseUrl } : {}),
	});
}

function failureOf(error: Error): Record<string, string> {
	const code = codeOf(error) ?? '';
	if (code === referenceErrors.invalidTruncatedReference.code) return malformedReferenceIssue;
	return code.startsWith('error.crypto.') ? unexpectedIssue : {};
}
