import { alignedTable, shown } from '../support/report';
import { mostGrowth, type GrowthResult } from './growth-figures';

/** Table of one store: milliseconds for each list and size, and how much the time has grown. */
export function growthTable({ store, sizes, lines, seeding }: GrowthResult): string {
	const heading = [store, ...sizes.map((size) => size.toLocaleString('en')), 'factor', ''];
	const rows = lines.map(({ name, times, factor }) => [
		name,
		...times.map((time) => `${shown(time)} ms`),
		shown(factor),
		factor > mostGrowth ? 'grows' : '',
	]);
	return `${alignedTable([heading, ...rows])}\n\nThe records took ${Math.round(seeding)} s.`;
}

/** Names of the lists that take longer in a larger account. */
export function growingLists(results: readonly GrowthResult[]): string[] {
	return results.flatMap(({ store, lines }) =>
		lines.filter(({ factor }) => factor > mostGrowth).map(({ name }) => `${store}: ${name}`),
	);
}
