import type { MessageResource } from '../backbone';
import { answerLimits, type BackboneCaller } from '../backbone-caller';
import { sentMessageSchema, wireMessageSchema } from '../dto/message';
import { readListed, readSinglePage } from '../paging';
import { sameObject } from '../same-object';
import { pathId } from '../wire-text';

/** `docs/protocol/backbone-api.md` 15. Sending is never repeated: a repeat is a second message. */
export function createMessageResource(caller: BackboneCaller): MessageResource {
	const root = '/Messages';
	const listCall = { method: 'GET', path: root, maxAnswerBytes: answerLimits.page } as const;
	return {
		send: (body, options) =>
			caller.result({ method: 'POST', path: root, json: body }, sentMessageSchema, options),
		get: async (id, options) =>
			sameObject(
				id,
				caller.result(
					{
						method: 'GET',
						path: `${root}/${pathId(id, 'MSG')}`,
						maxAnswerBytes: answerLimits.content,
					},
					wireMessageSchema,
					options,
				),
			),
		list: async (ids, options) =>
			readListed(
				caller,
				listCall,
				wireMessageSchema,
				ids,
				(id) => [['ids', pathId(id, 'MSG')]],
				options,
			),
		page: (request, options) =>
			readSinglePage(caller, listCall, wireMessageSchema, request, options),
	};
}
