/** Name of the counter of what we send in a relationship (docs/protocol/crypto-and-identity.md 7). */
export function transmitCounter(relationshipId: string): string {
	return `transmit:${relationshipId}`;
}
