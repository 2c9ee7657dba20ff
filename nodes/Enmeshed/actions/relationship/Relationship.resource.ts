import type { INodeProperties } from 'n8n-workflow';
import { propertiesOf } from '../../operation/operation';
import { accept } from './accept.operation';
import { acceptReactivation } from './acceptReactivation.operation';
import { createFromTemplate } from './createFromTemplate.operation';
import { decompose } from './decompose.operation';
import { get } from './get.operation';
import { getAll } from './getAll.operation';
import { reject } from './reject.operation';
import { rejectReactivation } from './rejectReactivation.operation';
import { requestReactivation } from './requestReactivation.operation';
import { revoke } from './revoke.operation';
import { revokeReactivation } from './revokeReactivation.operation';
import { terminate } from './terminate.operation';

export const relationshipOperations = {
	accept,
	acceptReactivation,
	createFromTemplate,
	decompose,
	get,
	getAll,
	reject,
	rejectReactivation,
	requestReactivation,
	revoke,
	revokeReactivation,
	terminate,
};

export const relationshipDescription: INodeProperties[] = [
	{
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: ['relationship'] } },
		options: [
			{
				name: 'Accept',
				value: 'accept',
				action: 'Accept relationship',
				description: 'Accept a relationship that a peer has requested, which makes it active',
			},
			{
				name: 'Accept Reactivation',
				value: 'acceptReactivation',
				action: 'Accept reactivation of relationship',
				description: 'Make a terminated relationship active again, as its peer has asked',
			},
			{
				name: 'Create From Template',
				value: 'createFromTemplate',
				action: 'Create relationship from template',
				description: 'Ask the peer that made a template to connect',
			},
			{
				name: 'Decompose',
				value: 'decompose',
				action: 'Decompose relationship',
				description:
					'Remove a terminated relationship permanently, with its messages, attributes and requests',
			},
			{
				name: 'Get',
				value: 'get',
				action: 'Get relationship',
				description: 'Get the state of one relationship and what its peer shared',
			},
			{
				name: 'Get Many',
				value: 'getAll',
				action: 'Get many relationships',
				description: 'List relationships, the newest first',
			},
			{
				name: 'Reject',
				value: 'reject',
				action: 'Reject relationship',
				description: 'Refuse a pending relationship that a peer asked for',
			},
			{
				name: 'Reject Reactivation',
				value: 'rejectReactivation',
				action: 'Reject reactivation of relationship',
				description:
					'Refuse to make a terminated relationship active again, although its peer has asked',
			},
			{
				name: 'Request Reactivation',
				value: 'requestReactivation',
				action: 'Request reactivation of relationship',
				description: 'Ask the peer of a terminated relationship to make it active again',
			},
			{
				name: 'Revoke',
				value: 'revoke',
				action: 'Revoke relationship',
				description: 'Take back a pending relationship that this account asked for',
			},
			{
				name: 'Revoke Reactivation',
				value: 'revokeReactivation',
				action: 'Revoke reactivation of relationship',
				description: 'Take back your request to make a terminated relationship active again',
			},
			{
				name: 'Terminate',
				value: 'terminate',
				action: 'Terminate relationship',
				description: 'End an active relationship, so that no messages can be exchanged any more',
			},
		],
		default: 'accept',
	},
	...propertiesOf(relationshipOperations),
];
