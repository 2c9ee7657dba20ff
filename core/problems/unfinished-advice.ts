/** Explanation of an unfinished change, advice, and whether discarding it is harmless. */
interface Advice {
	readonly text: string;
	readonly isDiscardable: boolean;
}

const lookLater =
	'It is retried until the Backbone gives a usable answer; if it never does, ask the operator of the Backbone.';

const deletion = (what: string): Advice => ({
	text: `The ${what} may have been deleted at the Backbone already. ${lookLater} Discarding keeps the ${what} in the list here; you can delete it again.`,
	isDiscardable: true,
});

const ownership: Advice = {
	text: `The ownership token of the file may have been replaced. ${lookLater} Discarding keeps the token that is stored here; regenerate it if it does not work.`,
	isDiscardable: true,
};

const relationship: Advice = {
	text: `The relationship may have changed at the Backbone already. ${lookLater} Discarding keeps the relationship as it is shown here, until the Backbone reports another status.`,
	isDiscardable: true,
};

const answer: Advice = {
	text: `The decision is made and has to reach the peer. ${lookLater} It cannot be discarded.`,
	isDiscardable: false,
};

const advice: Readonly<Record<string, Advice>> = {
	deleteFile: deletion('file'),
	deleteToken: deletion('token'),
	deleteTemplate: deletion('template'),
	claimFile: ownership,
	regenerateFileToken: ownership,
	acceptRequest: answer,
	rejectRequest: answer,
	decideRequest: {
		text: 'The rules of the automation could not be applied. Decide the request by hand, or wait for the next attempt. It cannot be discarded.',
		isDiscardable: false,
	},
	createRelationship: {
		text: 'It is not known whether the Backbone has the relationship: it appears here when the peer answers it, or when a comparison with the Backbone finds it. Its keys are kept until then, so it cannot be discarded.',
		isDiscardable: false,
	},
	deleteIdentity: {
		text: `The state of the deletion of this identity could not be read. ${lookLater} It cannot be discarded.`,
		isDiscardable: false,
	},
};

/** A permanently refused answer is not retried automatically. */
export const adviceOnRefusedAnswer =
	'The decision is made, but its answer was refused permanently, so the peer does not have it. Retry once the cause is removed. Discarding keeps the decision here, and the peer gets no answer.';

export function adviceOn(change: string): string {
	return (advice[change] ?? relationship).text;
}

export function isDiscardable(change: string): boolean {
	return (advice[change] ?? relationship).isDiscardable;
}
