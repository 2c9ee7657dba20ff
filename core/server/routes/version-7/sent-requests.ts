import { canonicalJson } from '../../../base/canonical-json';
import { codeOf } from '../../../base/errors';
import { objectMember, textMember } from '../../../model/content/members';
import { toVersion7Form } from '../../../model/content/version-7-form';
import { isJsonObject, type Json } from '../../../model/json';
import type { AnyCall } from '../route';

/**
 * Body of a message with the created request in place of the given one, if both are the same in the
 * form of version 7: a draft may have members that clients of version 7 never see, and is sent
 * unchanged (docs/protocol/connector-7.md 7).
 */
export async function withCreatedRequest({ facade, body, options }: AnyCall): Promise<Json> {
	if (!isJsonObject(body)) return body;
	const given = objectMember(body, 'content');
	const id = textMember(given, 'id');
	if (given['@type'] !== 'Request' || id === '') return body;
	try {
		const { content } = await facade.outgoingRequests.get(id, options);
		const [shown, sent] = [content, given].map((each) => canonicalJson(toVersion7Form(each)));
		return shown === sent ? { ...body, content } : body;
	} catch (error) {
		// Sending reports the missing request.
		if (codeOf(error) === 'error.runtime.recordNotFound') return body;
		throw error;
	}
}
