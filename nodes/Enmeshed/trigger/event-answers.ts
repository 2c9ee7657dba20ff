import type { Condition, GatewayFacade, RequestField } from '../../../core';
import { isNotFound } from '../helpers/not-found';
import { objectMember, textMember } from '../helpers/members';
import type { EventOutput } from '../schemas/output-schemas';
import type { EventRecord } from './event-members';

interface Cancellable {
	readonly signal: AbortSignal;
}

/**
 * Answers of a person by what was asked for: to an own request, to the template with which a
 * relationship began, and in the message that brings an answer. Empty if there was no request, or if
 * it was deleted.
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
		(found) => ({ answers: found }),
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
			return requestOfAnswer(record);
		case 'relationship':
			return await requestOfTemplate(record, gateway, options);
		default:
			return undefined;
	}
}

/** Own messages answer requests of the peer, which are the account's answers and no person's. */
function requestOfAnswer(message: object): string | undefined {
	if ((message as { readonly isOwn?: unknown }).isOwn === true) return undefined;
	const content = objectMember(message, 'content');
	const isAnswer = textMember(content, '@type') === 'ResponseWrapper';
	return isAnswer ? textMember(content, 'requestId') : undefined;
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
	];
	const [request] = await gateway.outgoingRequests.list({ where, limit: 1 }, options);
	return request?.id;
}
