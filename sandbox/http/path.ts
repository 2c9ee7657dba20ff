export const segmentsOf = (path: string): string[] => path.split('/').filter((one) => one !== '');

/** True if the segments have these names, in any letter case. */
export function isPath(segments: readonly string[], ...names: readonly string[]): boolean {
	if (segments.length !== names.length) return false;
	return names.every((name, index) => segments[index]?.toLowerCase() === name);
}
