import type { HeldAttribute } from './holder';

/** What histories read of an attribute in the form of version 7. */
export interface AttributeOf7 {
	readonly '@type': string;
	readonly id: string;
	readonly content: HeldAttribute['content'];
	readonly succeeds?: string | undefined;
	readonly succeededBy?: string | undefined;
	readonly peer?: string | undefined;
	readonly deletionInfo?: HeldAttribute['deletionInfo'] | undefined;
}

export interface ForwardingDetails {
	readonly peer: string;
	readonly deletionInfo?: HeldAttribute['deletionInfo'] | undefined;
}

/**
 * Writes attributes of version 7 in the form of version 6: each forwarding is a copy with the id of its
 * source.
 *
 * @param details forwarding details by the id of the attribute
 */
export function heldOf7(
	attributes: readonly AttributeOf7[],
	details: ReadonlyMap<string, readonly ForwardingDetails[]>,
): HeldAttribute[] {
	const successors = new Map(attributes.map(({ id, succeededBy }) => [id, succeededBy]));
	/** The next version that the peer was told of; it need not know all of them. */
	const nextAt = (peer: string, id: string | undefined): string | undefined => {
		if (id === undefined || details.get(id)?.some((one) => one.peer === peer)) return id;
		return nextAt(peer, successors.get(id));
	};
	return attributes.flatMap((attribute) => {
		const { id, content, succeeds, succeededBy, peer, deletionInfo } = attribute;
		const versions = { ...(succeeds === undefined ? {} : { succeeds }) };
		const whole: HeldAttribute = {
			...{ id, content, ...versions },
			...(succeededBy === undefined ? {} : { succeededBy }),
			...(peer === undefined ? {} : { shareInfo: { peer } }),
			...(deletionInfo === undefined ? {} : { deletionInfo: inWordsOf6(deletionInfo) }),
		};
		const forwarded = (details.get(id) ?? []).map((one): HeldAttribute => {
			const next = nextAt(one.peer, succeededBy);
			return {
				...{ id, content, ...versions },
				...(next === undefined ? {} : { succeededBy: next }),
				shareInfo: { peer: one.peer, sourceAttribute: id },
				...(one.deletionInfo === undefined ? {} : { deletionInfo: inWordsOf6(one.deletionInfo) }),
			};
		});
		return [whole, ...forwarded];
	});
}

const inWordsOf6 = ({ deletionStatus }: { readonly deletionStatus: string }) => ({
	deletionStatus: deletionStatus.replace('ByRecipient', 'ByPeer').replace('ByEmitter', 'ByOwner'),
});
