import type { PageTexts } from '../waiting-page/page-texts';

export type NoAnswer = 'continue' | 'error';

/**
 * Data that a waiting node stores with its wait, so that later changes of its fields do no harm.
 */
export type WaitNote = {
	/** form of the output */
	readonly answerAs: 'approval' | 'choice' | 'freeText' | 'request' | 'mail' | 'template';
	/** what happens without an answer */
	readonly noAnswer: NoAnswer;
	/** index of the input item of a person of a group */
	readonly item?: number;
	/** why a person of a group cannot be asked */
	readonly error?: { readonly code: string; readonly message: string };
	/** whether the relationship with a new person is accepted, for templates */
	readonly accept?: boolean;
	/** page for the visitor, for templates */
	readonly page?: PageNote;
	/** visitor of the page of a trigger */
	readonly visit?: VisitNote;
};

export type VisitNote = {
	/** parameters with which the visitor has opened the page */
	readonly query: Record<string, string>;
	/** whether a manual test gets the answer, and no published workflow */
	readonly isTest: boolean;
	/** whether new people are refused */
	readonly onlyConnected: boolean;
	/** whether a refusal starts the workflow, too */
	readonly startWhenDeclined: boolean;
};

export type PageNote = {
	readonly title: string;
	readonly text: string;
	/** 'auto' for the language of the visitor's browser */
	readonly language: 'auto' | 'de' | 'en';
	readonly texts: Partial<PageTexts>;
	readonly qrCodeFormat: 'reference' | 'link';
	/** signed address that answers with the state */
	readonly statusUrl: string;
	/** address of the page after an acceptance, in which `{requestId}` is replaced */
	readonly redirectUrl?: string;
};
