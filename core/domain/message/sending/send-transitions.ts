import type { SendState } from './send-states';

export type SendTransitionName =
	| 'prepare'
	| 'prepareRequired'
	| 'renewClaim'
	| 'claim'
	| 'claimRequested'
	| 'loseAnswer'
	| 'deferRequired'
	| 'complete'
	| 'refusePending'
	| 'refuseRequested'
	| 'refuseRequired'
	| 'request'
	| 'withdraw'
	| 'giveUp'
	| 'forget'
	| 'expire'
	| 'decompose';

/**
 * Claim on the call that a transition requires. A claim is `free` when it has expired, or its owner
 * is known to be dead. `unchanged`: no call has begun since the search at the Backbone.
 */
export type ClaimGuard = 'own' | 'free' | 'ownOrFree' | 'unchanged';

export interface SendTransition {
	readonly from: readonly SendState[];
	/** target state; `same` changes only the claim, or nothing */
	readonly to: SendState | 'same';
	/** cause outside the row */
	readonly event: string;
	readonly claim?: ClaimGuard;
	/** further condition */
	readonly guard?: string;
	/**
	 * exception for rows that do not remain in the state `to`, or remain only with an idempotency key
	 */
	readonly row?: 'keptWithKey' | 'deleted';
	readonly publishes?: 'transport.messageSent' | 'gateway.messageNotSent';
	/** consequence when the process ends right after the commit */
	readonly afterCrash: string;
}

/** All transitions of a send; any other transition changes nothing (docs/adr/0006). */
export const sendTransitions = {
	prepare: {
		from: ['absent'],
		to: 'pending',
		event: 'A caller sends a message.',
		guard: 'The recipients can receive it, and no row has its idempotency key.',
		afterCrash: 'A repetition sends the same bytes; without one, `giveUp` follows.',
	},
	prepareRequired: {
		from: ['absent'],
		to: 'required',
		event: 'A change is committed together with its message.',
		guard: 'As for `prepare`.',
		afterCrash: 'The next sync claims and sends it.',
	},
	renewClaim: {
		from: ['pending', 'requested', 'required'],
		to: 'same',
		event: 'The call begins late, in a process that waited or was suspended.',
		claim: 'own',
		guard: 'The claim is older than some seconds.',
		afterCrash: 'Other processes claim it when the owner is known to be dead.',
	},
	claim: {
		from: ['pending', 'required'],
		to: 'same',
		event: 'A caller repeats the send, or a sync delivers a required message.',
		claim: 'ownOrFree',
		guard:
			'A list that no earlier call can change any more does not have it, and no other work of this process is about it.',
		afterCrash: 'Other processes claim it when the owner is known to be dead.',
	},
	claimRequested: {
		from: ['requested'],
		to: 'same',
		event: 'A sync carries out the wish of a person.',
		claim: 'free',
		guard: 'As for `claim`.',
		afterCrash: 'A later sync claims it when the owner is known to be dead.',
	},
	loseAnswer: {
		from: ['pending', 'requested', 'required'],
		to: 'same',
		event: 'The call ends without an answer of the Backbone.',
		afterCrash: 'The search at the Backbone tells whether the message arrived.',
	},
	deferRequired: {
		from: ['required'],
		to: 'same',
		event: 'The Backbone refuses the message for now.',
		guard: 'The same bytes may be accepted later.',
		afterCrash: 'A later sync sends it again.',
	},
	complete: {
		from: ['pending', 'requested', 'required', 'sent', 'failed'],
		to: 'sent',
		event: 'The Backbone accepts the message, or the search finds it.',
		row: 'keptWithKey',
		publishes: 'transport.messageSent',
		afterCrash: 'Nothing is left to do; a repetition gets the stored message.',
	},
	refusePending: {
		from: ['pending'],
		to: 'failed',
		event: 'The Backbone refuses the message.',
		row: 'keptWithKey',
		afterCrash: 'A repetition prepares the message anew.',
	},
	refuseRequested: {
		from: ['requested'],
		to: 'failed',
		event: 'The Backbone refuses the message.',
		publishes: 'gateway.messageNotSent',
		afterCrash: 'Nothing is left to do; the event has the content.',
	},
	refuseRequired: {
		from: ['required'],
		to: 'failed',
		event: 'The Backbone refuses the message.',
		guard: 'The same bytes will never be accepted.',
		row: 'keptWithKey',
		publishes: 'gateway.messageNotSent',
		afterCrash: 'Nothing is left to do; the event has the content.',
	},
	request: {
		from: ['pending', 'requested'],
		to: 'requested',
		event: 'A person retries the problem.',
		afterCrash: 'The next sync searches, and sends it if it is not found.',
	},
	withdraw: {
		from: ['requested'],
		to: 'pending',
		event: 'A person discards the problem.',
		afterCrash: 'Syncs search until `complete` or `giveUp`.',
	},
	giveUp: {
		from: ['pending'],
		to: 'failed',
		event: 'A list that the last call cannot change any more does not have the message.',
		claim: 'unchanged',
		guard: 'No work of this process is about it.',
		publishes: 'gateway.messageNotSent',
		afterCrash: 'Nothing is left to do; the event has the content.',
	},
	forget: {
		from: ['failed'],
		to: 'absent',
		event: 'A caller uses the idempotency key once more.',
		row: 'deleted',
		afterCrash: 'A repetition prepares the message anew.',
	},
	expire: {
		from: ['sent', 'failed'],
		to: 'absent',
		event: 'Housekeeping finds a row that nothing can repeat any more.',
		guard: 'Older than 30 days beyond the retention of events, and than each stored event.',
		row: 'deleted',
		afterCrash: 'Nothing is left to do.',
	},
	decompose: {
		from: ['pending', 'requested', 'required', 'sent', 'failed'],
		to: 'absent',
		event: 'The relationship of the last recipient is decomposed.',
		row: 'deleted',
		afterCrash: 'Nothing is left to do; an answer that comes later stores nothing.',
	},
} as const satisfies Record<SendTransitionName, SendTransition>;

/** Returns the row of the table; undefined when the transition does not start from this state. */
export function transitionFrom(
	name: SendTransitionName,
	state: SendState,
): SendTransition | undefined {
	const transition: SendTransition = sendTransitions[name];
	return transition.from.includes(state) ? transition : undefined;
}

/** Returns the transition for a refusal by the Backbone in this state. */
export function refusalOf(state: SendState, isTemporary: boolean): SendTransitionName | undefined {
	if (state === 'pending') return 'refusePending';
	if (state === 'requested') return 'refuseRequested';
	if (state === 'required') return isTemporary ? 'deferRequired' : 'refuseRequired';
	return undefined;
}
