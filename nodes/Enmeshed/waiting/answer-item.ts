import type { IDataObject } from 'n8n-workflow';
import type { GatewayFacade, WaitDto, WaitOutcome } from '../../../core';
import { defined } from '../helpers/members';
import { isNotFound } from '../errors/not-found';
import { PeerProfiles } from '../gateway/peers';
import { newestRelationship } from './newest-relationship';
import { mailMembers } from '../output/mail-members';
import { readableValues } from '../output/readable-value';
import { resultOf } from '../output/simplify-request';
import type { AwaitedAnswerOutput } from '../schemas/output-schemas';
import type { WaitNote } from './wait-note';

export type Ended = WaitDto & { readonly outcome: WaitOutcome };

/** Ids of the answered requests, or of the mail, that an outcome names. */
export function answersOf(outcome: WaitOutcome): readonly string[] {
	return outcome.references ?? (outcome.kind === 'answered' ? [outcome.reference] : []);
}

/** Output of the node for the outcome of its wait, read from the account: one item per answer. */
export async function answerItems(gateway: GatewayFacade, wait: Ended): Promise<IDataObject[]> {
	const outputs: AwaitedAnswerOutput[] = [];
	for (const reference of answersOf(wait.outcome)) {
		outputs.push(await answered(gateway, wait, reference));
	}
	if (outputs.length === 0) outputs.push(await unanswered(gateway, wait, wait.outcome));
	return outputs;
}

async function answered(
	gateway: GatewayFacade,
	wait: Ended,
	reference: string,
): Promise<AwaitedAnswerOutput> {
	const read = wait.kind === 'mail' ? mailAnswer : requestAnswer;
	return await read(gateway, wait, reference).catch((error: unknown) =>
		// The relationship was decomposed after the answer, and the answer with it.
		isNotFound(error)
			? unanswered(gateway, wait, { kind: 'ended', reason: 'peerLeft' })
			: Promise.reject(error),
	);
}

async function requestAnswer(
	gateway: GatewayFacade,
	wait: Ended,
	id: string,
): Promise<AwaitedAnswerOutput> {
	const request = await gateway.outgoingRequests.get(id);
	const answers = await gateway.outgoingRequests.answers(id);
	const { peer, response } = request;
	const result = resultOf(request);
	const respondedAt = response?.createdAt ?? '';
	const text = answers['FreeText'];
	const data = {
		approval: { approved: result === 'Accepted', respondedAt },
		freeText: { text: typeof text === 'string' ? text : null, respondedAt },
		request: undefined,
		mail: undefined,
		template: undefined,
	}[noteOf(wait).answerAs];
	return {
		...defined({ data }),
		answered: true,
		timedOut: wait.outcome.kind === 'timedOut',
		...defined({ result }),
		answers: readableValues(answers),
		...defined({ response: response?.content }),
		peer,
		...(await named(gateway, peer)),
		requestId: id,
		...(wait.kind === 'template' ? await relationshipFacts(gateway, wait.subject, peer) : {}),
	};
}

/** Relationship through which a template was answered: a new one, or an earlier one. */
async function relationshipFacts(
	gateway: GatewayFacade,
	templateId: string,
	peer: string,
): Promise<Partial<AwaitedAnswerOutput>> {
	const relationship = await newestRelationship(gateway, peer);
	return {
		templateId,
		...(relationship === undefined
			? {}
			: {
					relationshipId: relationship.id,
					relationshipStatus: relationship.status,
					isNewRelationship: relationship.template.id === templateId,
				}),
	};
}

async function mailAnswer(
	gateway: GatewayFacade,
	wait: Ended,
	id: string,
): Promise<AwaitedAnswerOutput> {
	const message = await gateway.messages.get(id);
	const { createdBy: peer, createdAt: respondedAt, content, attachments } = message;
	const { body = '', ...others } = mailMembers(content);
	return {
		data: { text: body, respondedAt },
		answered: true,
		timedOut: false,
		body,
		...others,
		attachments: [...attachments],
		peer,
		...(await named(gateway, peer)),
		messageId: id,
	};
}

async function unanswered(
	gateway: GatewayFacade,
	wait: Ended,
	outcome: WaitOutcome,
): Promise<AwaitedAnswerOutput> {
	const { kind, peer, subject } = wait;
	return {
		...(noteOf(wait).answerAs === 'approval' ? { data: { approved: false } } : {}),
		answered: false,
		timedOut: outcome.kind === 'timedOut',
		...(outcome.kind === 'ended' ? { reason: outcome.reason } : {}),
		...(peer === undefined ? {} : { peer, ...(await named(gateway, peer)) }),
		...(kind === 'request' ? { requestId: subject } : {}),
		...(kind === 'template' ? { templateId: subject } : {}),
	};
}

async function named(gateway: GatewayFacade, peer: string): Promise<{ peerName?: string }> {
	const { name } = await new PeerProfiles(gateway).ofAddress(peer);
	return defined({ peerName: name });
}

export function noteOf({ note }: WaitDto): WaitNote {
	// eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- a node has stored its own note with the wait
	return note as unknown as WaitNote;
}
