import type { INodeListSearchResult } from 'n8n-workflow';
import type {
	Condition,
	GatewayFacade,
	MessageDto,
	RelationshipDto,
	RelationshipField,
	RequestDto,
	RequestField,
	TemplateDto,
} from '../../../core';
import { textMember } from '../helpers/members';
import { peerLabel, PeerProfiles } from '../gateway/peers';
import { problemLabel } from './problem-label';
import { titleOf } from '../output/simplify';
import { loadCore } from '../gateway/core';
import {
	isUsable,
	listSearch,
	matching,
	nextPage,
	pageSize,
	searchDepth,
	type Entry,
	type Page,
	type Search,
} from './search-kit';

export * from './attribute-search';
export * from './file-search';

/**
 * Searches relationships by the name of their peer, for an action only those that allow it now; the
 * value is the id of the relationship.
 */
export const searchRelationships: Search = listSearch(async (gateway, page) => {
	const { decideAction, relationshipTransitions } = await loadCore();
	const valueOf = ({ id }: RelationshipDto) => id;
	const isAction = (name: PropertyKey): name is keyof typeof relationshipTransitions =>
		Object.hasOwn(relationshipTransitions, name);
	const { action } = page;
	if (!isAction(action)) return await listRelationships(gateway, page, { valueOf });
	const { from } = relationshipTransitions[action];
	return await listRelationships(gateway, page, {
		where: [{ field: 'status', op: 'in', value: [...from] }],
		isOffered: (relationship) => 'from' in decideAction(action, relationship),
		valueOf,
	});
});

/** Searches peers by name; the value is the address. */
export const searchPeers: Search = listSearch((gateway, page) =>
	listRelationships(gateway, page, { valueOf: ({ peer }) => peer }),
);

/** Searches reachable peers by name; the value is the address. */
export const searchActivePeers: Search = listSearch((gateway, page) =>
	listRelationships(gateway, page, {
		where: [{ field: 'status', op: 'eq', value: 'Active' }],
		isOffered: ({ peerDeletionInfo }) => peerDeletionInfo === undefined,
		valueOf: ({ peer }) => peer,
	}),
);

/** Searches contacts by name, newest first; the value is the address. */
export const searchContacts: Search = listSearch(async (gateway, { filter, offset }) => {
	const page = { limit: pageSize, offset };
	const contacts =
		filter === ''
			? await gateway.contacts.list(page)
			: await gateway.contacts.find({ name: filter, ifSeveral: 'list', ...page });
	const results = contacts.map(({ name, address, status }) => ({
		name: `${peerLabel(name ?? 'Unnamed contact', address)} (${statusLabel(status)})`,
		value: address,
	}));
	return { results, ...nextPage(contacts.length, offset) };
});

/** Searches own templates by title. */
export const searchTemplates: Search = listSearch((gateway, page) => listTemplates(gateway, page));

/** Searches messages by subject, newest first. */
export const searchMessages: Search = listSearch(async (gateway, { filter, offset, operation }) => {
	const messages = await gateway.messages.list({
		...(filter === '' ? {} : { where: [{ field: 'subject', op: 'contains', value: filter }] }),
		orderBy: { field: 'inserted', direction: 'desc' },
		limit: pageSize,
		offset,
	});
	const profiles = new PeerProfiles(gateway);
	const results = [];
	for (const message of messages) {
		if (operation === 'downloadAttachment' && message.attachments.length === 0) continue;
		results.push({ name: await messageLabel(message, profiles), value: message.id });
	}
	return { results, ...nextPage(messages.length, offset) };
});

/** Searches requests to peers by title, peer and status. */
export const searchOutgoingRequests: Search = listSearch((gateway, { filter }) =>
	listRequests(gateway, 'outgoingRequests', filter),
);

/** Searches requests from peers by title, peer and status, for an answer only the open ones. */
export const searchIncomingRequests: Search = listSearch((gateway, { filter, operation }) =>
	listRequests(gateway, 'incomingRequests', filter, [
		...(operation === 'get' ? [] : [{ field: 'status', op: 'in', value: undecided } as const]),
	]),
);

const undecided: Array<RequestDto['status']> = ['DecisionRequired', 'ManualDecisionRequired'];

/** Searches problems, newest first. */
export const searchProblems: Search = listSearch(async (gateway, { filter }) => {
	const problems = (await gateway.problems.list()).reverse();
	const entries = problems.map((problem) => ({
		name: problemLabel(problem),
		value: problem.id,
		details: `${problem.id} ${problem.code ?? ''}`,
	}));
	return { results: matching(entries, filter) };
});

/** Searches the purposes used before; a text that was typed is offered as well. */
export const searchPurposes: Search = listSearch(async (gateway, { filter }) => {
	const used = await gateway.templates.usedPurposes();
	const isNew = filter !== '' && !used.includes(filter);
	const typed = isNew ? [{ name: `${filter} (new)`, value: filter }] : [];
	return {
		results: [
			...matching(
				used.map((name) => ({ name, value: name })),
				filter,
			),
			...typed,
		],
	};
});

/** Searches countries by name; the value is the code. */
export const searchCountries: Search = codeSearch('region', 'countryCodes');

/** Searches languages by name; the value is the code. */
export const searchLanguages: Search = codeSearch('language', 'languageCodes');

function codeSearch(type: 'region' | 'language', list: 'countryCodes' | 'languageCodes'): Search {
	return async (filter = '') => {
		const core = await loadCore();
		const names = new Intl.DisplayNames(['en'], { type });
		const entries = core[list]()
			.map((code) => ({ name: names.of(code) ?? code, value: code, details: code }))
			.sort((a, b) => a.name.localeCompare(b.name));
		return { results: matching(entries, filter.trim()) };
	};
}

/**
 * Lists pages of the newest relationships. A search returns a single page, because names are not a
 * column of the store and have to be compared here.
 */
async function listRelationships(
	gateway: GatewayFacade,
	{ filter, offset }: Page,
	listed: {
		readonly where?: Array<Condition<RelationshipField>>;
		readonly isOffered?: (relationship: RelationshipDto) => boolean;
		readonly valueOf: (relationship: RelationshipDto) => string;
	},
): Promise<INodeListSearchResult> {
	const { where = [], isOffered = () => true, valueOf } = listed;
	const isSearch = filter !== '';
	const relationships = await gateway.relationships.list({
		where,
		orderBy: { field: 'inserted', direction: 'desc' },
		...(isSearch ? { limit: searchDepth } : { limit: pageSize, offset }),
	});
	const profiles = new PeerProfiles(gateway);
	const entries = new Map<string, Entry>();
	for (const relationship of relationships.filter(isOffered)) {
		const { id, peer, status } = relationship;
		const value = valueOf(relationship);
		// Shows only the newest of several relationships with one peer.
		if (entries.has(value)) continue;
		const { name } = await profiles.ofRelationship(id);
		const label = `${peerLabel(name ?? 'Unnamed peer', peer)} (${statusLabel(status)})`;
		entries.set(value, { name: label, value, details: `${peer} ${id}` });
	}
	return {
		results: matching([...entries.values()], filter),
		...(isSearch ? {} : nextPage(relationships.length, offset)),
	};
}

async function listTemplates(
	gateway: GatewayFacade,
	{ filter, offset, operation }: Page,
): Promise<INodeListSearchResult> {
	const where: Array<Condition<'isOwn' | 'title'>> = [{ field: 'isOwn', op: 'eq', value: true }];
	if (filter !== '') where.push({ field: 'title', op: 'contains', value: filter });
	const templates = await gateway.templates.list({
		where,
		orderBy: { field: 'inserted', direction: 'desc' },
		limit: pageSize,
		offset,
	});
	const usable = templates.filter(({ expiresAt }) => isUsable(operation, expiresAt));
	return {
		results: usable.map((template) => ({ name: templateLabel(template), value: template.id })),
		...nextPage(templates.length, offset),
	};
}

async function listRequests(
	gateway: GatewayFacade,
	direction: 'incomingRequests' | 'outgoingRequests',
	filter: string,
	where: Array<Condition<RequestField>> = [],
): Promise<INodeListSearchResult> {
	const requests = await gateway[direction].list({
		where,
		orderBy: { field: 'inserted', direction: 'desc' },
		limit: searchDepth,
	});
	const profiles = new PeerProfiles(gateway);
	const entries: Entry[] = [];
	for (const { id, peer, content, status, createdAt } of requests) {
		const { name } = await profiles.ofAddress(peer);
		const title = textMember(content, 'title') ?? `Request of ${createdAt.slice(0, 10)}`;
		const label = `${title}, ${peerLabel(name, peer)} (${statusLabel(status)})`;
		entries.push({ name: label, value: id, details: `${peer} ${id}` });
	}
	return { results: matching(entries, filter) };
}

function templateLabel(template: TemplateDto): string {
	const title = titleOf(template) ?? 'Untitled template';
	const until = template.expiresAt?.slice(0, 10);
	return until === undefined ? title : `${title} (until ${until})`;
}

async function messageLabel(message: MessageDto, profiles: PeerProfiles): Promise<string> {
	const subject = textMember(message.content, 'subject') ?? 'Message without subject';
	const peer = message.isOwn ? (message.recipients[0]?.address ?? '') : message.createdBy;
	const { name } = await profiles.ofAddress(peer);
	return `${subject} (${message.isOwn ? 'to' : 'from'} ${peerLabel(name, peer)})`;
}

function statusLabel(status: RelationshipDto['status'] | RequestDto['status']): string {
	return status.replace(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();
}
