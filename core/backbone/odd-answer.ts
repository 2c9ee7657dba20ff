import type { GatewayError } from '../base/errors';
import type { UnreadableItem } from './backbone';
import { backboneErrors } from './backbone-errors';

const oddAnswers: readonly string[] = [
	backboneErrors.unexpectedAnswer.code,
	backboneErrors.answerTooLarge.code,
	backboneErrors.pageTooLarge.code,
	backboneErrors.tooManyPages.code,
];

/** The fact `place` of a success whose `result` is empty. */
export const emptyResultPlace = 'result';

/** The Backbone is there, but its answer about one object is of no use: work on others can go on. */
export function isOddAnswer({ code, facts }: GatewayError): boolean {
	if (oddAnswers.includes(code)) return true;
	return code === backboneErrors.resultUndefined.code && facts['place'] === emptyResultPlace;
}

/** For lists of one object, whose absence says that it is hidden or gone: an item must be readable. */
export const readableItemsOnly = {
	onUnreadable: ({ problem }: UnreadableItem): never => {
		throw problem;
	},
};
