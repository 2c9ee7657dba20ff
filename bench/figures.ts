/** Number of mails that each side receives in every round. */
export const receivedMails = 400;

/** What a program repeats for a figure. */
export type Operation =
	'sync' | 'list' | 'page' | 'search' | 'template' | 'mail' | 'attribute' | 'read';

/** Figure that every round measures by the same work of all sides. */
export interface Figure {
	readonly name: string;
	readonly operation: Operation;
	readonly count: number;
	/** number of concurrent calls */
	readonly lanes?: number;
	/** divisor of the time, if it is not the count */
	readonly per?: number;
}

/** Figures in the order of a round: the first one fetches the mails. */
export const figures: readonly Figure[] = [
	{
		name: `sync of ${receivedMails} mails, per mail`,
		operation: 'sync',
		count: 1,
		per: receivedMails,
	},
	{ name: `list of ${receivedMails} messages`, operation: 'list', count: 5 },
	{ name: 'template with a request', operation: 'template', count: 40 },
	{ name: 'mail, one after another', operation: 'mail', count: 64 },
	{ name: 'mail, eight at a time', operation: 'mail', count: 64, lanes: 8 },
	{ name: 'attribute', operation: 'attribute', count: 50 },
	{ name: 'attribute by id', operation: 'read', count: 200 },
	{ name: 'empty sync', operation: 'sync', count: 50 },
];

/** The same, and lists that the official runtime does not have. */
export const ownFigures: readonly Figure[] = [
	...figures.slice(0, 2),
	{ name: 'list of 50 messages', operation: 'page', count: 40 },
	{
		name: `search for a part of a text in ${receivedMails} mails`,
		operation: 'search',
		count: 10,
	},
	...figures.slice(2),
];
