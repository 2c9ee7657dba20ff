import type { INodeProperties } from 'n8n-workflow';
import type { Condition, Query, RelationshipField } from '../../../../core';
import { forOperation, limit, returnAll, simplify } from '../../descriptions/common';
import { peerLocator, templateLocator } from '../../descriptions/locators';
import { purpose } from '../../descriptions/purpose';
import { relationshipStatuses } from '../../descriptions/relationship-statuses';
import { listNewestFirst } from '../../operation/newest-first';
import type { Operation } from '../../operation/operation';
import { parameterSchema, parseParameters } from '../../fields/parse-parameters';
import { PeerProfiles } from '../../gateway/peers';
import { simplifyRelationship } from '../../output/simplify';
import { toRecord } from '../../output/to-items';

const filters: INodeProperties = {
	displayName: 'Filters',
	name: 'filters',
	type: 'collection',
	placeholder: 'Add Filter',
	default: {},
	options: [
		peerLocator(),
		{ ...purpose, description: 'Only relationships that were created for this purpose' },
		relationshipStatuses,
		{
			...templateLocator(),
			required: false,
			description: 'Only relationships that were created from this template',
		},
	],
};

const fields: INodeProperties[] = [returnAll, limit, simplify, filters];

const inputSchema = parameterSchema((z, { optionalText, ...field }) =>
	z.object({
		returnAll: z.boolean(),
		limit: field.limit,
		simplify: z.boolean(),
		filters: z.object({
			peer: optionalText,
			purpose: optionalText,
			statuses: z.array(z.string()).default([]),
			template: optionalText,
		}),
	}),
);

export const getAll: Operation = {
	properties: forOperation('relationship', 'getAll', fields),
	output: 'relationship',

	async execute(call) {
		const { gateway, signal } = call;
		const parameters = await parseParameters(call, fields, inputSchema);
		const relationships = await listNewestFirst(
			(query: Query<RelationshipField>) => gateway.relationships.list(query, { signal }),
			conditionsOf(parameters.filters),
			parameters,
		);
		if (!parameters.simplify) return relationships.map((relationship) => toRecord(relationship));
		const profiles = new PeerProfiles(gateway, { signal });
		const records = [];
		for (const relationship of relationships) {
			records.push(toRecord(await simplifyRelationship(relationship, profiles)));
		}
		return records;
	},
};

function conditionsOf(filters: {
	peer?: string | undefined;
	purpose?: string | undefined;
	statuses: string[];
	template?: string | undefined;
}): Array<Condition<RelationshipField>> {
	const where: Array<Condition<RelationshipField>> = [];
	if (filters.peer !== undefined) where.push({ field: 'peer', op: 'eq', value: filters.peer });
	if (filters.purpose !== undefined) {
		where.push({ field: 'purpose', op: 'eq', value: filters.purpose });
	}
	if (filters.statuses.length > 0) {
		where.push({ field: 'status', op: 'in', value: filters.statuses });
	}
	if (filters.template !== undefined) {
		where.push({ field: 'templateId', op: 'eq', value: filters.template });
	}
	return where;
}
