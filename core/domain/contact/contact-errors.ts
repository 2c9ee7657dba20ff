import { defineErrors } from '../../base/errors';

/** Coded errors of contacts. */
export const contactErrors = defineErrors({
	notFound: {
		code: 'error.gateway.contacts.notFound',
		kind: 'notFound',
		meaning: 'This account has no relationship with the address, and had none.',
		remedy:
			'Check the address; choose the contact from the list or run a sync first. A person becomes a contact with a relationship.',
	},
	several: {
		code: 'error.gateway.contacts.several',
		kind: 'conflict',
		meaning:
			'Several people fit the search. What people say about themselves can be the same, and can be false.',
		remedy:
			"Search by something that you have set yourself, such as a customer number, or choose under 'If Several Fit' (ifSeveral) what happens.",
	},
	notEnded: {
		code: 'error.gateway.contacts.notEnded',
		kind: 'conflict',
		meaning: 'The data of the person cannot be erased while the relationship is open.',
		remedy:
			"End the relationship first: terminate an active one, reject or revoke a pending one ('Relationship > End' or 'Reject').",
	},
	notDecomposed: {
		code: 'error.gateway.contacts.notDecomposed',
		kind: 'conflict',
		meaning: 'The relationship with the person has ended, but was not decomposed.',
		remedy:
			"Decompose the relationship first, or turn on 'Decompose If Ended' (decomposeIfEnded), which does it.",
	},
});
