/** Statements that no test shows, with the reason. */
export interface Unshown {
	/** in the form of comments in tests: `connector-7 1: a; b; generation-7 2: c` */
	readonly names: string;
	readonly reason: string;
	/** about other software, so that there is nothing to show */
	readonly isUpstreamOnly?: true;
}

export const notShown: readonly Unshown[] = [
	{
		names: 'connector-7 1: paragraph 1; paragraph 2; connector-7 11: container',
		reason: 'releases, data and the container of the official Connector.',
		isUpstreamOnly: true,
	},
	{
		names: 'connector-7 12: paragraph 1',
		reason: 'the official client of version 7, which is in no registry.',
		isUpstreamOnly: true,
	},
	{
		names:
			'connector-7 10: error.runtime.cacheEmpty; error.runtime.openid4vc.oauth.<error>; ' +
			'connector-7 11: SSE module; generation-7 10: paragraph 2',
		reason: 'inside of the official software.',
		isUpstreamOnly: true,
	},
	{
		names:
			'generation-7 4.1: editable in wallets; shown in wallets; generation-7 4.2: as a text; ' +
			'generation-7 8.7: wallet shows it; Accept; Accept (2); sender, answer (2)',
		reason: 'done by wallets.',
		isUpstreamOnly: true,
	},
	{
		names:
			'generation-7 5: ShareAttributeRequestItem is created; ShareAttributeRequestItem is accepted; ' +
			'any of these accepted nevertheless',
		reason: 'consequences of checks that only the official runtime makes on receipt.',
		isUpstreamOnly: true,
	},
	{
		names: 'generation-7 4.5: paragraph 3',
		reason: 'pictures are neither fetched nor stored (ADR 42), so nothing happens that could be seen.',
	},
	{
		names: 'generation-7 8.1: RI, QM',
		reason: 'requests have the official codes with texts of this project, which have no frame.',
	},
];
