import { canonicalJson } from '../../base/canonical-json';
import type { GatewayError } from '../../base/errors';
import type { CreationContent } from '../../model/content/creation-content';
import type { ReadTransaction } from '../../store/store';
import { requestErrors } from './request-errors';
import { matching } from '../query/conditions';

/**
 * Requires that creation content with a response holds the response to the accepted request of the
 * template (docs/protocol/transport.md 6.1, rows 10 and 11).
 */
export async function checkCreationContent(
	tx: ReadTransaction,
	templateId: string,
	creationContent: CreationContent,
): Promise<GatewayError | undefined> {
	if (creationContent['@type'] !== 'RelationshipCreationContent') return undefined;
	const decided = await tx.requests.first({
		where: matching({
			sourceReference: templateId,
			isOwn: false,
			status: 'Decided',
			responseResult: 'Accepted',
		}),
	});
	if (decided === undefined) {
		return requestErrors.create('notInvited', {
			message: 'The request of the template was not accepted.',
			facts: { templateId },
		});
	}
	const { '@type': _type, ...response } = decided.record.response?.content ?? {};
	if (canonicalJson(creationContent.response) === canonicalJson(response)) return undefined;
	return requestErrors.create('otherResponse', {
		message: 'The response differs from the response to the accepted request.',
		facts: { requestId: decided.record.id },
	});
}
