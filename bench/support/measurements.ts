import { median } from './statistics';

/** Source of a figure; 'processor' is processor time, where the figure itself is elapsed time. */
export type Side = 'official' | 'ours' | 'floor' | 'official processor' | 'ours processor';

export interface Line {
	readonly name: string;
	readonly unit: 'ms' | 'MB';
	/** wanted ratio; absent if none was set */
	readonly target?: number | undefined;
	readonly official: number;
	readonly ours: number;
	readonly floor?: number | undefined;
	readonly processor?: { readonly official: number; readonly ours: number } | undefined;
}

interface Series {
	readonly unit: Line['unit'];
	readonly target: number | undefined;
	readonly values: Map<Side, number[]>;
}

/** Collects the measurements of all rounds, in the order of their first appearance. */
export class Measurements {
	private readonly series = new Map<string, Series>();

	add(
		figure: { readonly name: string; readonly target?: number; readonly unit?: Line['unit'] },
		side: Side,
		value: number,
	): void {
		let series = this.series.get(figure.name);
		if (series === undefined) {
			series = { unit: figure.unit ?? 'ms', target: figure.target, values: new Map() };
			this.series.set(figure.name, series);
		}
		series.values.set(side, [...(series.values.get(side) ?? []), value]);
	}

	/** Medians per figure. */
	lines(): Line[] {
		return [...this.series].map(([name, { unit, target, values }]) => {
			const of = (side: Side): number => median(values.get(side) ?? []);
			return {
				name,
				unit,
				target,
				official: of('official'),
				ours: of('ours'),
				floor: values.has('floor') ? of('floor') : undefined,
				processor: values.has('ours processor')
					? { official: of('official processor'), ours: of('ours processor') }
					: undefined,
			};
		});
	}
}
