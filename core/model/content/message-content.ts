import * as z from 'zod';
import { contentType, type ContentOf, type Flat } from './content-type';
import { addressField, anyField, listField, textField } from './fields';
import { notification, type Notification } from './notifications';
import { ContentKinds, parseKind } from './parse';
import { responseWrapper, type ResponseWrapper } from './requests/responses';
import { attributesSharedAs7, inFormOf6, request, type Request } from './requests/requests';

const mailFormats = ['PlainText', 'Markdown'] as const;
type MailFormat = (typeof mailFormats)[number];

const bodyFormatField = z
	.enum(mailFormats, 'expected PlainText or Markdown')
	.nullish()
	.transform((format) => format ?? undefined);

/** @param bodyFormat member of version 7.1 (docs/protocol/generation-7.md 2) */
function mailType<Format extends z.ZodType<MailFormat | undefined>>(bodyFormat: Format) {
	return contentType(
		'Mail',
		() => ({
			/** addresses of the recipients */
			to: listField(addressField, { required: true, min: 1 }),
			/** addresses of those who get a copy */
			cc: listField(addressField, { required: false }),
			/** subject, 300 characters at most */
			subject: textField({ max: 300 }),
			/** text, 50,000 characters at most */
			body: textField({ max: 50_000 }),
			/** how the text is to be read; absent: `PlainText` */
			bodyFormat: bodyFormat.optional(),
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
}

/**
 * Mail (docs/protocol/content.md 11.1); old software names its body `content`. A format that is not
 * known is dropped.
 */
export const mail = mailType(bodyFormatField.catch(undefined));

export const arbitraryMessageContent = contentType('ArbitraryMessageContent', () => ({
	/** any JSON value except null */
	value: anyField,
}));

export const messageContents = new ContentKinds('The message content', () => [
	mailType(bodyFormatField),
	arbitraryMessageContent,
	request,
	responseWrapper,
	notification,
]);

/** Mail between people. */
export type Mail = Flat<ContentOf<typeof mail>>;
/** Content of a message. */
export type MessageContent =
	Mail | Flat<ContentOf<typeof arbitraryMessageContent>> | Request | ResponseWrapper | Notification;

/**
 * Parses own message content; requests get the form in which they are stored.
 *
 * @throws `error.runtime.validation.invalidPropertyValue`, `error.runtime.unknownType`,
 * `error.runtime.servalError`, `error.runtime.requestDeserialization`
 */
export function prepareMessageContent(content: unknown): MessageContent {
	const parsed = parseKind(content, messageContents);
	if (parsed['@type'] !== 'Request') return parsed;
	return inFormOf6(parsed, new Set(attributesSharedAs7(parsed)));
}
