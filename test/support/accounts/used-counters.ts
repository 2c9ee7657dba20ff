import type { SandboxState } from '../../../sandbox/state/sandbox-state';

type Rows = Pick<SandboxState, 'messages' | 'relationshipsOf'>;

/**
 * Counters of all ciphers of an identity that reached the Backbone, in order, by relationship. A number
 * that a cipher lacks is `undefined`.
 */
export function countersUsedBy(
	address: string,
	{ messages, relationshipsOf }: Rows,
): Map<string, Array<number | undefined>> {
	const used = new Map<string, Array<number | undefined>>();
	const note = (relationshipId: string, cipher: unknown): void => {
		const { cnt } = cipher as { cnt?: number };
		used.set(relationshipId, [...(used.get(relationshipId) ?? []), cnt]);
	};
	for (const row of relationshipsOf.get(address) ?? []) {
		if (row.to !== address || !row.creationResponseContent) continue;
		note(row.id, (readForm(row.creationResponseContent) as { cipher: unknown }).cipher);
	}
	for (const { createdBy, recipients, repeats } of messages.values()) {
		if (createdBy !== address || repeats !== undefined) continue;
		for (const entry of recipients) note(entry.relationshipId, readForm(entry.encryptedKey));
	}
	return used;
}

function readForm(field: string): unknown {
	return JSON.parse(Buffer.from(field, 'base64').toString());
}
