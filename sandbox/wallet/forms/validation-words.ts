import type { RequestDto, ValidationFailureDto, ValidationResultDto } from '../../../core';

/** Contact, or stranger, who asks. */
export interface Asker {
	readonly name: string;
	/** status of the current relationship; undefined without one */
	readonly status: string | undefined;
}

const wrongStatus = 'error.consumption.requests.wrongRelationshipStatus';
const peerGone = /\.peerIs(InDeletion|Deleted)$/;

/** Plain words for results of a check; others are shown as the gateway words them. */
const words: ReadonlyArray<readonly [RegExp, string]> = [
	[/\.mustBeAcceptedItemNotAccepted$/, 'An answer is required.'],
	[/\.servalErrorDuringRequestItemProcessing$/, 'This does not have the expected form.'],
	[
		/\.violatedKeyUniquenessOfRelationshipAttributes$|\.unexpectedErrorDuringRequestItemProcessing$/,
		'You and this contact have recorded this already.',
	],
];

/** Failures of single items by their paths. */
export function obstaclesByPath(
	{ items }: ValidationResultDto,
	parent = '',
): Readonly<Record<string, string>> {
	const found: Record<string, string> = {};
	for (const [index, result] of items.entries()) {
		if (result.isSuccess) continue;
		const path = parent === '' ? String(index) : `${parent}.${index}`;
		if (result.items.length > 0) Object.assign(found, obstaclesByPath(result, path));
		else found[path] = wordsFor(result);
	}
	return found;
}

export function wordsFor({ code, message }: ValidationFailureDto): string {
	return words.find(([pattern]) => pattern.test(code))?.[1] ?? message;
}

/** Reason why a request as a whole cannot be accepted, and what the person can do. */
export function wholeObstacle(
	request: RequestDto,
	{ name, status }: Asker,
	check: ValidationResultDto,
): string | undefined {
	if (request.status === 'Expired') {
		return `This request has expired. Ask ${name} to send it again.`;
	}
	if (request.status === 'Decided' || request.status === 'Completed') {
		return 'You have answered this request already.';
	}
	if (check.isSuccess || check.items.length > 0) return undefined;
	const { code, message } = check;
	if (peerGone.test(code)) return `${name} is being deleted and takes no more answers.`;
	if (code !== wrongStatus) return message;
	return status === 'Pending'
		? `You have asked ${name} to connect. This request can be answered after that.`
		: `You are no longer connected with ${name}, so this request cannot be answered.`;
}
