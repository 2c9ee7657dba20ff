import type { Gateway } from '../../core';
import {
	commonSubject,
	largePeer,
	rareCount,
	rarePeer,
	rareSubject,
	rareTemplate,
	timeOf,
} from './growth-records';

/** Account whose lists are measured. */
export interface GrownAccount {
	readonly gateway: Gateway;
	/** number of the records of each kind */
	readonly size: number;
}

export interface MeasuredList {
	readonly name: string;
	/** number of results; the same for every size of the account */
	readonly expected: number;
	readonly read: (account: GrownAccount) => Promise<readonly unknown[]>;
}

const limit = 50;
const orderBy = { field: 'inserted', direction: 'desc' } as const;
const byTime = { field: 'createdAt', direction: 'desc' } as const;
const page = { limit, orderBy };
const isOwn = (value: boolean) => ({ field: 'isOwn', op: 'eq', value }) as const;
const now = (): string => new Date().toISOString();

const list = (name: string, read: MeasuredList['read'], expected = limit): MeasuredList => ({
	name,
	expected,
	read,
});

const messages: readonly MeasuredList[] = [
	list('messages: newest', ({ gateway }) => gateway.messages.list(page)),
	list('messages: received', ({ gateway }) =>
		gateway.messages.list({ ...page, where: [isOwn(false)] }),
	),
	list('messages: sent', ({ gateway }) => gateway.messages.list({ ...page, where: [isOwn(true)] })),
	list('messages: sent, by time', ({ gateway }) =>
		gateway.messages.list({ limit, orderBy: byTime, where: [isOwn(true)] }),
	),
	list('messages: received, by time', ({ gateway }) =>
		gateway.messages.list({ limit, orderBy: byTime, where: [isOwn(false)] }),
	),
	list('messages: of a peer with few', ({ gateway }) =>
		gateway.messages.list({
			...page,
			where: [{ field: 'participant', op: 'eq', value: rarePeer }],
		}),
	),
	list('messages: of a peer with many', ({ gateway }) =>
		gateway.messages.list({
			...page,
			where: [{ field: 'participant', op: 'eq', value: largePeer }],
		}),
	),
	list('messages: from a peer', ({ gateway }) =>
		gateway.messages.list({ ...page, where: [{ field: 'createdBy', op: 'eq', value: rarePeer }] }),
	),
	list('messages: of a rare type', ({ gateway }) =>
		gateway.messages.list({ ...page, query: { 'content.@type': 'ArbitraryMessageContent' } }),
	),
	list('messages: of a usual type', ({ gateway }) =>
		gateway.messages.list({ ...page, query: { 'content.@type': 'Mail' } }),
	),
	list('messages: of two types', ({ gateway }) =>
		gateway.messages.list({
			...page,
			where: [{ field: 'contentType', op: 'in', value: ['Mail', 'ArbitraryMessageContent'] }],
		}),
	),
	list('messages: received, of a rare type', ({ gateway }) =>
		gateway.messages.list({
			...page,
			where: [isOwn(false)],
			query: { 'content.@type': 'ArbitraryMessageContent' },
		}),
	),
	list('messages: rare subject', ({ gateway }) =>
		gateway.messages.list({ ...page, query: { 'content.subject': rareSubject } }),
	),
	list('messages: usual subject', ({ gateway }) =>
		gateway.messages.list({ ...page, query: { 'content.subject': commonSubject } }),
	),
	list('messages: unread', ({ gateway }) =>
		gateway.messages.list({ ...page, where: [isOwn(false)], query: { wasReadAt: '!' } }),
	),
	list('messages: since a time', ({ gateway, size }) =>
		gateway.messages.list({ ...page, query: { createdAt: `>=${timeOf(size / 2)}` } }),
	),
	list(
		'messages: since a moment ago',
		({ gateway, size }) =>
			gateway.messages.list({ ...page, query: { createdAt: `>=${timeOf(size - 10)}` } }),
		10,
	),
	list('messages: before a time, by time', ({ gateway, size }) =>
		gateway.messages.list({
			limit,
			orderBy: byTime,
			query: { createdAt: `<${timeOf(size / 2)}` },
		}),
	),
];

const relationships: readonly MeasuredList[] = [
	list('relationships: newest', ({ gateway }) => gateway.relationships.list(page)),
	list('relationships: usual status', ({ gateway }) =>
		gateway.relationships.list({ ...page, query: { status: 'Active' } }),
	),
	list('relationships: rare status', ({ gateway }) =>
		gateway.relationships.list({ ...page, query: { status: 'Terminated' } }),
	),
	list('relationships: two statuses', ({ gateway }) =>
		gateway.relationships.list({
			...page,
			where: [{ field: 'status', op: 'in', value: ['Active', 'Terminated'] }],
		}),
	),
	list('relationships: usual template', ({ gateway }) =>
		gateway.relationships.list({ ...page, query: { 'template.id': 'RLTcommon' } }),
	),
	list('relationships: rare template', ({ gateway }) =>
		gateway.relationships.list({ ...page, query: { 'template.id': rareTemplate } }),
	),
	list(
		'relationships: peer',
		({ gateway }) => gateway.relationships.list({ ...page, query: { peer: `${rarePeer}7` } }),
		1,
	),
	list('contacts: newest', ({ gateway }) => gateway.contacts.list({ limit })),
	list('contacts: usual status', ({ gateway }) =>
		gateway.contacts.list({ limit, statuses: ['Active'] }),
	),
	list('contacts: rare status', ({ gateway }) =>
		gateway.contacts.list({ limit, statuses: ['Terminated'] }),
	),
	list(
		'contacts: by attribute',
		({ gateway }) =>
			gateway.contacts.find({ limit, attribute: { type: 'GivenName', value: 'Lin' } }),
		rareCount / 2,
	),
];

const attributes: readonly MeasuredList[] = [
	list('attributes: newest', ({ gateway }) => gateway.attributes.list(page)),
	list('attributes: usual type', ({ gateway }) =>
		gateway.attributes.list({ ...page, query: { 'content.value.@type': 'DisplayName' } }),
	),
	list('attributes: rare type', ({ gateway }) =>
		gateway.attributes.list({ ...page, query: { 'content.value.@type': 'GivenName' } }),
	),
	list('attributes: own', ({ gateway }) =>
		gateway.attributes.list({ ...page, query: { 'shareInfo.peer': '!' } }),
	),
	list(
		'attributes: own, of a rare type',
		({ gateway }) =>
			gateway.attributes.list({
				...page,
				query: { 'shareInfo.peer': '!', 'content.value.@type': 'GivenName' },
			}),
		rareCount / 2,
	),
	list(
		'attributes: owner',
		({ gateway }) =>
			gateway.attributes.list({ ...page, query: { 'content.owner': `${rarePeer}7` } }),
		1,
	),
	list(
		'attributes: peer',
		({ gateway }) =>
			gateway.attributes.list({ ...page, query: { 'shareInfo.peer': `${rarePeer}7` } }),
		1,
	),
];

const requests: readonly MeasuredList[] = [
	list('requests: outgoing', ({ gateway }) => gateway.outgoingRequests.list(page)),
	list('requests: incoming', ({ gateway }) => gateway.incomingRequests.list(page)),
	list('requests: outgoing, peer with many', ({ gateway }) =>
		gateway.outgoingRequests.list({ ...page, query: { peer: largePeer } }),
	),
	list('requests: incoming, peer', ({ gateway }) =>
		gateway.incomingRequests.list({ ...page, query: { peer: rarePeer } }),
	),
	list('requests: outgoing, usual status', ({ gateway }) =>
		gateway.outgoingRequests.list({ ...page, query: { status: 'Completed' } }),
	),
	list('requests: incoming, two statuses', ({ gateway }) =>
		gateway.incomingRequests.list({ ...page, query: { status: ['Decided', 'Open'] } }),
	),
	list('requests: outgoing, usual item', ({ gateway }) =>
		gateway.outgoingRequests.list({
			...page,
			query: { 'content.items.@type': 'AuthenticationRequestItem' },
		}),
	),
	list('requests: incoming, item', ({ gateway }) =>
		gateway.incomingRequests.list({
			...page,
			query: { 'content.items.@type': 'ConsentRequestItem' },
		}),
	),
	list(
		'requests: incoming, item of outgoing ones',
		({ gateway }) =>
			gateway.incomingRequests.list({
				...page,
				query: { 'content.items.@type': 'AuthenticationRequestItem' },
			}),
		0,
	),
];

/** Lists of templates, files and tokens, which all have an owner, an age and an expiry. */
const createdObjects = (['templates', 'files', 'tokens'] as const).flatMap((kind) => [
	list(`${kind}: newest`, ({ gateway }) => gateway[kind].list(page)),
	list(`${kind}: own`, ({ gateway }) => gateway[kind].list({ ...page, where: [isOwn(true)] })),
	list(`${kind}: of peers`, ({ gateway }) =>
		gateway[kind].list({ ...page, where: [isOwn(false)] }),
	),
	list(`${kind}: valid`, ({ gateway }) =>
		gateway[kind].list({ ...page, query: { expiresAt: `>${now()}` } }),
	),
	list(`${kind}: expired`, ({ gateway }) =>
		gateway[kind].list({ ...page, query: { expiresAt: `<${now()}` } }),
	),
	list(`${kind}: since a time`, ({ gateway, size }) =>
		gateway[kind].list({ ...page, query: { createdAt: `>=${timeOf(size / 2)}` } }),
	),
]);

/** Lists as people and programs ask for them. */
export const measuredLists: readonly MeasuredList[] = [
	...messages,
	...relationships,
	...attributes,
	...requests,
	...createdObjects,
	list('files: tag', ({ gateway }) => gateway.files.list({ ...page, query: { tags: ['rare'] } })),
	list('problems', ({ gateway }) => gateway.problems.list(), 10),
];
