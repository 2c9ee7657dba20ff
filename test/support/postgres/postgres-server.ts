import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { freePort } from '../../../scripts/n8n/free-port';

/** Debian keeps the server's programs out of the way. */
const packaged = '/usr/lib/postgresql';

/** Like `describe`; skipped where the programs of a PostgreSQL server are not installed. */
export function describeWithOwnPostgres(name: string, tests: () => void): void {
	if (isPostgresInstalled()) describe(name, tests);
	else describe.skip(`${name} (needs PostgreSQL: no pg_ctl is installed)`, tests);
}

export const isPostgresInstalled = (): boolean => programsFolder() !== undefined;

/** A PostgreSQL server of a test: it may be stopped, which the shared server may not. */
export class PostgresServer {
	private constructor(
		/** of the server's files, which belong to its user */
		readonly folder: string,
		readonly port: number,
	) {}

	/** @param prepare what its start is to be given besides, as `name=value`; may lay files down first */
	static async start(
		prepare: (server: PostgresServer) => string[] = () => [],
	): Promise<PostgresServer> {
		const folder = mkdtempSync(join(tmpdir(), 'enmeshed-postgres-'));
		if (serverUser !== undefined) chownSync(folder, serverUser.uid, serverUser.gid);
		const server = new PostgresServer(folder, await freePort());
		const initdb = ['-D', server.data, '-U', 'root', '--auth=trust', '--encoding=UTF8'];
		await server.run('initdb', ...initdb, '--locale=C', '--no-sync');
		await server.startUp(prepare(server));
		return server;
	}

	get data(): string {
		return join(this.folder, 'data');
	}

	/** A key is taken from no other process. */
	own(file: string): void {
		if (serverUser !== undefined) chownSync(file, serverUser.uid, serverUser.gid);
	}

	get url(): string {
		return `postgres://root@127.0.0.1:${this.port}/postgres`;
	}

	/** `fast` ends the sessions in order; `immediate` is a crash, which the server recovers from. */
	async stop(mode: 'fast' | 'immediate'): Promise<void> {
		await this.run('pg_ctl', '-D', this.data, '-m', mode, '-w', 'stop');
	}

	async startUp(settings: readonly string[] = []): Promise<void> {
		const all = [
			'listen_addresses=127.0.0.1',
			`port=${this.port}`,
			`unix_socket_directories=${this.folder}`,
			...settings,
		];
		const options = all.map((setting) => `-c ${setting}`).join(' ');
		const log = join(this.folder, 'log');
		await this.run('pg_ctl', '-D', this.data, '-l', log, '-w', '-t', '60', '-o', options, 'start');
	}

	/** Ends it and removes its files as soon as that process has ended, in whatever way. */
	endWith(processId: number): void {
		const script =
			'while kill -0 "$0" 2>/dev/null; do sleep 1; done; ' +
			'kill -INT "$(head -n 1 "$1/postmaster.pid")"; sleep 2; rm -rf "$2"';
		const watching = ['-c', script, String(processId), this.data, this.folder];
		spawn('sh', watching, { cwd: '/', detached: true, stdio: 'ignore' }).unref();
	}

	async remove(): Promise<void> {
		await this.stop('immediate').catch(() => undefined);
		rmSync(this.folder, { recursive: true, force: true });
	}

	private async run(program: string, ...programArguments: string[]): Promise<void> {
		const child = spawn(join(programsFolder() ?? '', program), programArguments, {
			cwd: this.folder,
			stdio: 'ignore',
			...serverUser,
		});
		const [code] = (await once(child, 'exit')) as [number | null];
		if (code !== 0) throw new Error(`${program} ${programArguments.join(' ')} ended with ${code}`);
	}
}

/** The server refuses to run as root. */
const serverUser = process.getuid?.() === 0 ? userOf('postgres') : undefined;

function userOf(name: string): { readonly uid: number; readonly gid: number } | undefined {
	const idOf = (flag: string): number => Number(execFileSync('id', [flag, name]).toString());
	try {
		return { uid: idOf('-u'), gid: idOf('-g') };
	} catch {
		return undefined;
	}
}

function programsFolder(): string | undefined {
	const versions = existsSync(packaged) ? readdirSync(packaged) : [];
	const newest = versions.toSorted((a, b) => Number(b) - Number(a));
	const folders = [
		...newest.map((version) => join(packaged, version, 'bin')),
		...(process.env['PATH'] ?? '').split(delimiter),
	];
	return folders.find((folder) =>
		['initdb', 'pg_ctl'].every((program) => existsSync(join(folder, program))),
	);
}
