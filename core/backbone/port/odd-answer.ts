import type { GatewayError } from '../../base/errors';
import type { UnreadableItem } from './backbone';
import { backboneErrors } from '../backbone-errors';

const oddAnswers: readonly string[] = [
	backboneErrors.unexpectedAnswer.code,
	backboneErrors.answerTooLarge.code,
	backboneErrors.pageTooLarge.code,
	backboneErrors.tooManyPages.code,
];

/** Fact `place` of a success whose `result` is empty. */
export const emptyResultPlace = 'result';

/**
 * Recognizes an unusable answer about one object from a working Backbone: work on
 * other objects can continue.
 */
export function isOddAnswer({ code, facts }: GatewayError): boolean {
	if (oddAnswers.includes(code)) return true;
	return code === backboneErrors.resultUndefined.code && facts['place'] === emptyResultPlace;
}

/**
 * For lists of one object whose absence means that it is hidden or deleted: an
 * unreadable item must be an error.
 */
export const readableItemsOnly = {
	onUnreadable: ({ problem }: UnreadableItem): never => {
		throw problem;
	},
};
