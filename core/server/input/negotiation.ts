/** Entry of an Accept header. */
interface Accepted {
	readonly type: string;
	readonly quality: number;
	readonly position: number;
}

const maxEntries = 50;

/**
 * Picks the offered type that a client gets (docs/protocol/http-api.md 2.4): the type of highest
 * quality; ties are decided by the order of the client's list, then by the order of the offers.
 *
 * @param offers full media types, the preferred one first
 * @returns undefined if no offer is acceptable
 */
export function negotiate<Type extends string>(
	accept: string | undefined,
	offers: readonly Type[],
): Type | undefined {
	if (accept === undefined || accept.trim() === '') return offers[0];
	const accepted = readAccept(accept);
	const candidates = offers.flatMap((offer, position) => {
		const match = bestMatch(offer, accepted);
		return match === undefined || match.quality === 0 ? [] : [{ offer, match, position }];
	});
	candidates.sort(
		(a, b) =>
			b.match.quality - a.match.quality ||
			a.match.position - b.match.position ||
			a.position - b.position,
	);
	return candidates[0]?.offer;
}

function readAccept(accept: string): Accepted[] {
	return accept
		.split(',', maxEntries)
		.map((entry, position) => {
			const [type = '', ...parameters] = entry.split(';').map((part) => part.trim().toLowerCase());
			const quality = parameters.find((parameter) => parameter.startsWith('q='));
			return { type, position, quality: quality === undefined ? 1 : Number(quality.slice(2)) };
		})
		.filter(({ quality }) => quality >= 0 && quality <= 1);
}

/** Most specific entry that matches a type. */
function bestMatch(offer: string, accepted: readonly Accepted[]): Accepted | undefined {
	const [group] = offer.split('/');
	for (const form of [offer, `${group}/*`, '*/*']) {
		const match = accepted.find(({ type }) => type === form);
		if (match !== undefined) return match;
	}
	return undefined;
}
