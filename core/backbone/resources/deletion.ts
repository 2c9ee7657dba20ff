import { isGatewayError } from '../../base/errors';
import type { CallOptions } from '../backbone';
import type { BackboneCaller } from '../backbone-caller';
import { backboneErrors } from '../backbone-errors';

/**
 * A DELETE whose answer was lost is repeated; that the object is then gone is success, while a
 * first answer 'not found' stays an error.
 */
export async function deleteObject(
	caller: BackboneCaller,
	path: string,
	options?: CallOptions,
): Promise<void> {
	try {
		await caller.nothing({ method: 'DELETE', path, isRepeatable: true }, options);
	} catch (error) {
		const isGone = isGatewayError(error) && error.code === backboneErrors.recordNotFound.code;
		if (!isGone || error.facts.attempts === undefined) throw error;
	}
}
