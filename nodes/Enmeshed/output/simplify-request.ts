import type { GatewayFacade, RequestDto, ValidationResultDto } from '../../../core';
import type {
	IncomingRequestOutput,
	RequestOutput,
	ValidationOutput,
} from '../schemas/output-schemas';
import { defined, textMember } from '../helpers/members';
import type { OperationCall, OutputRecord } from '../operation/operation';
import { PeerProfiles } from '../gateway/peers';
import { readableValues } from './readable-value';
import { toRecord } from './to-items';

interface Cancellable {
	readonly signal?: AbortSignal | undefined;
}

/** State and outcome of a request, with the answers by what it asks for. */
export async function simplifyRequest(
	request: RequestDto,
	profiles: PeerProfiles,
	answers?: RequestOutput['answers'],
): Promise<RequestOutput> {
	const { id, status, peer, createdAt, content, source, response, refusedAnswers } = request;
	const { name } = await profiles.ofAddress(peer);
	return {
		id,
		...defined({ title: textMember(content, 'title') }),
		status,
		...defined({
			result: resultOf(request),
			answers: answers === undefined ? undefined : readableValues(answers),
		}),
		peer,
		...defined({
			peerName: name,
			messageId: source?.type === 'Message' ? source.reference : undefined,
			templateId: source?.type === 'RelationshipTemplate' ? source.reference : undefined,
		}),
		createdAt,
		...defined({
			expiresAt: textMember(content, 'expiresAt'),
			answeredAt: response?.createdAt,
			refusedAnswers,
		}),
	};
}

/** Also has what the peer asks for. */
export async function simplifyIncoming(
	request: RequestDto,
	profiles: PeerProfiles,
): Promise<IncomingRequestOutput> {
	return { ...(await simplifyRequest(request, profiles)), content: request.content };
}

/**
 * Output of an operation with the switch 'Simplify' that has created, sent or decided a request.
 */
export async function toRequestRecord(
	call: OperationCall,
	request: RequestDto,
	simplified: (request: RequestDto, profiles: PeerProfiles) => Promise<object>,
): Promise<OutputRecord> {
	const { functions, gateway, itemIndex, signal } = call;
	if (functions.getNodeParameter('simplify', itemIndex, true) === false) return toRecord(request);
	return toRecord(await simplified(request, new PeerProfiles(gateway, { signal })));
}

/** `Accepted` or `Rejected` after the response. */
export function resultOf({ response }: Pick<RequestDto, 'response'>): string | undefined {
	return response === undefined ? undefined : textMember(response.content, 'result');
}

/** Describes outgoing requests with their outcomes, which are read together. */
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

/** Output of an operation with the switch 'Simplify' that only checks. */
export function toValidationRecord(
	{ functions, itemIndex }: OperationCall,
	result: ValidationResultDto,
): OutputRecord {
	const isSimple = functions.getNodeParameter('simplify', itemIndex, true) !== false;
	return toRecord(isSimple ? describeValidation(result) : result);
}

/** Verdict of a validation, and every problem and hint with its item. */
function describeValidation(result: ValidationResultDto): ValidationOutput {
	return {
		isSuccess: result.isSuccess,
		problems: result.isSuccess ? [] : problemsIn(result, []),
		hints: hintsIn(result, []),
	};
}

function hintsIn(
	{ hint, items }: ValidationResultDto,
	path: readonly number[],
): ValidationOutput['hints'] {
	const own = hint === undefined ? [] : [{ item: path.join('.'), message: hint }];
	return [...own, ...items.flatMap((item, index) => hintsIn(item, [...path, index + 1]))];
}

/** Lists failures at their origin, because the tree repeats them in all parents. */
function problemsIn(
	{ isSuccess, code, message, items }: ValidationResultDto,
	path: readonly number[],
): ValidationOutput['problems'] {
	if (isSuccess) return [];
	const inner = items.flatMap((item, index) => problemsIn(item, [...path, index + 1]));
	if (inner.length > 0) return inner;
	const where = path.length === 0 ? undefined : path.join('.');
	return [{ ...defined({ item: where }), code: code ?? '', message: message ?? '' }];
}
