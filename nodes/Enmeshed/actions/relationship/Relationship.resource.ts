import type { INodeProperties } from 'n8n-workflow';
import { propertiesOf } from '../../operation/operation';
import { accept } from './accept.operation';
import { end } from './end.operation';
import { getAll } from './getAll.operation';
import { reactivate } from './reactivate.operation';
import { reject } from './reject.operation';

export const relationshipOperations = {
	accept,
	reject,
	end,
	reactivate,
	getAll,
};

export const relationshipDescription: INodeProperties[] = [
	{
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: ['relationship'] } },
		// The panel lists actions in this order and has no search, so the usual ones come first.
		// eslint-disable-next-line n8n-nodes-base/node-param-options-type-unsorted-items
		options: [
			{
				name: 'Accept',
				value: 'accept',
				action: 'Accept person',
				description: 'Accept a relationship that a peer has requested, which makes it active',
			},
			{
				name: 'Reject',
				value: 'reject',
				action: 'Reject person',
				description: 'Refuse a pending relationship that a peer asked for',
			},
			{
				name: 'End',
				value: 'end',
				action: 'End relationship',
				description:
					'Terminate an active relationship, revoke a pending one of your own, or decompose a terminated one',
			},
			{
				name: 'Reactivate',
				value: 'reactivate',
				action: 'Reactivate relationship',
				description:
					'Request, accept, reject or revoke that a terminated relationship becomes active again',
			},
			{
				name: 'Get Many',
				value: 'getAll',
				action: 'Get many relationships',
				description: 'List relationships with status and history, the newest first',
			},
		],
		default: 'accept',
	},
	...propertiesOf(relationshipOperations),
];
