import type { GatewayError } from '../../base/errors';
import type { ValidationFailureDto, ValidationResultDto } from '../../facade/requests';
import { requestErrors } from './request-errors';

/** Successful node of the result tree (docs/protocol/consumption.md 2.2). */
export const success: ValidationResultDto = { isSuccess: true, items: [] };

export function failure(error: GatewayError): ValidationFailureDto {
	return { isSuccess: false, code: error.code, message: error.message, items: [] };
}

/** Hints of a successful result, each with the numbers of the items that lead to it, from 1. */
export function hintsIn(
	{ hint, items }: ValidationResultDto,
	path: readonly number[] = [],
): string[] {
	const own = hint === undefined ? [] : [`Item ${path.join('.')}: ${hint}`];
	return [...own, ...items.flatMap((item, index) => hintsIn(item, [...path, index + 1]))];
}

/** Builds a node with children, which succeeds if all of them do. */
export function inherited(items: ValidationResultDto[]): ValidationResultDto {
	if (items.every(({ isSuccess }) => isSuccess)) return { isSuccess: true, items };
	const error = requestErrors.create('inheritedFromItem', {
		message: 'Some child items have errors.',
	});
	return { isSuccess: false, code: error.code, message: error.message, items };
}

/** Leaf of the tree that failed, with the indexes of the items that lead to it. */
export interface FailedLeaf {
	readonly leaf: ValidationFailureDto;
	readonly path: readonly number[];
}

/** Returns the first leaf that failed, for callers who want one error instead of a tree. */
export function firstFailure(result: ValidationResultDto): FailedLeaf | undefined {
	if (result.isSuccess) return undefined;
	for (const [index, item] of result.items.entries()) {
		const found = firstFailure(item);
		if (found !== undefined) return { leaf: found.leaf, path: [index, ...found.path] };
	}
	return { leaf: result, path: [] };
}
