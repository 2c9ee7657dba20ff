/** What an unfinished change means, what can be done, and whether giving it up harms nothing. */
interface Advice {
	readonly text: string;
	readonly isDiscardable: boolean;
}

const lookLater =
	'It is tried again until the Backbone gives an answer that can be used; if it never does, ask the operator of the Backbone.';

const deletion = (what: string): Advice => ({
	text: `The ${what} may be gone at the Backbone already. ${lookLater} Discarding leaves the ${what} on the list here; it can be deleted again.`,
	isDiscardable: true,
});

const ownership: Advice = {
	text: `The ownership token of the file may have been replaced. ${lookLater} Discarding keeps the token that is known here; regenerate it if it does not work.`,
	isDiscardable: true,
};

const relationship: Advice = {
	text: `The relationship may have changed at the Backbone already. ${lookLater} Discarding keeps the relationship as it is shown here, until something else is heard of it.`,
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
		text: 'The rules of the automation could not be carried out. Decide the request by hand, or wait for the next try. It cannot be discarded.',
		isDiscardable: false,
	},
	createRelationship: {
		text: 'Whether the Backbone has the relationship is not known: it appears here when the peer answers it, or when a comparison with the Backbone finds it. Its keys are kept until then, so it cannot be discarded.',
		isDiscardable: false,
	},
	deleteIdentity: {
		text: `The state of the deletion of this identity could not be read. ${lookLater} It cannot be discarded.`,
		isDiscardable: false,
	},
};

/** An answer that was refused for good is not tried again by itself. */
export const adviceOnRefusedAnswer =
	'The decision is made, but its answer was refused for good and the peer does not have it. Retry when the cause is gone. Discarding leaves the decision as it is here, and the peer without an answer.';

export function adviceOn(change: string): string {
	return (advice[change] ?? relationship).text;
}

export function isDiscardable(change: string): boolean {
	return (advice[change] ?? relationship).isDiscardable;
}
