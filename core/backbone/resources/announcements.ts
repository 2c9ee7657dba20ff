import type { AnnouncementResource, NotificationResource } from '../backbone';
import type { BackboneCaller } from '../backbone-caller';
import { wireAnnouncementSchema } from '../dto/announcement';
import { readWholeList } from '../paging';

/** More than the small answers: the operator's texts. */
const maxAnswerBytes = 16 * 1024 * 1024;

/** `docs/protocol/backbone-api.md` 18.2 */
export function createAnnouncementResource(caller: BackboneCaller): AnnouncementResource {
	return {
		list: (language, options) =>
			readWholeList(
				caller,
				{ method: 'GET', path: '/Announcements', query: [['language', language]], maxAnswerBytes },
				wireAnnouncementSchema,
				options,
			),
	};
}

/** `docs/protocol/backbone-api.md` 18.3. Never repeated: phones would ring twice. */
export function createNotificationResource(caller: BackboneCaller): NotificationResource {
	return {
		send: (body, options) =>
			caller.nothing({ method: 'POST', path: '/Notifications', json: body }, options),
	};
}
