import type { ColumnValue, FieldCondition } from '../../store/store';

/** Conditions that each named field has its value, or one of its values. */
export function matching<Field extends string>(
	values: Readonly<Record<Field, ColumnValue | readonly ColumnValue[]>>,
): Array<FieldCondition<Field>> {
	const fields = Object.entries<ColumnValue | readonly ColumnValue[]>(values);
	return fields.map(([name, value]) => {
		// eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- the parameter names the fields
		const field = name as Field;
		return typeof value === 'object' ? { field, op: 'in', value } : { field, op: 'eq', value };
	});
}
