import { GatewayError, isGatewayError } from '../../base/errors';
import type { MessageResource } from '../port/backbone';
import { answerLimits, type BackboneCaller } from '../http/backbone-caller';
import { sentMessageSchema, wireMessageSchema } from '../dto/message';
import { readListed, readSinglePage } from '../http/paging';
import { sameObject } from './same-object';
import { pathId } from './wire-text';

/**
 * `docs/protocol/backbone-api.md` 15. Sending is never repeated, because a repetition
 * creates a second message.
 */
export function createMessageResource(caller: BackboneCaller): MessageResource {
	const root = '/Messages';
	const listCall = { method: 'GET', path: root, maxAnswerBytes: answerLimits.page } as const;
	return {
		send: async (body, options) => {
			const call = { method: 'POST', path: root, json: body } as const;
			try {
				return await caller.result(call, sentMessageSchema, options);
			} catch (error) {
				throw isGatewayError(error) ? withAdvice(error, body.recipients.length) : error;
			}
		},
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

/**
 * Adds advice about the limit of recipients, 1 by default, which has no code of its own
 * (`docs/protocol/backbone-api.md` 15.1).
 */
function withAdvice(error: GatewayError, recipients: number): GatewayError {
	const { code, kind, message, facts } = error;
	if (recipients < 2 || code !== 'error.platform.validation.invalidPropertyValue') return error;
	const remedy =
		`This Backbone may not allow ${recipients} recipients for one message; many allow 1. Send one ` +
		'message to each person, for example with one item for each in n8n, or ask the operator of the ' +
		'Backbone to raise the limit.';
	return new GatewayError({ code, kind, message, remedy, facts, cause: error.cause });
}
