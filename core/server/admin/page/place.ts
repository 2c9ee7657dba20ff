/** Place that the hash of the address names. */
export interface Place {
	readonly view: 'accounts' | 'search' | 'account';
	/** path of the account below `api`, and in the address */
	readonly account: string;
	readonly name?: string;
	/** tab of the account */
	readonly tab: string;
	/** what the tab shows of its records: the address of a person, a filter */
	readonly rest: readonly string[];
	/** words of the search */
	readonly text: string;
}

export function placeIn(hash: string): Place {
	const parts = hash
		.replace(/^#?\/?/, '')
		.split('/')
		.filter(Boolean)
		.map(decoded);
	const [first, second, ...others] = parts;
	const none = { account: '', tab: '', rest: [], text: '' };
	if (first === 'search') return { ...none, view: 'search', text: second ?? '' };
	if (first === 'default') {
		const [tab = 'overview', ...rest] = parts.slice(1);
		return { ...none, view: 'account', account: first, tab, rest };
	}
	if (first === 'accounts' && second !== undefined) {
		const [tab = 'overview', ...rest] = others;
		return { ...none, view: 'account', account: pathOfAccount(second), name: second, tab, rest };
	}
	return { ...none, view: 'accounts' };
}

/** What the default account is called, which has no name in its path. */
export const defaultName = 'Default account';

/** @param name name of an account; absent for the default account */
export function pathOfAccount(name?: string): string {
	return name === undefined ? 'default' : `accounts/${encodeURIComponent(name)}`;
}

/** Link to a place; the first part is a path already. */
export function linkTo(path: string, ...parts: readonly string[]): string {
	return ['#', path, ...parts.map(encodeURIComponent)].join('/');
}

function decoded(part: string): string {
	try {
		return decodeURIComponent(part);
	} catch {
		return part;
	}
}
