import type { Kind } from './party';

/** Who plays with whom over which Backbone. */
export interface Column {
	readonly actor: Kind;
	readonly follower: Kind;
	readonly majorVersion: 6 | 7;
}

/**
 * In pairs with the roles exchanged, so that one process of an official runtime plays both; the column
 * with it as the actor comes last, because the actor of the last row is deleted.
 */
export const pairs: ReadonlyArray<readonly Column[]> = [
	[
		{ actor: 'ours', follower: 6, majorVersion: 6 },
		{ actor: 6, follower: 'ours', majorVersion: 6 },
	],
	[
		{ actor: 'ours', follower: 7, majorVersion: 6 },
		{ actor: 7, follower: 'ours', majorVersion: 6 },
	],
	[
		{ actor: 'ours', follower: 7, majorVersion: 7 },
		{ actor: 7, follower: 'ours', majorVersion: 7 },
	],
	[{ actor: 'ours', follower: 'ours', majorVersion: 6 }],
	[{ actor: 'ours', follower: 'ours', majorVersion: 7 }],
];

export const names: Record<Kind, string> = { ours: 'we', 6: '6.60.5', 7: '7.0.0' };

/** As the heading of the table: 'we → 6.60.5, Backbone 6'. */
export const titleOf = ({ actor, follower, majorVersion }: Column): string =>
	`${names[actor]} → ${names[follower]}, Backbone ${majorVersion}`;
