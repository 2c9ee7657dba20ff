import type { RequestDto } from '../../../core';
import { isObject, ownMember, textMember } from '../helpers/members';

/** Items of the response, in the order of the request. */
function responseItems({ response }: Pick<RequestDto, 'response'>): unknown[] {
	const items = ownMember(response?.content, 'items');
	return Array.isArray(items) ? items : [];
}

/**
 * Text that the person has picked: from a form field, or as the only accepted one of several consents.
 */
export function choiceIn(request: Pick<RequestDto, 'content' | 'response'>): string | undefined {
	const answers = responseItems(request);
	const [first] = answers;
	const picked = isObject(first) ? first['response'] : undefined;
	if (typeof picked === 'string') return picked;
	if (Array.isArray(picked)) return typeof picked[0] === 'string' ? picked[0] : undefined;
	const accepted = request.content.items.filter((_item, index) => {
		const answer = answers[index];
		return isObject(answer) && answer['result'] === 'Accepted';
	});
	const [only] = accepted;
	return accepted.length === 1 && isObject(only) ? textMember(only, 'consent') : undefined;
}

/** What the person has written about a rejection. */
export function commentIn(request: Pick<RequestDto, 'response'>): string | undefined {
	for (const item of responseItems(request)) {
		if (!isObject(item) || item['result'] !== 'Rejected') continue;
		const comment = textMember(item, 'message')?.trim();
		if (comment !== undefined && comment !== '') return comment;
	}
	return undefined;
}
