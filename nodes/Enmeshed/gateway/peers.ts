import type { AttributeDto, GatewayFacade, PeerProfile } from '../../../core';
import { loadCore } from './core';
import { readableValue, readableValues } from '../output/readable-value';

export type { PeerProfile };

interface Cancellable {
	readonly signal?: AbortSignal | undefined;
}

/** Looks up profiles and caches them for the duration of one call. */
export class PeerProfiles {
	private readonly known = new Map<string, Promise<PeerProfile>>();

	constructor(
		private readonly gateway: GatewayFacade,
		private readonly options: Cancellable = {},
	) {}

	ofRelationship(relationshipId: string): Promise<PeerProfile> {
		return this.remember(relationshipId, async () => {
			const { toProfile } = await loadCore();
			const attributes = this.gateway.relationships.peerAttributes(relationshipId, this.options);
			const { name, sharedAttributes } = toProfile(await attributes);
			return { name, sharedAttributes: readableValues(sharedAttributes) };
		});
	}

	ofAddress(address: string): Promise<PeerProfile> {
		return this.remember(address, async () => {
			const [newest] = await this.gateway.relationships.list(
				{
					where: [{ field: 'peer', op: 'eq', value: address }],
					orderBy: { field: 'inserted', direction: 'desc' },
					limit: 1,
				},
				this.options,
			);
			if (newest === undefined) return { name: undefined, sharedAttributes: {} };
			return await this.ofRelationship(newest.id);
		});
	}

	private remember(key: string, load: () => Promise<PeerProfile>): Promise<PeerProfile> {
		const profile = this.known.get(key) ?? load();
		this.known.set(key, profile);
		return profile;
	}
}

/**
 * Returns type and value of an attribute: the text of a text value, the ISO date of a date of
 * birth, otherwise the object without its type, with `text`.
 */
export function describeAttribute(attribute: Pick<AttributeDto, 'content'>): {
	type: string;
	value: unknown;
} {
	const { content } = attribute;
	const { '@type': valueType, ...members }: Record<string, unknown> & { '@type': string } =
		content.value;
	// Relationship attributes are identified by their key, because several may have one type.
	const type = content['@type'] === 'RelationshipAttribute' ? content.key : valueType;
	const isSimple = Object.keys(members).length === 1 && 'value' in members;
	if (isSimple) return { type, value: members['value'] };
	return { type, value: readableValue(valueType, members) };
}

/**
 * Label of a peer in a list. It includes the address, because the name does not prove an identity.
 */
export function peerLabel(name: string | undefined, address: string): string {
	return name === undefined ? shortAddress(address) : `${name} ${shortAddress(address)}`;
}

/** End of an address, enough to tell peers without a known name apart. */
export function shortAddress(address: string): string {
	return `…${address.slice(-8)}`;
}
