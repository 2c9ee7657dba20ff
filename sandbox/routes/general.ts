import { createHash } from 'node:crypto';
import { invalid, invalidProperty } from '../http/backbone-error';
import { done, ok, type Answer, type Route } from '../http/context';
import { requireAddress } from './identities';

const tags = {
	supportedLanguages: ['en', 'de'],
	tagsForAttributeValueTypes: {
		EMailAddress: {
			private: { displayNames: { en: 'private', de: 'privat' }, children: {} },
			business: { displayNames: { en: 'business', de: 'geschäftlich' }, children: {} },
		},
	},
};

/** docs/protocol/backbone-api.md 5, 18 */
export const generalRoutes: readonly Route[] = [
	{
		method: 'GET',
		path: 'version',
		handle: (_call, { settings }) => ok({ majorVersion: String(settings.majorVersion) }),
	},
	{
		method: 'GET',
		path: 'tags',
		handle: ({ request }) => answerTags(request.headers['if-none-match']),
	},
	{
		method: 'GET',
		path: 'announcements',
		handle: (call) => {
			call.caller();
			if (!/^[a-z]{2}$/.test(call.query.get('language') ?? '')) {
				throw invalidProperty('A language is needed.');
			}
			return ok([]);
		},
	},
	{
		method: 'POST',
		path: 'notifications',
		handle: (call, { state }) => {
			const { identity } = call.caller();
			const recipients = call.json().array('recipients').map(requireAddress);
			if (recipients.length < 1 || recipients.length > 100) {
				throw invalidProperty('A notification has 1 to 100 recipients.');
			}
			for (const recipient of recipients) {
				const relationship = state.newestBetween(identity.address, recipient);
				if (relationship === undefined) {
					throw invalid('notification.noRelationshipToOneOrMoreRecipientsExists');
				}
				if (!['Pending', 'Active', 'Terminated'].includes(relationship.status)) {
					throw invalid('notification.relationshipToRecipientIsNotInCorrectStatus');
				}
			}
			// The sandbox has no preconfigured texts.
			if (call.json().text('code') !== 'test') throw invalid('notification.codeDoesNotExist');
			return done;
		},
	},
	{
		method: 'GET',
		path: 'quotas',
		handle: (call) => {
			call.caller();
			return ok([]);
		},
	},
];

function answerTags(ifNoneMatch: string | undefined): Answer {
	const body = JSON.stringify({ result: tags });
	const etag = `"${createHash('md5').update(body).digest('base64')}"`;
	if (ifNoneMatch === etag) return { status: 304 };
	return { status: 200, raw: body, headers: { 'content-type': 'application/json', etag } };
}
