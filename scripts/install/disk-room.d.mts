export function ensureRoom(
	places: ReadonlyArray<readonly [folder: string, neededGb: number]>,
	what: string,
): void;
