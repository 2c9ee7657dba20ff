import type { INodeProperties } from 'n8n-workflow';
import type { Condition, FileField, Query } from '../../../../core';
import { forOperation, limit, returnAll, simplify } from '../../descriptions/common';
import { listNewestFirst } from '../../operation/newest-first';
import type { Operation } from '../../operation/operation';
import { parameterSchema, parseParameters } from '../../fields/parse-parameters';
import { simplifyFile } from '../../output/simplify';
import { toRecord } from '../../output/to-items';

const filters: INodeProperties = {
	displayName: 'Filters',
	name: 'filters',
	type: 'collection',
	placeholder: 'Add Filter',
	default: {},
	options: [
		{
			displayName: 'File Name Contains',
			name: 'filename',
			type: 'string',
			default: '',
			placeholder: 'e.g. .pdf',
		},
		{
			displayName: 'Only Valid',
			name: 'onlyValid',
			type: 'boolean',
			default: true,
			description: 'Whether to leave out files that have expired',
		},
		{
			displayName: 'Owner',
			name: 'owner',
			type: 'options',
			options: [
				{ name: 'Me', value: 'me' },
				{ name: 'Peers', value: 'peers', description: 'Files that others have shared' },
			],
			default: 'me',
		},
		{
			displayName: 'Tag',
			name: 'tag',
			type: 'string',
			default: '',
			placeholder: 'e.g. x:invoice',
		},
		{
			displayName: 'Title Contains',
			name: 'title',
			type: 'string',
			default: '',
			placeholder: 'e.g. invoice',
		},
	],
};

const fields: INodeProperties[] = [returnAll, limit, simplify, filters];

interface Filters {
	readonly filename?: string | undefined;
	readonly onlyValid: boolean;
	readonly owner?: 'me' | 'peers' | undefined;
	readonly tag?: string | undefined;
	readonly title?: string | undefined;
}

const inputSchema = parameterSchema((z, { optionalText, ...field }) =>
	z.object({
		returnAll: z.boolean(),
		limit: field.limit,
		simplify: z.boolean(),
		filters: z.object({
			filename: optionalText,
			onlyValid: z.boolean().default(false),
			owner: z.enum(['me', 'peers']).optional(),
			tag: optionalText,
			title: optionalText,
		}),
	}),
);

export const getAll: Operation = {
	properties: forOperation('file', 'getAll', fields),
	output: 'file',

	async execute(call) {
		const parameters = await parseParameters(call, fields, inputSchema);
		const { gateway, signal } = call;
		const files = await listNewestFirst(
			(query: Query<FileField>) => gateway.files.list(query, { signal }),
			conditionsOf(parameters.filters),
			parameters,
		);
		return files.map((file) => toRecord(parameters.simplify ? simplifyFile(file) : file));
	},
};

function conditionsOf(filters: Filters): Array<Condition<FileField>> {
	const { filename, onlyValid, owner, tag, title } = filters;
	const where: Array<Condition<FileField>> = [];
	if (filename !== undefined) where.push({ field: 'filename', op: 'contains', value: filename });
	if (title !== undefined) where.push({ field: 'title', op: 'contains', value: title });
	if (tag !== undefined) where.push({ field: 'tag', op: 'eq', value: tag });
	if (owner !== undefined) where.push({ field: 'isOwn', op: 'eq', value: owner === 'me' });
	if (onlyValid) where.push({ field: 'expiresAt', op: 'gt', value: new Date().toISOString() });
	return where;
}
