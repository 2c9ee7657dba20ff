import type { NewWait, RequestContentInput, RequestDto } from '../../../core';
import { idempotencyKey } from '../sending/idempotency-key';
import { withHints, type OperationCall } from '../operation/operation';
import { defined, ownMember } from '../helpers/members';

interface SentRequest {
	readonly messageId: string;
	readonly requestId: string;
}

/** Creates a request for the peer and sends it. */
export async function sendNewRequest(
	call: OperationCall,
	{
		part,
		...input
	}: {
		readonly peer: string;
		readonly content: RequestContentInput;
		/** distinguishes requests for one item */
		readonly part?: string | undefined;
	},
	wait?: NewWait,
): Promise<SentRequest> {
	const { gateway, signal } = call;
	const draft = await gateway.outgoingRequests.create(input, withHints(call));
	const sent = await sendDraft(call, draft, { wait, part }).catch(async (error: unknown) => {
		await discardUnsent(call, draft.id, error);
		throw error;
	});
	// A repetition found the message of the first attempt, which contains another draft.
	if (sent.requestId !== draft.id) await gateway.outgoingRequests.discard(draft.id, { signal });
	return sent;
}

/** Sends a request that was created before. */
async function sendDraft(
	call: OperationCall,
	{ peer, content }: RequestDto,
	{ wait, part }: { readonly wait: NewWait | undefined; readonly part: string | undefined },
): Promise<SentRequest> {
	const { gateway, signal } = call;
	// Content for the key, without the id of the draft, which differs in every attempt.
	const said = () => [peer, content.items];
	const kind = wait === undefined ? 'send' : 'question';
	const once = await idempotencyKey(call, said, { kind, ...defined({ part }) });
	const input = { recipients: [peer], content };
	const message = await gateway.messages.send(input, { signal, ...once, wait });
	// A message of an earlier attempt carries another draft.
	const sent = message.content['@type'] === 'Request' ? message.content : content;
	return { messageId: message.id, requestId: String(sent.id) };
}

/** Discards the draft unless it may have been sent: a later sync shows whether the peer has it. */
async function discardUnsent(
	{ gateway, signal }: OperationCall,
	id: string,
	error: unknown,
): Promise<void> {
	const code = ownMember(error, 'code');
	if (signal?.aborted === true || code === 'error.gateway.messages.outcomeUnknown') return;
	await gateway.outgoingRequests.discard(id, { signal });
}
