import { median } from './statistics';

export type Side = 'official' | 'ours' | 'floor';

export interface Line {
	readonly name: string;
	readonly unit: 'ms' | 'MB';
	/** wanted ratio, design.md 9; absent where it names none */
	readonly target?: number | undefined;
	readonly official: number;
	readonly ours: number;
	readonly floor?: number | undefined;
}

interface Series {
	readonly unit: Line['unit'];
	readonly target: number | undefined;
	readonly values: Record<Side, number[]>;
}

/** Collects what the rounds measure, in the order of first appearance. */
export class Measurements {
	private readonly series = new Map<string, Series>();

	add(
		figure: { readonly name: string; readonly target?: number; readonly unit?: Line['unit'] },
		side: Side,
		value: number,
	): void {
		let series = this.series.get(figure.name);
		if (series === undefined) {
			const values = { official: [], ours: [], floor: [] };
			series = { unit: figure.unit ?? 'ms', target: figure.target, values };
			this.series.set(figure.name, series);
		}
		series.values[side].push(value);
	}

	/** The medians. */
	lines(): Line[] {
		return [...this.series].map(([name, { unit, target, values }]) => ({
			name,
			unit,
			target,
			official: median(values.official),
			ours: median(values.ours),
			floor: values.floor.length === 0 ? undefined : median(values.floor),
		}));
	}
}
