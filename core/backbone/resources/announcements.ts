import type { AnnouncementResource, BackboneNotificationResource } from '../port/backbone';
import type { BackboneCaller } from '../http/backbone-caller';
import { wireAnnouncementSchema } from '../dto/operator';
import { readWholeList } from '../http/paging';
import { get, post } from './calls';

/** Above the limit of small answers, because the answer contains texts of the operator. */
const maxAnswerBytes = 16 * 1024 * 1024;

/** `docs/protocol/backbone-api.md` 18.2 */
export function createAnnouncementResource(caller: BackboneCaller): AnnouncementResource {
	return {
		list: (language, options) => {
			const call = get('/Announcements', { query: [['language', language]], maxAnswerBytes });
			return readWholeList(caller, call, wireAnnouncementSchema, options);
		},
	};
}

/**
 * `docs/protocol/backbone-api.md` 18.3. Never repeated: phones would show the notification twice.
 */
export function createBackboneNotificationResource(
	caller: BackboneCaller,
): BackboneNotificationResource {
	return {
		send: (body, options) => caller.nothing(post('/Notifications', body), options),
	};
}
