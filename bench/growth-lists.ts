import type { Gateway } from '../core';
import {
	commonSubject,
	largePeer,
	rarePeer,
	rareSubject,
	rareTemplate,
	timeOf,
} from './growth-records';

interface MeasuredList {
	readonly name: string;
	/** number of results; the same for every size of the account */
	readonly expected: number;
	/** whether the list may grow up to the limit that docs/scaling.md gives for such filters */
	readonly mayGrow?: boolean;
	read(gateway: Gateway, size: number): Promise<readonly unknown[]>;
}

type Noun =
	| 'messages'
	| 'relationships'
	| 'attributes'
	| 'outgoingRequests'
	| 'incomingRequests'
	| 'templates'
	| 'files'
	| 'tokens';

interface Filter {
	readonly query?: Readonly<Record<string, string>>;
	readonly where?: ReadonlyArray<{ field: string; op: 'eq' | 'in'; value: unknown }>;
	readonly by?: 'createdAt';
}

const limit = 50;
const own = { where: [{ field: 'isOwn', op: 'eq', value: true }] } as const;
const received = { where: [{ field: 'isOwn', op: 'eq', value: false }] } as const;
const ofPeer = (value: string): Filter => ({ where: [{ field: 'participant', op: 'eq', value }] });
const now = new Date().toISOString();

/** Page of a list, newest first; the filter may depend on the number of records. */
function page(
	noun: Noun,
	what: string,
	filter: Filter | ((size: number) => Filter),
	expected = limit,
): MeasuredList {
	return {
		name: `${noun}: ${what}`,
		expected,
		read(gateway, size) {
			const { by = 'inserted', ...chosen } = typeof filter === 'function' ? filter(size) : filter;
			const list = gateway[noun] as { list(input: object): Promise<readonly unknown[]> };
			return list.list({ limit, orderBy: { field: by, direction: 'desc' }, ...chosen });
		},
	};
}

const sinceHalf = (size: number): Filter => ({ query: { createdAt: `>=${timeOf(size / 2)}` } });

/**
 * Lists that docs/scaling.md promises to cost the same in accounts of any size, or at most 50 ms.
 */
export const lists: readonly MeasuredList[] = [
	page('messages', 'newest', {}),
	page('messages', 'received', received),
	page('messages', 'sent', own),
	page('messages', 'received, by time', { ...received, by: 'createdAt' }),
	page('messages', 'peer with few', ofPeer(rarePeer)),
	page('messages', 'peer with many', ofPeer(largePeer)),
	page('messages', 'rare type', { query: { 'content.@type': 'ArbitraryMessageContent' } }),
	page('messages', 'usual type', { query: { 'content.@type': 'Mail' } }),
	page('messages', 'rare subject', { query: { 'content.subject': rareSubject } }),
	page('messages', 'usual subject', { query: { 'content.subject': commonSubject } }),
	page('messages', 'unread', { ...received, query: { wasReadAt: '!' } }),
	page('messages', 'since a time', sinceHalf),
	page('relationships', 'usual status', { query: { status: 'Active' } }),
	page('relationships', 'rare status', { query: { status: 'Terminated' } }),
	page('relationships', 'rare template', { query: { 'template.id': rareTemplate } }),
	page('relationships', 'peer', { query: { peer: `${rarePeer}7` } }, 1),
	page('attributes', 'usual type', { query: { 'content.value.@type': 'DisplayName' } }),
	page('attributes', 'rare type', { query: { 'content.value.@type': 'GivenName' } }),
	page('attributes', 'owner', { query: { 'content.owner': `${rarePeer}7` } }, 1),
	page('attributes', 'peer', { query: { 'shareInfo.peer': `${rarePeer}7` } }, 1),
	page('outgoingRequests', 'peer with many', { query: { peer: largePeer } }),
	page('incomingRequests', 'peer', { query: { peer: rarePeer } }),
	page('outgoingRequests', 'usual status', { query: { status: 'Completed' } }),
	page('incomingRequests', 'item', { query: { 'content.items.@type': 'ConsentRequestItem' } }),
	...(['templates', 'files', 'tokens'] as const).flatMap((noun) => [
		page(noun, 'own', own),
		page(noun, 'of peers', received),
		// No index has the order of insertion for the rows of any other range.
		{ ...page(noun, 'valid', { query: { expiresAt: `>${now}` } }), mayGrow: true },
		{ ...page(noun, 'expired', { query: { expiresAt: `<${now}` } }), mayGrow: true },
		page(noun, 'since a time', sinceHalf),
	]),
];
