import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Client } from 'pg';
import { hostFolder } from '../../../scripts/n8n/host-folder.cjs';
import type { PostgresConfig } from '../../support/postgres/postgres';

/** An execution that one of our triggers has started, as n8n's database has it. */
export interface StoredExecution {
	readonly id: number;
	readonly status: string;
	/** milliseconds since the epoch; absent: it never started */
	readonly startedAt?: number;
	/** from the key by which n8n recognises the attempt */
	readonly eventId: string;
	/** what the trigger gave; absent where the execution died before n8n kept it */
	readonly item?: Readonly<Record<string, unknown>>;
	/** message of a failed execution */
	readonly error?: string;
}

interface Row {
	readonly id: number;
	readonly status: string;
	readonly startedAt: Date | null;
	readonly key: string;
	readonly data: string;
}

interface ExecutionData {
	readonly resultData: {
		readonly error?: { readonly message: string };
		readonly runData: Record<
			string,
			ReadonlyArray<{ data?: { main: ReadonlyArray<ReadonlyArray<{ json: object }>> } }>
		>;
	};
}

/**
 * From the database, because n8n's API leaves out what it takes for running, as it does in queue mode
 * with executions whose end it has missed.
 */
export async function executionsIn(
	config: PostgresConfig,
	workflowIds: readonly string[],
): Promise<StoredExecution[]> {
	const { host, port, database, user } = config;
	const client = new Client({ host, port, database, user });
	await client.connect();
	try {
		const { rows } = await client.query<Row>(
			`select e.id, e.status, e."startedAt", e."deduplicationKey" as key, d.data
			from execution_entity e join execution_data d on d."executionId" = e.id
			where e."workflowId" = any($1) and e."deduplicationKey" is not null`,
			[workflowIds],
		);
		return rows.map(toExecution);
	} finally {
		await client.end();
	}
}

function toExecution({ id, status, startedAt, key, data }: Row): StoredExecution {
	const { resultData } = flatted().parse(data) as ExecutionData;
	const kept = resultData.runData['Mail']?.[0]?.data?.main[0]?.[0]?.json;
	// n8n writes an item of its own into an execution that died with its process.
	const item = kept && 'isArtificialRecoveredEventItem' in kept ? undefined : kept;
	const sequence = key.split(':').at(-2) ?? '';
	return {
		id,
		status,
		eventId: `EVT${sequence.padStart(12, '0')}`,
		...(startedAt === null ? {} : { startedAt: startedAt.getTime() }),
		...(item === undefined ? {} : { item: item as Record<string, unknown> }),
		...(resultData.error === undefined ? {} : { error: resultData.error.message }),
	};
}

/** The format in which n8n keeps executions, read by n8n's own package. */
function flatted(): { parse(text: string): unknown } {
	const fromHost = createRequire(join(hostFolder(), 'package.json'));
	return fromHost('flatted') as { parse(text: string): unknown };
}
