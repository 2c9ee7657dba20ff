import type { GatewayFacade, WaitDto, WaitOutcome } from '../../../core';
import { defined } from '../helpers/members';
import { isNotFound } from '../errors/not-found';
import { PeerProfiles } from '../gateway/peers';
import { choiceIn, commentIn } from './decision';
import { groupItems, type AnswerItem } from './group-items';
import { newestRelationship } from './newest-relationship';
import { mailMembers } from '../output/mail-members';
import { readableValues } from '../output/readable-value';
import { resultOf } from '../output/simplify-request';
import type { AwaitedAnswerOutput } from '../schemas/awaited-answer';
import type { WaitNote } from './wait-note';

export type Ended = WaitDto & { readonly outcome: WaitOutcome };

/** Ids of the answered requests, or of the mail, that an outcome names. */
export function answersOf(outcome: WaitOutcome): readonly string[] {
	return outcome.references ?? (outcome.kind === 'answered' ? [outcome.reference] : []);
}

/** Output of the node for the outcome of its wait, read from the account: one item per answer. */
export async function answerItems(gateway: GatewayFacade, wait: Ended): Promise<AnswerItem[]> {
	const profiles = new PeerProfiles(gateway);
	if (wait.kind === 'group') {
		const members = await gateway.waits.members(wait.id, wait.key);
		return await groupItems(members, (member, outcome) =>
			answerOf(gateway, { ...member, outcome }, profiles),
		);
	}
	const outputs: AnswerItem[] = [];
	for (const reference of answersOf(wait.outcome)) {
		outputs.push({ json: await answered(gateway, wait, reference, profiles), item: 0 });
	}
	if (outputs.length === 0) {
		outputs.push({ json: await unanswered(wait, wait.outcome, profiles), item: 0 });
	}
	return outputs;
}

async function answerOf(
	gateway: GatewayFacade,
	member: Ended,
	profiles: PeerProfiles,
): Promise<AwaitedAnswerOutput> {
	const { outcome } = member;
	return outcome.kind === 'answered'
		? await answered(gateway, member, outcome.reference, profiles)
		: await unanswered(member, outcome, profiles);
}

async function answered(
	gateway: GatewayFacade,
	wait: Ended,
	reference: string,
	profiles: PeerProfiles,
): Promise<AwaitedAnswerOutput> {
	const read = wait.kind === 'mail' ? mailAnswer : requestAnswer;
	return await read(gateway, wait, reference, profiles).catch((error: unknown) =>
		// The relationship was decomposed after the answer, and the answer with it.
		isNotFound(error)
			? unanswered(wait, { kind: 'ended', reason: 'peerLeft' }, profiles)
			: Promise.reject(error),
	);
}

async function requestAnswer(
	gateway: GatewayFacade,
	wait: Ended,
	id: string,
	profiles: PeerProfiles,
): Promise<AwaitedAnswerOutput> {
	const request = await gateway.outgoingRequests.get(id);
	const answers = await gateway.outgoingRequests.answers(id);
	const { peer, response } = request;
	const result = resultOf(request);
	const respondedAt = response?.createdAt ?? '';
	const text = answers['FreeText'];
	const data = {
		approval: { approved: result === 'Accepted', respondedAt },
		choice: { choice: choiceIn(request) ?? null, respondedAt },
		freeText: { text: typeof text === 'string' ? text : null, respondedAt },
		request: undefined,
		mail: undefined,
		template: undefined,
	}[noteOf(wait).answerAs];
	return {
		...defined({ data }),
		answered: true,
		timedOut: wait.outcome.kind === 'timedOut',
		...defined({ result, comment: commentIn(request) }),
		answers: readableValues(answers),
		...defined({ response: response?.content }),
		peer,
		...(await named(profiles, peer)),
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
	_wait: Ended,
	id: string,
	profiles: PeerProfiles,
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
		...(await named(profiles, peer)),
		messageId: id,
	};
}

async function unanswered(
	wait: Ended,
	outcome: WaitOutcome,
	profiles: PeerProfiles,
): Promise<AwaitedAnswerOutput> {
	const { kind, peer, subject } = wait;
	const { error } = noteOf(wait);
	return {
		...(noteOf(wait).answerAs === 'approval' ? { data: { approved: false } } : {}),
		answered: false,
		timedOut: outcome.kind === 'timedOut',
		...(outcome.kind === 'ended' ? { reason: outcome.reason } : {}),
		...(error === undefined ? {} : { error: `${error.message} (${error.code})` }),
		...(peer === undefined ? {} : { peer, ...(await named(profiles, peer)) }),
		...(kind === 'request' && subject !== '' ? { requestId: subject } : {}),
		...(kind === 'template' ? { templateId: subject } : {}),
	};
}

async function named(profiles: PeerProfiles, peer: string): Promise<{ peerName?: string }> {
	const { name } = await profiles.ofAddress(peer);
	return defined({ peerName: name });
}

export function noteOf({ note }: WaitDto): WaitNote {
	// eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- a node has stored its own note with the wait
	return note as unknown as WaitNote;
}
