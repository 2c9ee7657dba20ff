import type { Arena } from './arena';
import { shown, table } from './support/measurements';

const untilIdleMs = 15_000;
const watchedMs = 60_000;

/** Costs of accounts that wait for push signals: one of them, and many in one process. */
export async function measureIdle(arena: Arena, accounts: number): Promise<void> {
	const folder = arena.newFolder();
	const { baseUrl } = arena.backbone;
	const creator = arena.start();
	await creator.call('idle', { baseUrl, folder, count: accounts, push: false });
	await creator.end();
	const looks = [];
	for (const count of [1, accounts]) {
		const program = arena.start();
		await program.call('idle', { baseUrl, folder, count, push: true });
		await program.call('watch', { ms: untilIdleMs });
		const megabytes = (await program.call('memory')) / 1_000_000;
		const { cpuMs, ms } = await program.call('watch', { ms: watchedMs });
		looks.push([count, megabytes, (100 * cpuMs) / ms]);
		await program.end();
	}
	const [one = [], many = []] = looks;
	const further = many.map((value, index) => (value - (one[index] ?? 0)) / (accounts - 1));
	const rows = [one, many, further].map((values) => values.map(shown));
	console.log(table([['accounts', 'MB', '% of a core'], ...rows]));
	console.log('The last line is one further account.');
}
