import { parseArgs } from 'node:util';
import ensureSharedPostgres from '../../test/support/postgres/shared-postgres';
import { playChaos, type Figures } from './chaos';
import type { Violation } from './judge';

const usage =
	'Usage: npm run chaos -- [--minutes <number>] [--seed <number>] [--store sqlite|postgres]';
const shownViolations = 20;

/**
 * `npm run chaos`: random operations on two accounts with several processes each and an official
 * runtime, with faults of the Backbone and SIGKILLs, and a judge that compares all views. Fails on
 * the first violation.
 */
async function main(): Promise<void> {
	const { values } = parseArgs({
		options: {
			minutes: { type: 'string', default: '10' },
			seed: { type: 'string', default: String(Date.now() % 1_000_000) },
			store: { type: 'string', default: 'sqlite' },
		},
	});
	const [minutes, seed] = [Number(values.minutes), Number(values.seed)];
	const { store } = values;
	if (!(minutes > 0) || !Number.isInteger(seed)) throw new Error(usage);
	if (store !== 'sqlite' && store !== 'postgres') throw new Error(usage);
	if (store === 'postgres') await ensureSharedPostgres();
	console.log(`chaos for ${minutes} minutes with seed ${seed} on ${store}`);
	const { figures, violations, kept } = await playChaos({
		durationMs: minutes * 60_000,
		seed,
		store,
		onRound: (current) => console.log(`${new Date().toISOString()}  ${textOf(current)}`),
	});
	console.log(`\nAt the end: ${textOf(figures)}`);
	if (violations.length === 0) return;
	console.error(`\nViolations with seed ${seed} on ${store}:`);
	for (const violation of violations.slice(0, shownViolations)) console.error(shown(violation));
	console.error(`The evidence of the judge is in ${kept}, with the stores of SQLite.`);
	process.exitCode = 1;
}

function textOf(figures: Figures): string {
	return Object.entries(figures)
		.map(([name, count]) => `${count} ${name}`)
		.join(', ');
}

function shown({ rule, what }: Violation): string {
	return `  ${rule}: ${what}`;
}

main().catch((error: unknown) => {
	console.error(error);
	process.exitCode = 1;
});
