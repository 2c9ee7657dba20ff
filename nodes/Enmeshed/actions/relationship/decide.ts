import type { GatewayFacade, RelationshipDto } from '../../../../core';
import { forOperation } from '../../descriptions/common';
import { relationshipLocator } from '../../descriptions/locators';
import type { Operation, OperationCall } from '../../operation/operation';
import { parameterSchema, parseParameters } from '../../fields/parse-parameters';
import { PeerProfiles } from '../../gateway/peers';
import { simplifyRelationship } from '../../output/simplify';
import { toRecord } from '../../output/to-items';

type Decision = (
	gateway: GatewayFacade,
	id: string,
	options: { signal: AbortSignal | undefined },
) => Promise<RelationshipDto>;

const inputSchema = parameterSchema((z, { locator }) => z.object({ relationship: locator }));

/** Creates an operation that decides about one relationship and returns it in its new state. */
export function decisionOperation(name: string, decide: Decision): Operation {
	const fields = [relationshipLocator()];
	return {
		properties: forOperation('relationship', name, fields),
		output: 'relationship',

		async execute(call) {
			const { gateway, signal } = call;
			const { relationship: id } = await parseParameters(call, fields, inputSchema);
			return [await describedRelationship(call, await decide(gateway, id, { signal }))];
		},
	};
}

/** Output of an operation that has changed a relationship. */
export async function describedRelationship(
	{ gateway, signal }: OperationCall,
	relationship: RelationshipDto,
): Promise<ReturnType<typeof toRecord>> {
	const profiles = new PeerProfiles(gateway, { signal });
	return toRecord(await simplifyRelationship(relationship, profiles));
}
