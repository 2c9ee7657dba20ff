import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@redis/client';
import { hashOwnerPassword, n8nEnvironment } from '../../../scripts/n8n/environment';
import { freePort } from '../../../scripts/n8n/free-port';
import { N8nProcess } from '../../../scripts/n8n/n8n-process';
import { BrokerProcess, findProgram } from '../../contract/brokers/support/broker-process';
import { N8nHost } from '../../support/n8n/n8n-host';
import type { PostgresConfig } from '../../support/postgres/postgres';

const startTimeoutMs = 180_000;

/** A lost execution is noticed after some seconds instead of a minute and a half. */
const impatience = {
	QUEUE_WORKER_LOCK_DURATION: '10000',
	QUEUE_WORKER_LOCK_RENEW_TIME: '3000',
	QUEUE_WORKER_STALLED_INTERVAL: '5000',
	// An execution that the main process was about to hand out is declared crashed after a minute, not
	// after three hours.
	N8N_EXECUTIONS_QUEUE_RECOVERY_INTERVAL: '1',
};

/** n8n in queue mode: a main process, workers, and a Redis of their own. */
export class QueueCluster {
	private constructor(
		readonly main: N8nHost,
		readonly workers: readonly N8nWorker[],
		private readonly redis: TestRedis,
	) {}

	/**
	 * All stand ready, and nothing runs yet but Redis.
	 *
	 * @param database of n8n itself
	 */
	static async prepare(workerCount: number, database: PostgresConfig): Promise<QueueCluster> {
		const redis = await TestRedis.start();
		const passwordHash = hashOwnerPassword();
		const environment = queueEnvironment(database, redis.port);
		const main = await N8nHost.prepare({ passwordHash, environment });
		const workers: N8nWorker[] = [];
		for (let index = 0; index < workerCount; index++) {
			workers.push(await N8nWorker.prepare(main.home, passwordHash, environment));
		}
		return new QueueCluster(main, workers, redis);
	}

	get log(): string {
		const workers = this.workers.map(({ log }, index) => `-- worker ${index + 1}\n${log}`);
		return [`-- main\n${this.main.log}`, ...workers].join('\n');
	}

	/** After the main process, which makes the tables. */
	async startWorkers(): Promise<void> {
		await Promise.all(this.workers.map((worker) => worker.start()));
	}

	async dispose(): Promise<void> {
		await Promise.all([this.main, ...this.workers].map((part) => part.dispose()));
		await this.redis.dispose();
	}
}

export class N8nWorker {
	private readonly process: N8nProcess;

	private constructor(
		private readonly home: string,
		private readonly healthPort: number,
		environment: NodeJS.ProcessEnv,
	) {
		this.process = new N8nProcess(['worker', '--concurrency=5'], environment, home);
	}

	/** @param mainHome of the main process, where our package is installed */
	static async prepare(
		mainHome: string,
		passwordHash: string,
		environment: NodeJS.ProcessEnv,
	): Promise<N8nWorker> {
		const home = mkdtempSync(join(tmpdir(), 'enmeshed-n8n-worker-'));
		const packages = join('.n8n', 'nodes');
		cpSync(join(mainHome, packages), join(home, packages), { recursive: true });
		const healthPort = await freePort();
		const health = {
			QUEUE_HEALTH_CHECK_ACTIVE: 'true',
			QUEUE_HEALTH_CHECK_PORT: String(healthPort),
		};
		const [port, brokerPort] = [await freePort(), await freePort()];
		const place = { home, port, brokerPort, passwordHash };
		const all = n8nEnvironment({ ...place, environment: { ...environment, ...health } });
		return new N8nWorker(home, healthPort, all);
	}

	get log(): string {
		return this.process.log;
	}

	async start(): Promise<void> {
		this.process.spawn();
		const health = `http://127.0.0.1:${this.healthPort}/healthz/readiness`;
		await this.process.until(async () => (await fetch(health)).ok, 'ready', startTimeoutMs);
	}

	async kill(): Promise<void> {
		await this.process.end('SIGKILL');
	}

	async dispose(): Promise<void> {
		await this.process.end('SIGTERM');
		rmSync(this.home, { recursive: true, force: true });
	}
}

function queueEnvironment(config: PostgresConfig, redisPort: number): NodeJS.ProcessEnv {
	return {
		EXECUTIONS_MODE: 'queue',
		N8N_ENCRYPTION_KEY: 'of the tests',
		DB_TYPE: 'postgresdb',
		DB_POSTGRESDB_HOST: config.host,
		DB_POSTGRESDB_PORT: String(config.port),
		DB_POSTGRESDB_DATABASE: config.database,
		DB_POSTGRESDB_USER: config.user,
		DB_POSTGRESDB_PASSWORD: config.password,
		QUEUE_BULL_REDIS_HOST: '127.0.0.1',
		QUEUE_BULL_REDIS_PORT: String(redisPort),
		...impatience,
	};
}

class TestRedis {
	private constructor(
		readonly port: number,
		private readonly server: BrokerProcess,
		private readonly folder: string,
	) {}

	static async start(): Promise<TestRedis> {
		const program = findProgram('redis-server');
		if (program === undefined) throw new Error('redis-server is not installed');
		const folder = mkdtempSync(join(tmpdir(), 'enmeshed-n8n-redis-'));
		const port = await freePort();
		const words = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', folder];
		const ready = async (): Promise<void> => {
			const client = createClient({
				url: `redis://127.0.0.1:${port}`,
				socket: { reconnectStrategy: false },
			});
			client.on('error', () => undefined);
			await client.connect();
			await client.ping();
			await client.close();
		};
		const server = new BrokerProcess({ program, words, folder, ready });
		await server.start();
		return new TestRedis(port, server, folder);
	}

	async dispose(): Promise<void> {
		await this.server.stop();
		rmSync(this.folder, { recursive: true, force: true });
	}
}

/** Database of n8n and of our account, on a server of the test. */
export function databaseAt(port: number): PostgresConfig {
	return {
		kind: 'postgres',
		host: '127.0.0.1',
		port,
		database: 'postgres',
		user: 'root',
		password: '',
		schema: 'enmeshed',
		tls: false,
		tlsAllowUnauthorized: false,
	};
}
