import type { Condition, GatewayFacade, RequestField } from '../../../core';
import { isNotFound } from '../errors/not-found';
import { objectMember, textMember } from '../helpers/members';
import { readableValues } from '../output/readable-value';
import type { EventOutput } from '../schemas/event-output';
import type { EventRecord } from './event-members';

interface Cancellable {
	readonly signal: AbortSignal;
}

/**
 * Answers of a person by what was asked for: to an own request, to the template with which a
 * relationship began, and in the message that brings an answer. Empty if there was no request, or
 * if it was deleted.
 */
export async function answersIn(
	subject: EventRecord,
	gateway: GatewayFacade,
	options: Cancellable,
): Promise<Pick<EventOutput, 'answers'>> {
	const id = await answeredRequest(subject, gateway, options);
	if (id === undefined) return {};
	const answers = gateway.outgoingRequests.answers(id, options);
	return await answers.then(
		(found) => ({ answers: readableValues(found) }),
		(error: unknown) => (isNotFound(error) ? {} : Promise.reject(error)),
	);
}

async function answeredRequest(
	{ about, record }: EventRecord,
	gateway: GatewayFacade,
	options: Cancellable,
): Promise<string | undefined> {
	switch (about) {
		case 'outgoingRequest':
			return Object.hasOwn(record, 'response') ? textMember(record, 'id') : undefined;
		case 'message':
			return await requestOfAnswer(record, gateway, options);
		case 'relationship':
			return await requestOfTemplate(record, gateway, options);
		default:
			return undefined;
	}
}

/**
 * Own messages answer requests of the peer, which are the account's answers and no person's. An
 * answer that was refused may name any request.
 */
async function requestOfAnswer(
	message: object,
	gateway: GatewayFacade,
	options: Cancellable,
): Promise<string | undefined> {
	if ((message as { readonly isOwn?: unknown }).isOwn === true) return undefined;
	const content = objectMember(message, 'content');
	const id = textMember(content, 'requestId');
	if (textMember(content, '@type') !== 'ResponseWrapper' || id === undefined) return undefined;
	const request = await gateway.outgoingRequests
		.get(id, options)
		.catch((error: unknown) => (isNotFound(error) ? undefined : Promise.reject(error)));
	return request?.response?.source?.reference === textMember(message, 'id') ? id : undefined;
}

async function requestOfTemplate(
	relationship: object,
	gateway: GatewayFacade,
	options: Cancellable,
): Promise<string | undefined> {
	const peer = textMember(relationship, 'peer');
	const templateId = textMember(objectMember(relationship, 'template'), 'id');
	if (peer === undefined || templateId === undefined) return undefined;
	const where: Array<Condition<RequestField>> = [
		{ field: 'peer', op: 'eq', value: peer },
		{ field: 'sourceReference', op: 'eq', value: templateId },
		{ field: 'status', op: 'eq', value: 'Completed' },
	];
	const [request] = await gateway.outgoingRequests.list({ where, limit: 1 }, options);
	return request?.id;
}
