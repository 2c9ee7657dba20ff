import type { INodeProperties } from 'n8n-workflow';
import type { Condition, Query, RequestDto, RequestField } from '../../../core';
import { limit, returnAll, simplify } from '../descriptions/common';
import { peerLocator } from '../descriptions/locators';
import { requestStatuses } from '../descriptions/request-statuses';
import { listNewestFirst } from '../operation/newest-first';
import type { OperationCall } from '../operation/operation';
import { parameterSchema, parseParameters } from '../fields/parse-parameters';

/** Fields that both 'Get Many' operations share. */
export function listFields(
	statuses: NonNullable<Parameters<typeof requestStatuses>[0]>,
): INodeProperties[] {
	return [
		returnAll,
		limit,
		simplify,
		{
			displayName: 'Filters',
			name: 'filters',
			type: 'collection',
			placeholder: 'Add Filter',
			default: {},
			options: [
				{ ...peerLocator(), description: 'Only requests to or of this peer' },
				{
					...requestStatuses(statuses),
					description: 'Only requests that have one of these states',
				},
			],
		},
	];
}

const inputSchema = parameterSchema((z, { optionalText, ...field }) =>
	z.object({
		returnAll: z.boolean(),
		limit: field.limit,
		simplify: z.boolean(),
		filters: z.object({
			peer: optionalText,
			requestStatuses: z.array(z.string()).default([]),
		}),
	}),
);

/** Requests that match the fields of 'Get Many', newest first. */
export async function listRequests(
	call: OperationCall,
	fields: readonly INodeProperties[],
	direction: 'incomingRequests' | 'outgoingRequests',
): Promise<{ readonly requests: readonly RequestDto[]; readonly isSimple: boolean }> {
	const { gateway, signal } = call;
	const parameters = await parseParameters(call, fields, inputSchema);
	const { peer, requestStatuses: statuses } = parameters.filters;
	const where: Array<Condition<RequestField>> = [];
	if (peer !== undefined) where.push({ field: 'peer', op: 'eq', value: peer });
	if (statuses.length > 0) where.push({ field: 'status', op: 'in', value: statuses });
	const requests = await listNewestFirst(
		(query: Query<RequestField>) => gateway[direction].list(query, { signal }),
		where,
		parameters,
	);
	return { requests, isSimple: parameters.simplify };
}
