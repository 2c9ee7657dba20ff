import { isGatewayError } from '../../base/errors';
import type { CallOptions } from '../port/backbone';
import type { BackboneCaller } from '../http/backbone-caller';
import { backboneErrors } from '../backbone-errors';

/**
 * Repeats a DELETE after a lost answer. "Not found" then counts as success; as the first
 * answer it stays an error.
 */
export async function deleteObject(
	caller: BackboneCaller,
	path: string,
	options?: CallOptions,
): Promise<void> {
	try {
		await caller.nothing({ method: 'DELETE', path, isRepeatable: true }, options);
	} catch (error) {
		const isGone = isGatewayError(error, backboneErrors.recordNotFound.code);
		if (!isGone || error.facts.attempts === undefined) throw error;
	}
}
