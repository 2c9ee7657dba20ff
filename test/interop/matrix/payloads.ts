import type { ColumnOutcome } from './outcome';
import type { Heard } from './party';

/** Members that only we show to a reader who knows this generation, or only it shows. */
const ownWays: Readonly<Record<6 | 7, ReadonlySet<string>>> = {
	// The owner of a file came after 6.60.5.
	6: new Set(['owner']),
	// Runtime 7 shows the id of a relationship's template only, references in one place only, and who
	// approved the deletion of an identity not at all.
	7: new Set(['template', 'templateId', 'truncatedReference', 'approvedAt', 'approvedByDevice']),
};

/**
 * Where the payloads of an event differ in their members, when the same row is played in the same
 * role by us and by an official runtime: one line each.
 */
export function differingPayloads(
	ours: ColumnOutcome,
	theirs: ColumnOutcome,
	generation: 6 | 7,
): string[] {
	const lines: string[] = [];
	for (const [row, heard] of ours.heard) {
		for (const role of ['actor', 'follower'] as const) {
			const others = theirs.heard.get(row)?.[role] ?? [];
			heard[role].forEach((one, index) => {
				const other = others[index];
				if (other?.event !== one.event) return;
				const members = differingMembers(one, other, ownWays[generation]);
				if (members.length > 0) lines.push(`${row.name}, ${role}, ${one.event}: ${members.join()}`);
			});
		}
	}
	return lines;
}

function differingMembers(one: Heard, other: Heard, known: ReadonlySet<string>): string[] {
	const [a, b] = [new Set(pathsOf(one.data)), new Set(pathsOf(other.data))];
	const onlyInOne = [...new Set([...a, ...b])].filter((path) => a.has(path) !== b.has(path));
	return onlyInOne.filter((path) => !path.split('.').some((name) => known.has(name))).sort();
}

/** Paths of all members; elements of an array count as one. */
function pathsOf(value: unknown, path = ''): string[] {
	if (Array.isArray(value)) return value.flatMap((one) => pathsOf(one, path));
	if (typeof value !== 'object' || value === null) return [path];
	return Object.entries(value).flatMap(([name, member]) =>
		pathsOf(member, path === '' ? name : `${path}.${name}`),
	);
}
