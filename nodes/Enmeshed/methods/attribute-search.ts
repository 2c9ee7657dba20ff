import type { INodeListSearchResult } from 'n8n-workflow';
import type { AttributeDto, AttributeField, Condition, GatewayFacade } from '../../../core';
import { attributeTypeLabel } from '../descriptions/attribute-types';
import { isObject, textMember } from '../helpers/members';
import { describeAttribute, peerLabel, PeerProfiles } from '../gateway/peers';
import { listSearch, matching, searchDepth, type Entry, type Search } from './search-kit';

/** Searches own attributes that can be shared, by type and value. */
export const searchAttributes: Search = listSearch(async (gateway, { filter }) => {
	const attributes = await gateway.attributes.list({
		where: [
			{ field: 'peer', op: 'missing' },
			{ field: 'succeededBy', op: 'missing' },
		],
		orderBy: { field: 'inserted', direction: 'desc' },
		limit: searchDepth,
	});
	const entries = attributes.map((attribute) => ({
		name: attributeLabel(attribute),
		value: attribute.id,
	}));
	return { results: matching(entries, filter) };
});

/** Searches own attributes that peers have, by type, value and peer. */
export const searchSharedAttributes: Search = listSearch(async (gateway, { filter }) => {
	const { address } = await gateway.account.getIdentity();
	return await listSharedOrNot(gateway, filter, [
		{ field: 'peer', op: 'exists' },
		{ field: 'owner', op: 'eq', value: address },
	]);
});

/** Searches own attributes and attributes of peers. */
export const searchAllAttributes: Search = listSearch((gateway, { filter }) =>
	listSharedOrNot(gateway, filter, []),
);

/**
 * Searches own attributes that can get a new version: identity attributes that are not shared
 * copies, and own relationship attributes.
 */
export const searchOwnAttributes: Search = listSearch(async (gateway, { filter }) => {
	const { address } = await gateway.account.getIdentity();
	return await listSharedOrNot(gateway, filter, [
		{ field: 'owner', op: 'eq', value: address },
		{ field: 'sourceAttribute', op: 'missing' },
		{ field: 'parentId', op: 'missing' },
		{
			op: 'anyOf',
			groups: [
				[
					{ field: 'contentType', op: 'eq', value: 'IdentityAttribute' },
					{ field: 'peer', op: 'missing' },
				],
				[
					{ field: 'contentType', op: 'eq', value: 'RelationshipAttribute' },
					{ field: 'peer', op: 'exists' },
				],
			],
		},
		{
			op: 'anyOf',
			groups: [
				[{ field: 'deletionStatus', op: 'missing' }],
				[
					{
						field: 'deletionStatus',
						op: 'in',
						value: ['DeletionRequestSent', 'DeletionRequestRejected'],
					},
				],
			],
		},
	]);
});

/** Lists newest versions, with the peer of a shared attribute. */
async function listSharedOrNot(
	gateway: GatewayFacade,
	filter: string,
	where: Array<Condition<AttributeField>>,
): Promise<INodeListSearchResult> {
	const attributes = await gateway.attributes.list({
		where: [...where, { field: 'succeededBy', op: 'missing' }],
		orderBy: { field: 'inserted', direction: 'desc' },
		limit: searchDepth,
	});
	const profiles = new PeerProfiles(gateway);
	const entries: Entry[] = [];
	for (const attribute of attributes) {
		const { id, owner, shareInfo } = attribute;
		const peer = shareInfo?.peer;
		const who =
			peer === undefined ? undefined : peerLabel((await profiles.ofAddress(peer)).name, peer);
		const relation = owner === peer ? 'of' : 'shared with';
		const suffix = who === undefined ? '' : ` (${relation} ${who})`;
		const name = `${attributeLabel(attribute)}${suffix}`;
		entries.push({ name, value: id, details: `${id} ${peer ?? ''}` });
	}
	return { results: matching(entries, filter) };
}

function attributeLabel(attribute: AttributeDto): string {
	const { type, value } = describeAttribute(attribute);
	const text = isObject(value) ? (textMember(value, 'text') ?? JSON.stringify(value)) : undefined;
	const shown = text ?? (Array.isArray(value) ? JSON.stringify(value) : String(value));
	return `${attributeTypeLabel(type)}: ${shown}`;
}
