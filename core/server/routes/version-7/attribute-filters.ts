import * as z from 'zod';
import { filterSchema } from '../inputs';

const ofAll = ['wasViewedAt', 'content.tags', 'content.value.@type'];
const deletion = ['deletionInfo', 'deletionInfo.deletionStatus', 'deletionInfo.deletionDate'];
const shared = [
	...ofAll,
	...['@type', 'content.@type', 'content.key', 'content.confidentiality', 'sourceReference'],
	...deletion,
];

/** Here, unlike in other lists, not every record has a peer. */
const peer = z.union([z.string(), z.array(z.string())], 'must be string,array').optional();

/**
 * Filters of attributes. The list of all attributes ignores other fields; the other lists refuse
 * them (docs/protocol/connector-7.md 4.1).
 */
export const localAttributeFilters = {
	all: filterSchema([
		...shared,
		...['createdAt', 'succeeds', 'succeededBy', 'isDefault', 'content.owner'],
		...['content.isTechnical', 'initialAttributePeer'],
	])
		.extend({ peer })
		.strip(),
	ownIdentity: filterSchema(ofAll, ['createdAt', 'isDefault']),
	ownShared: filterSchema(shared, ['createdAt', 'isDefault', 'content.isTechnical']),
	peer: filterSchema([...shared, 'initialAttributePeer'], ['createdAt', 'content.isTechnical']),
	forwardingDetails: filterSchema(['sourceReference', 'sharedAt', ...deletion]).extend({ peer }),
} as const;
