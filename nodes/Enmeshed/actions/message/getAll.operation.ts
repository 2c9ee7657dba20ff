import type { INodeProperties } from 'n8n-workflow';
import type { Condition, MessageField, Query } from '../../../../core';
import { forOperation, limit, returnAll, simplify } from '../../descriptions/common';
import { peerLocator } from '../../descriptions/locators';
import { messageTypes } from '../../descriptions/message-types';
import { invalidDate, readInstant } from '../../fields/instants';
import { listNewestFirst } from '../../operation/newest-first';
import type { Operation, OperationCall } from '../../operation/operation';
import { parameterSchema, parseParameters } from '../../fields/parse-parameters';
import { PeerProfiles } from '../../gateway/peers';
import { simplifyMessage } from '../../output/simplify';
import { toRecord } from '../../output/to-items';

const filters: INodeProperties = {
	displayName: 'Filters',
	name: 'filters',
	type: 'collection',
	placeholder: 'Add Filter',
	default: {},
	options: [
		{
			displayName: 'Direction',
			name: 'direction',
			type: 'options',
			options: [
				{ name: 'Received', value: 'received' },
				{ name: 'Sent', value: 'sent' },
			],
			default: 'received',
		},
		{
			displayName: 'Format',
			name: 'bodyFormat',
			type: 'options',
			options: [
				{ name: 'Markdown', value: 'Markdown' },
				{ name: 'Plain Text', value: 'PlainText' },
			],
			default: 'Markdown',
			description: 'Only mails with a text in this format',
		},
		messageTypes,
		{ ...peerLocator(), description: 'Only messages from or to this peer' },
		{
			displayName: 'Since',
			name: 'since',
			type: 'dateTime',
			default: '',
			description: 'Only messages sent at this time or later',
		},
		{
			displayName: 'Subject Contains',
			name: 'subject',
			type: 'string',
			default: '',
			placeholder: 'e.g. appointment',
		},
	],
};

const fields: INodeProperties[] = [returnAll, limit, simplify, filters];

interface Filters {
	readonly bodyFormat?: 'Markdown' | 'PlainText' | undefined;
	readonly direction?: 'received' | 'sent' | undefined;
	readonly messageTypes: string[];
	readonly peer?: string | undefined;
	readonly subject?: string | undefined;
	readonly since?: string | undefined;
}

const inputSchema = parameterSchema((z, { optionalText, ...field }) =>
	z.object({
		returnAll: z.boolean(),
		limit: field.limit,
		simplify: z.boolean(),
		filters: z.object({
			bodyFormat: z.enum(['Markdown', 'PlainText']).optional(),
			direction: z.enum(['received', 'sent']).optional(),
			messageTypes: z.array(z.string()).default([]),
			peer: optionalText,
			subject: optionalText,
			since: z.unknown().optional(),
		}),
	}),
);

export const getAll: Operation = {
	properties: forOperation('message', 'getAll', fields),
	output: 'message',

	async execute(call) {
		const { gateway, signal } = call;
		const parameters = await parseParameters(call, fields, inputSchema);
		const since = await readSince(call, parameters.filters.since);
		const messages = await listNewestFirst(
			(query: Query<MessageField>) => gateway.messages.list(query, { signal }),
			conditionsOf({ ...parameters.filters, since }),
			parameters,
		);
		if (!parameters.simplify) return messages.map((message) => toRecord(message));
		const profiles = new PeerProfiles(gateway, { signal });
		const records = [];
		for (const message of messages) {
			records.push(toRecord(await simplifyMessage(message, profiles)));
		}
		return records;
	},
};

async function readSince(
	{ functions, itemIndex }: OperationCall,
	value: unknown,
): Promise<string | undefined> {
	if (value === undefined || value === null || value === '') return undefined;
	const instant = await readInstant(value, functions.getTimezone());
	if (instant !== undefined) return instant;
	throw invalidDate(functions.getNode(), 'Since', itemIndex);
}

function conditionsOf(filters: Filters): Array<Condition<MessageField>> {
	const where: Array<Condition<MessageField>> = [];
	if (filters.direction !== undefined) {
		where.push({ field: 'isOwn', op: 'eq', value: filters.direction === 'sent' });
	}
	if (filters.bodyFormat !== undefined) {
		where.push({ field: 'contentType', op: 'eq', value: 'Mail' });
		where.push(
			filters.bodyFormat === 'Markdown'
				? { field: 'bodyFormat', op: 'in', value: ['Markdown'] }
				: // Mails in plain text name no format in the store.
					{ field: 'bodyFormat', op: 'missing' },
		);
	}
	if (filters.messageTypes.length > 0) {
		where.push({ field: 'contentType', op: 'in', value: filters.messageTypes });
	}
	if (filters.peer !== undefined) {
		where.push({ field: 'participant', op: 'eq', value: filters.peer });
	}
	if (filters.subject !== undefined) {
		where.push({ field: 'subject', op: 'contains', value: filters.subject });
	}
	if (filters.since !== undefined) {
		where.push({ field: 'createdAt', op: 'gte', value: filters.since });
	}
	return where;
}
