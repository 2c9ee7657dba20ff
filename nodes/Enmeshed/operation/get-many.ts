import type { INodeProperties } from 'n8n-workflow';
import type { Condition, GatewayFacade, Query } from '../../../core';
import { forOperation, limit, returnAll, simplify } from '../descriptions/common';
import { listNewestFirst } from './newest-first';
import type { Operation } from './operation';
import { parameterSchema, parseParameters } from '../fields/parse-parameters';
import { toRecord } from '../output/to-items';

interface CreatedObjects<Dto extends { readonly id: string }, Field extends string> {
	readonly resource: string;
	readonly output: Operation['output'];
	/** plural of the object's name, as in the form */
	readonly plural: string;
	/** filter for the text of one more field, which the form calls `title` */
	readonly titleFilter?: { readonly field: Field; readonly property: INodeProperties };
	readonly list: (
		gateway: GatewayFacade,
		query: Query<Field | 'isOwn' | 'expiresAt'>,
		options: { readonly signal: AbortSignal | undefined },
	) => Promise<Dto[]>;
	readonly simplify: (dto: Dto) => object;
}

const inputSchema = parameterSchema((z, { optionalText, ...field }) =>
	z.object({
		returnAll: z.boolean(),
		limit: field.limit,
		simplify: z.boolean(),
		filters: z.object({
			createdBy: z.enum(['me', 'peers']).optional(),
			onlyValid: z.boolean().default(false),
			title: optionalText,
		}),
	}),
);

/** 'Get Many' of objects that this account and its peers create and that expire. */
export function getManyCreated<Dto extends { readonly id: string }, Field extends string = never>(
	objects: CreatedObjects<Dto, Field>,
): Operation {
	const { resource, output, titleFilter } = objects;
	const fields: INodeProperties[] = [returnAll, limit, simplify, filtersOf(objects)];
	return {
		properties: forOperation(resource, 'getAll', fields),
		output,

		async execute(call) {
			const { gateway, signal } = call;
			const parameters = await parseParameters(call, fields, inputSchema);
			const { createdBy, onlyValid, title } = parameters.filters;
			const where: Array<Condition<Field | 'isOwn' | 'expiresAt'>> = [];
			if (createdBy !== undefined) {
				where.push({ field: 'isOwn', op: 'eq', value: createdBy === 'me' });
			}
			if (onlyValid) where.push({ field: 'expiresAt', op: 'gt', value: new Date().toISOString() });
			if (titleFilter !== undefined && title !== undefined) {
				where.push({ field: titleFilter.field, op: 'contains', value: title });
			}
			const found = await listNewestFirst(
				(query: Query<Field | 'isOwn' | 'expiresAt'>) => objects.list(gateway, query, { signal }),
				where,
				parameters,
			);
			return found.map((dto) => toRecord(parameters.simplify ? objects.simplify(dto) : dto));
		},
	};
}

function filtersOf({
	plural,
	titleFilter,
}: Pick<
	CreatedObjects<{ readonly id: string }, string>,
	'plural' | 'titleFilter'
>): INodeProperties {
	return {
		displayName: 'Filters',
		name: 'filters',
		type: 'collection',
		placeholder: 'Add Filter',
		default: {},
		options: [
			{
				displayName: 'Created By',
				name: 'createdBy',
				type: 'options',
				options: [
					{ name: 'Me', value: 'me' },
					{
						name: 'Peers',
						value: 'peers',
						description: `${plural} that were loaded from others`,
					},
				],
				default: 'me',
			},
			{
				displayName: 'Only Valid',
				name: 'onlyValid',
				type: 'boolean',
				default: true,
				description: `Whether to leave out ${plural.toLowerCase()} that have expired`,
			},
			...(titleFilter === undefined ? [] : [titleFilter.property]),
		],
	};
}
