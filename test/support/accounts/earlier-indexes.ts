/**
 * Statements that undo the indexes of the schema step `0009-flat-lists`.
 *
 * @param table writes a name with its schema
 */
export function withoutFlatLists(table = (name: string): string => name): string {
	const columns = 'value_type owner canonical_value'.split(' ');
	const dropped = [
		...['is_own', 'is_own_created_at', 'is_own_was_read_at', 'content_type', 'subject'].map(
			(name) => `messages_by_${name}`,
		),
		...['value_type', 'value_type_owner_peer', 'canonical_value'].map(
			(name) => `attributes_by_${name}`,
		),
		'requests_by_is_own',
		...['templates', 'files', 'tokens'].flatMap((of) =>
			['is_own', 'created_at', 'expires_at'].map((name) => `${of}_by_${name}`),
		),
	];
	return [
		`create index attributes_by_${columns.join('_')} on ${table('attributes')}
			(${columns.map((column) => `c_${column}`).join(', ')})`,
		...dropped.map((name) => `drop index ${table(name)}`),
	].join('; ');
}
