import type { Mail, MessageContent } from '../../../core';
import { defined } from '../helpers/members';

type ShownMail = Partial<Pick<Mail, 'subject' | 'body' | 'bodyFormat'>>;

/**
 * What people read of a mail; nothing of other content. Each member of a mail is shown or left out
 * here, for all outputs.
 */
export function mailMembers(content: MessageContent): ShownMail {
	if (content['@type'] !== 'Mail') return {};
	const { '@type': _type, to: _to, cc: _cc, subject, body, ...formatted } = content;
	const { bodyFormat = 'PlainText', ...others } = formatted;
	others satisfies Record<string, never>;
	return defined({ subject, body, bodyFormat });
}
