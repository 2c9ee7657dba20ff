import { GatewayError, isGatewayError } from '../../base/errors';
import type { MessageResource } from '../port/backbone';
import { answerLimits, type BackboneCaller } from '../http/backbone-caller';
import { sentMessageSchema, wireMessageSchema } from '../dto/message';
import { readSinglePage } from '../http/paging';
import { get, listByIds, post } from './calls';
import { sameObject } from './same-object';
import { pathId } from './wire-text';

/**
 * `docs/protocol/backbone-api.md` 15. Sending is never repeated, because a repetition
 * creates a second message.
 */
export function createMessageResource(caller: BackboneCaller): MessageResource {
	const root = '/Messages';
	return {
		send: async (body, options) => {
			try {
				return await caller.result(post(root, body), sentMessageSchema, options);
			} catch (error) {
				throw isGatewayError(error) ? withAdvice(error, body.recipients.length) : error;
			}
		},
		get: async (id, options) => {
			const call = get(`${root}/${pathId(id, 'MSG')}`, { maxAnswerBytes: answerLimits.content });
			return await sameObject(id, caller.result(call, wireMessageSchema, options));
		},
		list: async (ids, options) =>
			listByIds(caller, { path: root, prefix: 'MSG', schema: wireMessageSchema }, ids, options),
		page: (request, options) => {
			const call = get(root, { maxAnswerBytes: answerLimits.page });
			return readSinglePage(caller, call, wireMessageSchema, request, options);
		},
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
