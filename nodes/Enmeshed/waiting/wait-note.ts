export type NoAnswer = 'continue' | 'error';

/** Data that a waiting node stores with its wait, so that later changes of its fields do no harm. */
export interface WaitNote {
	/** form of the output */
	readonly answerAs: 'approval' | 'freeText' | 'request' | 'mail';
	/** what happens without an answer */
	readonly noAnswer: NoAnswer;
}
