import type { JsonObject } from '../json';
import { contentErrors } from './content-errors';
import { contentType, namedType } from './content-type';
import { addressField, anyField, listField, textField } from './fields';
import { ContentKinds, parseKind } from './parse';
import { responseWrapper } from './responses';
import { request } from './requests';

/** docs/protocol/content.md 11.1; `content` is the name that old software gives to the body. */
export const mail = contentType(
	'Mail',
	() => ({
		to: listField(addressField, { required: true, min: 1 }),
		cc: listField(addressField, { required: false }),
		subject: textField({ max: 300 }),
		body: textField({ max: 50_000 }),
	}),
	{
		adjust: (value) => {
			value['cc'] ??= [];
			if ((value['body'] === undefined || value['body'] === '') && value['content']) {
				value['body'] = value['content'];
			}
		},
	},
);

export const arbitraryMessageContent = contentType('ArbitraryMessageContent', () => ({
	value: anyField,
}));

const messageContents = new ContentKinds('The message content', () => [
	mail,
	arbitraryMessageContent,
	request,
	responseWrapper,
	namedType('Notification'),
]);

/**
 * Reads own message content.
 *
 * @throws `error.runtime.validation.invalidPropertyValue`, `error.runtime.unknownType`,
 * `error.runtime.servalError`, `error.runtime.requestDeserialization`,
 * `error.gateway.notSupportedYet` for requests, responses and notifications
 */
export function prepareMessageContent(content: unknown): JsonObject {
	const parsed = parseKind(content, messageContents);
	if (parsed['@type'] === 'Mail' || parsed['@type'] === 'ArbitraryMessageContent') return parsed;
	throw contentErrors.create('notSupportedYet', {
		message: `Sending a message with content of type '${String(parsed['@type'])}' is not supported yet.`,
		facts: { field: 'content' },
	});
}
