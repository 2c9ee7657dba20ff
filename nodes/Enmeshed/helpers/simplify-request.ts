import type { GatewayFacade, RequestDto, ValidationResultDto } from '../../../core';
import type { RequestOutput, ValidationOutput } from '../schemas/output-schemas';
import type { PeerProfiles } from './peers';
import { optional, textMember } from './simplify';

interface Cancellable {
	readonly signal?: AbortSignal | undefined;
}

/** The state of a request, its outcome by what was asked for, and the whole trees beside it. */
export async function simplifyRequest(
	request: RequestDto,
	profiles: PeerProfiles,
	answers?: RequestOutput['answers'],
): Promise<RequestOutput> {
	const { id, status, peer, createdAt, content, source, response } = request;
	const { name } = await profiles.ofAddress(peer);
	return {
		id,
		status,
		peer,
		...optional('peerName', name),
		...optional('title', textMember(content, 'title')),
		createdAt,
		...optional('expiresAt', textMember(content, 'expiresAt')),
		...optional('messageId', source?.type === 'Message' ? source.reference : undefined),
		...optional(
			'templateId',
			source?.type === 'RelationshipTemplate' ? source.reference : undefined,
		),
		...optional('result', resultOf(request)),
		...optional('answeredAt', response?.createdAt),
		...optional('answers', answers),
		content,
		...optional('response', response?.content),
	};
}

/** `Accepted` or `Rejected` once there is a response. */
export function resultOf({ response }: Pick<RequestDto, 'response'>): string | undefined {
	return response === undefined ? undefined : textMember(response.content, 'result');
}

/** Outgoing requests with their outcomes, which are looked up at once. */
export async function describeOutgoing(
	requests: readonly RequestDto[],
	gateway: GatewayFacade,
	profiles: PeerProfiles,
	options: Cancellable,
): Promise<RequestOutput[]> {
	const answered = requests.filter(({ response }) => response !== undefined).map(({ id }) => id);
	const answers =
		answered.length === 0 ? {} : await gateway.outgoingRequests.answersOfAll(answered, options);
	const outputs: RequestOutput[] = [];
	for (const request of requests) {
		outputs.push(await simplifyRequest(request, profiles, answers[request.id]));
	}
	return outputs;
}

/** Whether it is in order, and every problem with the item that it concerns. */
export function describeValidation(result: ValidationResultDto): ValidationOutput {
	return {
		isSuccess: result.isSuccess,
		problems: result.isSuccess ? [] : problemsIn(result, []),
		result,
	};
}

/** Failures where they began: a tree repeats them up to its root. */
function problemsIn(
	{ isSuccess, code, message, items }: ValidationResultDto,
	path: readonly number[],
): ValidationOutput['problems'] {
	if (isSuccess) return [];
	const inner = items.flatMap((item, index) => problemsIn(item, [...path, index + 1]));
	if (inner.length > 0) return inner;
	const where = path.length === 0 ? undefined : path.join('.');
	return [{ ...optional('item', where), code: code ?? '', message: message ?? '' }];
}
