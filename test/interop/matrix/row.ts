import type { Kind } from './party';
import type { ControlledStage, Role, Stage } from './stage';

/** Who cannot play a role at all, and why: the party itself has to say `NoSuchOperation`. */
export type Excuses = Partial<Record<Role, Partial<Record<Kind, string>>>>;

/** One operation or event of the matrix, played in every column. */
export interface Row {
	readonly name: string;
	/** friends have an active relationship and nothing else happens to it; strangers meet first */
	readonly between: 'friends' | 'strangers';
	readonly cannot?: Excuses;
	/** Rows that turn the clock of the Backbone or act as its operator run on a sandbox only. */
	readonly play: Play<Stage> | ControlledPlay;
}

export type Play<On> = (stage: On) => Promise<void>;

/** Marks a play by its type, so that a run against an address can leave it out. */
export interface ControlledPlay {
	readonly withControls: Play<ControlledStage>;
}

export const withControls = (play: Play<ControlledStage>): ControlledPlay => ({
	withControls: play,
});

export interface RowGroup {
	readonly title: string;
	/** where it stands in docs/protocol */
	readonly source: string;
	readonly rows: readonly Row[];
}

const row =
	(between: Row['between']) =>
	(name: string, play: Row['play'], cannot?: Excuses): Row => ({
		name,
		between,
		play,
		...(cannot === undefined ? {} : { cannot }),
	});

export const amongFriends = row('friends');
export const amongStrangers = row('strangers');
