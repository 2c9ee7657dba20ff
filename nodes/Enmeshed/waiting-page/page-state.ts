/** State of a question as the visitor may see it. */
export type PageState =
	| {
			readonly state: 'waiting';
			/** answers that have arrived, if several people are asked */
			readonly progress?: { readonly answers: number; readonly wanted: number } | undefined;
	  }
	| {
			readonly state: 'answered';
			/** name of the person who answered */
			readonly name?: string | undefined;
			/** address of the page that follows: https, or http on the computer of the visitor */
			readonly redirectTo?: string | undefined;
	  }
	| { readonly state: 'rejected' | 'expired' | 'gone' };

export interface PageResponse {
	readonly statusCode: number;
	readonly headers: Readonly<Record<string, string>>;
	readonly body: string;
}

const longestName = 100;
const longestAddress = 2_000;

/**
 * Answer to the page's polling. It contains nothing but the state, the number of answers while
 * several people are asked, and the name and the next page after an answer. Every origin may read
 * it, because n8n's sandbox takes the page's own origin.
 */
export function renderStatus(state: PageState): PageResponse {
	return {
		statusCode: 200,
		headers: {
			'content-type': 'application/json; charset=utf-8',
			'access-control-allow-origin': '*',
			'cache-control': 'no-store',
			'x-content-type-options': 'nosniff',
		},
		body: JSON.stringify(checkState(state)),
	};
}

/** Leaves out names that are empty, and addresses that no visitor may be sent to. */
export function checkState(state: PageState): PageState {
	if (state.state === 'waiting') {
		const { progress } = state;
		return { state: 'waiting', ...(progress === undefined ? {} : { progress }) };
	}
	if (state.state !== 'answered') return { state: state.state };
	const name = cleanName(state.name ?? '');
	const redirectTo = readRedirect(state.redirectTo)?.href;
	return {
		state: 'answered',
		...(name === '' ? {} : { name }),
		...(redirectTo === undefined ? {} : { redirectTo }),
	};
}

/**
 * A name comes from the wallet of any person: control characters and marks that reverse the
 * direction of the text are removed, and long names are cut.
 */
function cleanName(name: string): string {
	const plain = name.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ').replace(/\s+/g, ' ');
	return cut(plain.trim(), longestName);
}

/** Cuts between characters, not inside of one. */
export function cut(text: string, length: number): string {
	if (text.length <= length) return text;
	return `${text.slice(0, length - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

/** URL of a page that visitors may be sent to; undefined for any other text. */
export function readRedirect(address: string | undefined): URL | undefined {
	const url = readAddress(address, ['https:', 'http:'], longestAddress);
	if (url === undefined || url.username !== '' || url.password !== '') return undefined;
	// A request to the visitor's own computer crosses no network: workflows can be tried without
	// https.
	const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
	return url.protocol === 'https:' || isLocal ? url : undefined;
}

/** URL with one of the protocols; undefined for any other text. */
export function readAddress(
	address: string | undefined,
	protocols: readonly string[],
	longest: number,
): URL | undefined {
	if (address === undefined || address.length > longest) return undefined;
	const url = URL.parse(address);
	return url === null || !protocols.includes(url.protocol) ? undefined : url;
}
