import { parseArgs } from 'node:util';

/** Whole numbers of the command line by name, each with its default and its least value. */
export function numbersOf<Name extends string>(
	wanted: Readonly<Record<Name, { readonly default: number; readonly least: number }>>,
): Record<Name, number> {
	const all = Object.entries<{ default: number; least: number }>(wanted);
	const { values } = parseArgs({
		options: Object.fromEntries(
			all.map(([name, one]) => [name, { type: 'string' as const, default: String(one.default) }]),
		),
	});
	const numbers = all.map(([name, { least }]) => {
		const number = Number(values[name]);
		if (Number.isInteger(number) && number >= least) return [name, number] as const;
		throw new Error(`--${name} is a whole number, at least ${least}.`);
	});
	return Object.fromEntries(numbers) as Record<Name, number>;
}

/** Prints whether a condition holds; the command fails if it does not. */
export function verdict(what: string, found: string | number, isGood: boolean): void {
	console.log(`  ${isGood ? 'passed' : 'FAILED'}  ${what}: ${found}`);
	if (!isGood) process.exitCode = 1;
}

/** Prints counts from the most frequent one on. */
export const countsOf = (counts: ReadonlyMap<unknown, number>): string =>
	[...counts]
		.sort(([, a], [, b]) => b - a)
		.map(([name, count]) => `${String(name)}: ${count}`)
		.join(', ');

/** Runs a command to its end. */
export function runCommand(main: () => Promise<void>): void {
	main().catch((error: unknown) => {
		console.error(error);
		process.exitCode = 1;
	});
}
