import type { ReadTransaction } from '../store/store';
import { currentRelationships } from './current-relationship';

const peersAtOnce = 500;
const purposesAtMost = 100;
const recordsAtOnce = 200;

/**
 * Returns the purposes of the templates from which the current relationships with the peers came;
 * peers without a purpose are left out.
 */
export async function purposesOfPeers(
	tx: ReadTransaction,
	peers: readonly string[],
): Promise<Map<string, string>> {
	const purposes = new Map<string, string>();
	for (let start = 0; start < peers.length; start += peersAtOnce) {
		const current = await currentRelationships(tx, peers.slice(start, start + peersAtOnce));
		for (const [peer, { record }] of current) {
			if (record.template.purpose !== undefined) purposes.set(peer, record.template.purpose);
		}
	}
	return purposes;
}

/**
 * Returns the purposes of stored templates and relationships, newest first. Each look passes over
 * those that were found, so that many templates of one purpose hide no other.
 */
export async function usedPurposes(tx: ReadTransaction): Promise<string[]> {
	const found = new Set<string>();
	const newest = {
		orderBy: { field: 'inserted', direction: 'desc' },
		limit: recordsAtOnce,
	} as const;
	for (let known = -1; known < found.size && found.size < purposesAtMost;) {
		known = found.size;
		const where = [
			{ field: 'purpose', op: 'exists' },
			{ field: 'purpose', op: 'notIn', value: [...found] },
		] as const;
		const templates = await tx.templates.list({ where, ...newest });
		const relationships = await tx.relationships.list({ where, ...newest });
		for (const { record } of templates) addTo(found, record.purpose);
		for (const { record } of relationships) addTo(found, record.template.purpose);
	}
	return [...found];
}

function addTo(found: Set<string>, purpose: string | undefined): void {
	if (purpose !== undefined) found.add(purpose);
}
