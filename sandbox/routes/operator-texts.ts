import { createHash } from 'node:crypto';
import { languages } from '../languages';
import { invalid, invalidProperty } from '../http/backbone-error';
import { done, ok, type Answer, type Route } from '../http/context';
import { requireAddress } from './identities';

/** @see docs/protocol/backbone-api.md 18 */
export const operatorTextRoutes: readonly Route[] = [
	{
		method: 'GET',
		path: 'tags',
		isAnonymous: true,
		handle: ({ request }, { operatorTexts }) =>
			answerTags(operatorTexts.tags, request.headers['if-none-match']),
	},
	{
		method: 'GET',
		path: 'announcements',
		handle: (call, { operatorTexts }) => {
			const { identity } = call.caller();
			const language = call.query.get('language') ?? '';
			if (!languages.has(language)) throw invalid('invalidAnnouncementLanguage');
			return ok(operatorTexts.announcementsFor(identity, language));
		},
	},
	{
		method: 'POST',
		path: 'notifications',
		handle: (call, { operatorTexts }) => {
			const { identity } = call.caller();
			const code = call.json().text('code');
			const recipients = call.json().array('recipients').map(requireAddress);
			if (recipients.length < 1 || recipients.length > 100) {
				throw invalidProperty('A notification has 1 to 100 recipients.');
			}
			operatorTexts.notify(identity, recipients, code);
			return done;
		},
	},
];

function answerTags(tags: object, ifNoneMatch: string | undefined): Answer {
	const body = JSON.stringify({ result: tags });
	const etag = `"${createHash('md5').update(body).digest('base64')}"`;
	if (ifNoneMatch?.split(',').some((known) => known.trim() === etag)) return { status: 304 };
	return { status: 200, raw: body, headers: { 'content-type': 'application/json', etag } };
}
