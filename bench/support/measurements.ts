interface Measured {
	/** milliseconds, or megabytes where the figure says so */
	readonly ms: number;
	/** processor time, which a busy machine does not lengthen */
	readonly cpuMs?: number;
}

export function median(values: readonly number[]): number {
	const sorted = [...values].sort((a, b) => a - b);
	const middle = sorted.length / 2;
	const [low = Number.NaN, high = low] = [
		sorted[Math.ceil(middle) - 1],
		sorted[Math.floor(middle)],
	];
	return (low + high) / 2;
}

export const shown = (value: number): string => value.toFixed(value < 10 ? 2 : value < 100 ? 1 : 0);

/** Measurements by figure and side, in the order of their first appearance. */
export class Measurements {
	private readonly all = new Map<string, Map<string, Measured[]>>();

	add(figure: string, side: string, measured: Measured): void {
		const sides = this.all.get(figure) ?? new Map<string, Measured[]>();
		this.all.set(figure, sides.set(side, [...(sides.get(side) ?? []), measured]));
	}

	/** Medians of two sides and the ratio of the first to the second one; with further columns. */
	table(
		first: string,
		second: string,
		more: Readonly<Record<string, ReadonlyMap<string, number>>> = {},
	): string {
		const rows = [...this.all].map(([figure, sides]) => {
			const of = (side: string, member: keyof Measured): number =>
				median((sides.get(side) ?? []).flatMap((one) => one[member] ?? []));
			const columns = (member: keyof Measured): string[] => {
				const [a, b] = [of(first, member), of(second, member)];
				return [a, b, a / b].map((value) => (Number.isNaN(value) ? '' : shown(value)));
			};
			const others = Object.values(more).map((column) => {
				const value = column.get(figure);
				return value === undefined ? '' : shown(value);
			});
			return [figure, ...columns('ms'), ...columns('cpuMs'), ...others];
		});
		const cpu = [first, second].map((side) => `cpu ${side}`);
		return table([['ms', first, second, 'ratio', ...cpu, 'ratio', ...Object.keys(more)], ...rows]);
	}
}

/** Aligns a table for the terminal: the first column to the left, numbers to the right. */
export function table(rows: ReadonlyArray<readonly string[]>): string {
	const widths = (rows[0] ?? []).map((_, column) =>
		Math.max(...rows.map((cells) => cells[column]?.length ?? 0)),
	);
	const line = (cells: readonly string[]): string =>
		cells
			.map((cell, column) =>
				column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
			)
			.join('  ');
	return rows.map(line).join('\n');
}
