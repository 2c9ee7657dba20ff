/** One entry of an Accept header. */
interface Accepted {
	readonly type: string;
	readonly quality: number;
	readonly position: number;
}

const maxEntries = 50;

/**
 * Which of the offered types a client gets (docs/protocol/http-api.md 2.4): the one with the highest
 * quality; with equal ones the order of the client's list decides, then that of the offers.
 *
 * @param offers full media types, the preferred one first
 * @returns undefined where nothing fits
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

/** The most precise entry speaks for a type. */
function bestMatch(offer: string, accepted: readonly Accepted[]): Accepted | undefined {
	const [group] = offer.split('/');
	for (const form of [offer, `${group}/*`, '*/*']) {
		const match = accepted.find(({ type }) => type === form);
		if (match !== undefined) return match;
	}
	return undefined;
}
