import { parseArgs } from 'node:util';
import ensureSharedPostgres from '../../test/support/postgres/shared-postgres';
import { runCommand } from '../harness/report';
import { playChaos, type Figures } from './chaos';

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
	const [minutes, seed, { store }] = [Number(values.minutes), Number(values.seed), values];
	if (!(minutes > 0) || !Number.isInteger(seed)) throw new Error(usage);
	if (store !== 'sqlite' && store !== 'postgres') throw new Error(usage);
	if (store === 'postgres') await ensureSharedPostgres();
	console.log(`chaos for ${minutes} minutes with seed ${seed} on ${store}`);
	const onRound = (figures: Figures): void => {
		const counts = Object.entries(figures).map(([name, count]) => `${count} ${name}`);
		console.log(`${new Date().toISOString()}  ${counts.join(', ')}`);
	};
	const durationMs = minutes * 60_000;
	const { figures, violations, kept } = await playChaos({ durationMs, seed, store, onRound });
	onRound(figures);
	console.log(`${violations.length} violations with seed ${seed} on ${store}`);
	if (violations.length === 0) return;
	for (const { rule, what } of violations.slice(0, shownViolations)) {
		console.error(`  ${rule}: ${what}`);
	}
	console.error(`The evidence of the judge is in ${kept}, with the stores of SQLite.`);
	process.exitCode = 1;
}

runCommand(main);
