const none = new URLSearchParams();

/** Names of parameters match in any case. */
export function readQuery(search: string): URLSearchParams {
	if (search === '') return none;
	const query = new URLSearchParams();
	for (const [name, value] of new URLSearchParams(search)) query.append(name.toLowerCase(), value);
	return query;
}
