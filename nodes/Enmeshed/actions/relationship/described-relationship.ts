import type { RelationshipDto } from '../../../../core';
import type { OperationCall } from '../../operation/operation';
import { PeerProfiles } from '../../gateway/peers';
import { simplifyRelationship } from '../../output/simplify';
import { toRecord } from '../../output/to-items';

/** Output of an operation that has changed a relationship. */
export async function describedRelationship(
	{ gateway, signal }: OperationCall,
	relationship: RelationshipDto,
): Promise<ReturnType<typeof toRecord>> {
	const profiles = new PeerProfiles(gateway, { signal });
	return toRecord(await simplifyRelationship(relationship, profiles));
}
