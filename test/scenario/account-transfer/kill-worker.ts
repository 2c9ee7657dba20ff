import './kill-worker-passwords';
import { exportAccount, importAccount, moveAccount, type AccountPlace } from '../../../core';
import { HttpBackbone } from '../../../core/backbone/http/http-backbone';
import { SqliteHome } from '../../../core/store/sqlite/sqlite-home';
import { SqliteSession } from '../../../core/store/sqlite/sqlite-session';

/*
 * One move in a process of its own that dies at a chosen point: before and after everything that a
 * store, a file or the Backbone is asked to do.
 */
interface Task {
	readonly operation: 'move' | 'export' | 'retire' | 'import';
	readonly from: AccountPlace;
	readonly to: AccountPlace;
	readonly file: string;
	readonly password: string;
	/** 0: never */
	readonly killAt: number;
}

const task = JSON.parse(process.argv[2] ?? '{}') as Task;
let points = 0;

function point(): void {
	points++;
	if (points === task.killAt) process.kill(process.pid, 'SIGKILL');
}

type Method = (this: unknown, ...parameters: unknown[]) => Promise<unknown>;

/** Only our own process is watched: the modules run for real. */
function watch(holder: object, name: string): void {
	const methods = holder as Record<string, Method>;
	const original = methods[name] as Method;
	methods[name] = async function watched(this: unknown, ...parameters) {
		point();
		const result = await original.apply(this, parameters);
		point();
		return result;
	};
}

watch(SqliteSession.prototype, 'run');
for (const name of ['look', 'otherAccounts', 'open', 'create', 'discard'])
	watch(SqliteHome.prototype, name);
// The built-in module itself, whose functions the program calls by their names.
const files = process.getBuiltinModule('node:fs/promises');
for (const name of ['open', 'rename', 'rm', 'stat']) watch(files, name);

const client = { clientId: 'test', clientSecret: 'test' };
const openBackbone = (options: typeof client & { baseUrl: string }): HttpBackbone => {
	const backbone = HttpBackbone.open(options);
	watch(backbone.authentication, 'verify');
	return backbone;
};

async function run(): Promise<unknown> {
	const { from, to, file, password } = task;
	const deps = { openBackbone };
	switch (task.operation) {
		case 'move':
			return await moveAccount({ from, to, client }, deps);
		case 'import':
			return await importAccount({ file, password, to, client }, deps);
		default: {
			const retire = task.operation === 'retire';
			return await exportAccount({ from, file, password, client, retire }, deps);
		}
	}
}

run().then(
	(result) => process.stdout.write(JSON.stringify({ points, result })),
	(error: unknown) => {
		process.stderr.write(String((error as { code?: unknown }).code ?? (error as Error).stack));
		process.exitCode = 1;
	},
);
