import type { GatewayError } from '../../../base/errors';
import type { RefusedText } from '../../../model/content/attribute-texts';
import { requestErrors } from '../request-errors';

/**
 * Error for an attribute that a wallet of version 7 does not accept because of its characters.
 *
 * @param within member that holds the attribute
 */
export function refusedBy7({ field, characters }: RefusedText, within?: string): GatewayError {
	const path = within === undefined ? field : `${within}.${field}`;
	return requestErrors.create('notUnderstoodByPeer', {
		message: `The peer has a wallet of version 7, which does not accept '${path}' because of these characters: ${characters}.`,
		facts: { field: path, generation: 7 },
	});
}
