import type { JsonObject } from '../json';
import { contentType } from './content-type';
import { addressField, anyField, listField, textField } from './fields';
import { notification } from './notifications';
import { ContentKinds, parseKind } from './parse';
import { responseWrapper } from './requests/responses';
import { request } from './requests/requests';

/** Mail (docs/protocol/content.md 11.1); old software names its body `content`. */
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
	notification,
]);

/**
 * Parses own message content.
 *
 * @throws `error.runtime.validation.invalidPropertyValue`, `error.runtime.unknownType`,
 * `error.runtime.servalError`, `error.runtime.requestDeserialization`
 */
export function prepareMessageContent(content: unknown): JsonObject {
	return parseKind(content, messageContents);
}
