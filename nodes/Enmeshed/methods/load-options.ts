import { attributeTypeLabel } from '../descriptions/attribute-types';
import { textMember } from '../helpers/members';
import { peerLabel, PeerProfiles } from '../gateway/peers';
import { flatItems, nameItems, valueTypeOf } from '../requests/request-items';
import { optionsLoader, searchDepth, type Entry, type OptionsLoader } from './search-kit';

/** Loads the people with an active relationship, by name; the value is the address. */
export const loadActivePeers: OptionsLoader = optionsLoader(async (gateway) => {
	const relationships = await gateway.relationships.list({
		where: [{ field: 'status', op: 'eq', value: 'Active' }],
		orderBy: { field: 'inserted', direction: 'desc' },
		limit: searchDepth,
	});
	const profiles = new PeerProfiles(gateway);
	const entries: Entry[] = [];
	for (const { id, peer, peerDeletionInfo } of relationships) {
		if (peerDeletionInfo !== undefined) continue;
		const { name } = await profiles.ofRelationship(id);
		entries.push({ name: peerLabel(name ?? 'Unnamed peer', peer), value: peer });
	}
	return entries.sort((a, b) => a.name.localeCompare(b.name));
});

/** Loads what the selected incoming request asks for; the value is the name of the answer. */
export const loadRequestEntries: OptionsLoader = optionsLoader(async (gateway, functions) => {
	const id: unknown = functions.getNodeParameter('request', '', { extractValue: true });
	if (typeof id !== 'string' || id === '') return [];
	const { content } = await gateway.incomingRequests.get(id);
	return flatItems(nameItems(content)).map(({ name, item }) => {
		const type = valueTypeOf(item);
		const label = type === undefined ? name : name.replace(type, attributeTypeLabel(type));
		const title = textMember(item, 'title');
		return {
			name: title === undefined || title === name ? label : `${title} (${label})`,
			value: name,
		};
	});
});
