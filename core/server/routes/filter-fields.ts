import { filterSchema } from './inputs';

/** Filter fields that lists of templates and tokens share (docs/protocol/http-api.md 6.2). */
export const protectionFields = [
	'isOwn',
	'createdAt',
	'createdBy',
	'createdByDevice',
	'expiresAt',
	'forIdentity',
	'passwordProtection',
	'passwordProtection.password',
	'passwordProtection.passwordIsPin',
	'passwordProtection.passwordLocationIndicator',
] as const;

export type Side = 'Own' | 'Peer' | undefined;

export function listSummary(objects: string, side: Side): string {
	if (side === undefined) return `All ${objects}.`;
	return `The ${objects} of ${side === 'Own' ? 'this gateway' : 'others'}.`;
}

/** Restricts a list to own objects or to objects of peers. */
export function owned(side: Side) {
	return side === undefined ? [] : [{ field: 'isOwn', op: 'eq', value: side === 'Own' } as const];
}

/** Filters of requests; other fields are ignored (docs/protocol/http-api.md 6.2). */
export const requestFilters = filterSchema([
	...['id', 'peer', 'createdAt', 'status', 'wasAutomaticallyDecided', 'content.expiresAt'],
	...['content.items.@type', 'content.items.items.@type', 'source.type', 'source.reference'],
	...['response.createdAt', 'response.source.type', 'response.source.reference'],
	...['response.content.result', 'response.content.items.@type'],
	'response.content.items.items.@type',
]).strip();

const repositoryFields = [
	...['createdAt', 'wasViewedAt', 'content.tags', 'content.validFrom', 'content.validTo'],
	'content.value.@type',
];
const peerSharedFields = [
	...repositoryFields,
	...['content.@type', 'content.key', 'content.isTechnical', 'content.confidentiality'],
	...['shareInfo', 'shareInfo.requestReference', 'shareInfo.notificationReference'],
	...['shareInfo.thirdPartyAddress', 'deletionInfo', 'deletionInfo.deletionStatus'],
	'deletionInfo.deletionDate',
];
const ownSharedFields = [...peerSharedFields, 'shareInfo.sourceAttribute'];

/**
 * Filters of attributes. The list of all attributes ignores other fields; the other lists refuse
 * them (docs/protocol/http-api.md 6.2).
 */
export const attributeFilters = {
	all: filterSchema([
		...ownSharedFields,
		...['parentId', 'succeeds', 'succeededBy', 'isDefault', 'content.owner', 'shareInfo.peer'],
	]).strip(),
	repository: filterSchema([...repositoryFields, 'isDefault']),
	ownShared: filterSchema(ownSharedFields),
	peerShared: filterSchema(peerSharedFields),
} as const;
