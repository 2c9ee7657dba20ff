import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { freePort } from '../../../scripts/n8n/free-port';

const projectRoot = join(__dirname, '..', '..', '..');
export const monitoringFolder = join(projectRoot, 'deploy', 'monitoring');

/** Where `.ci/prometheus` unpacks it. */
const unpacked = join(projectRoot, '.tmp', 'prometheus', 'usr', 'bin');

function programOf(name: string): string | undefined {
	const folders = [...(process.env.PATH ?? '').split(delimiter), unpacked];
	return folders.map((folder) => join(folder, name)).find(isProgram);
}

function isProgram(file: string): boolean {
	try {
		accessSync(file, constants.X_OK);
		return true;
	} catch {
		return false;
	}
}

const [promtool, prometheus] = [programOf('promtool'), programOf('prometheus')];

/** Like `describe`; skipped where Prometheus is not installed. */
export function describeWithPrometheus(name: string, tests: () => void): void {
	if (promtool !== undefined && prometheus !== undefined) describe(name, tests);
	else describe.skip(`${name} (needs Prometheus: .ci/prometheus fetches it)`, tests);
}

/** Runs promtool and returns what it prints; fails with its code. */
export function runPromtool(...words: readonly string[]): string {
	return execFileSync(promtool ?? '', words, { encoding: 'utf8', stdio: 'pipe' });
}

export interface BoardQuery {
	readonly panel: string;
	readonly expr: string;
}

/** Queries of the board, with a range in the place of Grafana's variables. */
export function queriesOfBoard(): BoardQuery[] {
	const text = readFileSync(join(monitoringFolder, 'grafana-board.json'), 'utf8');
	const board = JSON.parse(text) as {
		panels: ReadonlyArray<{ title: string; targets?: ReadonlyArray<{ expr: string }> }>;
	};
	return board.panels.flatMap(({ title, targets = [] }) =>
		targets.map(({ expr }) => ({
			panel: title,
			expr: expr.replaceAll('$__rate_interval', '1m').replaceAll('$account', '.*'),
		})),
	);
}

/** The alarms with other durations: minutes become seconds, so that a run takes no hour. */
export function hastenedAlarms(): string {
	return readFileSync(join(monitoringFolder, 'alarms.yaml'), 'utf8')
		.replaceAll(/for: \d+m/g, 'for: 1s')
		.replaceAll('[5m]', '[15s]')
		.replaceAll(/> 1\d \* 60/g, '> 8');
}

/** A Prometheus server that scrapes one gateway every second. */
export class PrometheusServer {
	private constructor(
		private readonly child: ChildProcess,
		private readonly folder: string,
		private readonly address: string,
	) {}

	static async start({
		target,
		token,
	}: {
		target: string;
		token: string;
	}): Promise<PrometheusServer> {
		const folder = mkdtempSync(join(tmpdir(), 'enmeshed-prometheus-'));
		const port = await freePort();
		writeFileSync(join(folder, 'alarms.yaml'), hastenedAlarms());
		writeFileSync(join(folder, 'token'), token);
		const config = readFileSync(join(monitoringFolder, 'prometheus.yaml'), 'utf8')
			.replaceAll(/: 15s/g, ': 1s')
			.replace('gateway:8080', target)
			.replace('/etc/prometheus/enmeshed-token', join(folder, 'token'));
		writeFileSync(join(folder, 'prometheus.yaml'), config);
		const child = spawn(
			prometheus ?? '',
			[
				`--config.file=${join(folder, 'prometheus.yaml')}`,
				`--storage.tsdb.path=${join(folder, 'data')}`,
				`--web.listen-address=127.0.0.1:${port}`,
				'--log.level=error',
			],
			{ stdio: 'ignore' },
		);
		return new PrometheusServer(child, folder, `http://127.0.0.1:${port}`);
	}

	/** Result of a query; undefined while the server starts. */
	async query(expr: string): Promise<ReadonlyArray<{ value: [number, string] }> | undefined> {
		const answer = await this.ask(`query?query=${encodeURIComponent(expr)}`);
		return answer?.['result'] as Array<{ value: [number, string] }> | undefined;
	}

	/** Names of the alarms in this state. */
	async alarms(state: 'firing' | 'pending'): Promise<string[]> {
		const answer = await this.ask('alerts');
		const alerts = (answer?.['alerts'] ?? []) as Array<{
			state: string;
			labels: { alertname: string };
		}>;
		const names = alerts.filter((alert) => alert.state === state);
		return [...new Set(names.map(({ labels }) => labels.alertname))];
	}

	private async ask(path: string): Promise<Record<string, unknown> | undefined> {
		const answer = await fetch(`${this.address}/api/v1/${path}`).catch(() => undefined);
		if (answer === undefined || answer.status === 503) return undefined;
		const { status, data, error } = (await answer.json()) as {
			status: string;
			data: Record<string, unknown>;
			error?: string;
		};
		if (status !== 'success') throw new Error(`Prometheus refuses '${path}': ${error}`);
		return data;
	}

	async stop(): Promise<void> {
		if (this.child.exitCode === null) {
			this.child.kill('SIGTERM');
			await once(this.child, 'exit');
		}
		rmSync(this.folder, { recursive: true, force: true });
	}
}
