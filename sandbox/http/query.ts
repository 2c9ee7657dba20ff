const none = new URLSearchParams();

/** Parses a query whose parameter names match in any letter case. */
export function readQuery(search: string): URLSearchParams {
	if (search === '') return none;
	const query = new URLSearchParams();
	for (const [name, value] of new URLSearchParams(search)) query.append(name.toLowerCase(), value);
	return query;
}
