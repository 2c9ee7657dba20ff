import { z } from 'zod';
import type { JsonObject } from '../json';
import { contentErrors } from './content-errors';
import { addressField, anyField, contentType, namedType, textField } from './fields';
import { parseKind } from './parse';
import { responseWrapper } from './responses';
import { request } from './requests';

/** docs/protocol/content.md 11.1 */
export const mail = contentType('Mail', {
	to: z.array(addressField).min(1, 'at least one recipient is needed'),
	cc: z.array(addressField).default([]),
	subject: textField(),
	body: textField(),
});

export const arbitraryMessageContent = contentType('ArbitraryMessageContent', { value: anyField });

/**
 * Reads own message content.
 *
 * @throws `error.runtime.validation.invalidPropertyValue`, `error.runtime.unknownType`,
 * `error.runtime.requestDeserialization`, `error.gateway.notSupportedYet` for requests, responses and
 * notifications
 */
export function prepareMessageContent(content: unknown): JsonObject {
	const parsed = parseKind(content, 'The message content', [
		mail,
		arbitraryMessageContent,
		request,
		responseWrapper,
		namedType('Notification'),
	]);
	if (parsed['@type'] === 'Mail' || parsed['@type'] === 'ArbitraryMessageContent') return parsed;
	throw contentErrors.create('notSupportedYet', {
		message: `Sending a message with content of type '${String(parsed['@type'])}' is not supported yet.`,
		facts: { field: 'content' },
	});
}
