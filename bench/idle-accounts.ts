import type { Arena } from './arena';
import type { IdleLook } from './programs/idle';
import { alignedTable, shown } from './support/report';

const bytesPerMegabyte = 1_000_000;
const watchedMs = 60_000;

/** Costs of idle accounts that wait for push signals: one of them, and many in one process. */
export async function measureIdle(arena: Arena, accounts: number): Promise<readonly IdleLook[]> {
	const folder = arena.newFolder();
	const { baseUrl } = arena;
	const creator = arena.start('idle');
	await creator.call('open', { baseUrl, folder, count: accounts, push: false });
	await creator.call('close');
	await creator.stop();
	const looks: IdleLook[] = [];
	for (const count of [1, accounts]) {
		const program = arena.start('idle');
		await program.call('open', { baseUrl, folder, count, push: true });
		looks.push(await program.call<IdleLook>('look', { forMs: watchedMs }));
		await program.call('close');
		await program.stop();
	}
	return looks;
}

/** Table for the terminal, with the cost of one further account in its last line. */
export function idleTable(looks: readonly IdleLook[]): string {
	const [one, many] = looks as [IdleLook, IdleLook];
	const further = many.accounts - one.accounts;
	const perAccount = (value: (look: IdleLook) => number): number =>
		(value(many) - value(one)) / further;
	const rows = looks.map((look) => [
		String(look.accounts),
		String(look.connected),
		shown(look.residentBytes / bytesPerMegabyte),
		shown(look.processorShare * 100),
		String(look.timers),
		Object.entries(look.files)
			.map(([kind, count]) => `${count} ${kind}`)
			.join(', '),
	]);
	return [
		alignedTable([['accounts', 'connected', 'MB', '% of a core', 'timers', 'open files'], ...rows]),
		`A further account: ${shown(perAccount((look) => look.residentBytes / bytesPerMegabyte))} MB, ${shown(
			perAccount((look) => look.processorShare * 100),
		)} % of a core.`,
	].join('\n\n');
}
