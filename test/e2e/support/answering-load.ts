import type { SandboxBackbone } from '../../../sandbox/sandbox-backbone';
import type { Workflow } from '../../support/n8n/n8n-host';
import type { Peer } from '../../support/peer/peer';
import { executionsIn, type StoredExecution } from './stored-executions';
import type { PostgresConfig } from '../../support/postgres/postgres';
import type { OnboardedHost } from './onboarded-host';
import { byAddress, enmeshedNode, workflowOf } from './workflow-builder';

/** messages that may wait for their answer: the next ones are sent when there are fewer */
const backlog = 60;

/** Times are milliseconds since the epoch. */
export interface Interruption {
	readonly what: string;
	readonly from: number;
	readonly to: number;
}

/**
 * Wallets send mails to a real n8n, which answers them by one published workflow, several wallets at
 * the same time. All answers go to the first wallet: the executions share one relationship, so what
 * they send takes its counters from one row.
 */
export class AnsweringLoad {
	private constructor(
		private readonly place: OnboardedHost,
		private readonly wallets: readonly Peer[],
		private readonly collector: Peer,
		private readonly workflowId: string,
		private readonly database: PostgresConfig,
	) {}

	/** @param database of n8n */
	static async publish(
		place: OnboardedHost,
		wallets: readonly Peer[],
		database: PostgresConfig,
	): Promise<AnsweringLoad> {
		const [collector] = wallets;
		if (collector === undefined) throw new RangeError('There has to be a wallet');
		const workflow = answering(place.credentialId, collector.address);
		const workflowId = await place.host.createWorkflow(workflow);
		await place.host.publish(workflowId);
		return new AnsweringLoad(place, wallets, collector, workflowId, database);
	}

	get workflowIds(): string[] {
		return [this.workflowId];
	}

	/** Messages that the gateway has sent since the Backbone was opened. */
	sentByGateway(): number {
		return sentBy(this.place.backbone, this.place.gateway).length;
	}

	/** Sends so many mails of that name, evenly from all wallets, as fast as they are answered. */
	async send(name: string, count: number): Promise<string[]> {
		const before = this.sentByGateway();
		const subjects: string[] = [];
		while (subjects.length < count) {
			if (subjects.length - (this.sentByGateway() - before) >= backlog) {
				await new Promise((resolve) => setTimeout(resolve, 100));
				continue;
			}
			const wallet = this.wallets[subjects.length % this.wallets.length];
			const subject = `${name} ${subjects.length + 1}`;
			await wallet?.sendMail(this.place.gateway, subject, 'Please answer');
			subjects.push(subject);
		}
		return subjects;
	}

	/** All executions that were started by mails of that name. */
	async runs(name: string): Promise<StoredExecution[]> {
		const all = await executionsIn(this.database, this.workflowIds);
		// An execution that died keeps its event in its key alone.
		const subjects = new Map(all.map(({ eventId, item }) => [eventId, item?.['subject']]));
		for (const { eventId, item } of all) if (item) subjects.set(eventId, item['subject']);
		return all.filter(({ eventId }) => String(subjects.get(eventId)).startsWith(`${name} `));
	}

	/** Subjects of the mails of that name that led to a successful execution. */
	async succeeded(name: string): Promise<string[]> {
		const runs = await this.runs(name);
		return runs
			.filter(({ status }) => status === 'success')
			.map(({ item }) => String(item?.['subject']));
	}

	/** Subjects of all answers to mails of that name that the first wallet has got, in any order. */
	async answers(name: string): Promise<string[]> {
		await this.collector.sync();
		const contents = await this.collector.receivedContents();
		return contents
			.map(({ subject }) => String(subject))
			.filter((subject) => subject.startsWith(`Re: ${name} `));
	}

	/** Of every message of the gateway, in the record of the Backbone; none may be used twice. */
	nonces(): string[] {
		return sentBy(this.place.backbone, this.place.gateway).flatMap(({ body, recipients }) => [
			`body ${String(cipherOf(body)['nnc'])}`,
			...recipients.map(
				({ address, encryptedKey }) => `${address} ${String(cipherOf(encryptedKey)['cnt'])}`,
			),
		]);
	}
}

/**
 * Runs that started the workflow once more, although the one before was not interrupted. An execution
 * may be told to have ended long after its worker has died, and a worker that outlives its main process
 * ends well, unseen.
 */
export function unexplainedRepeats(
	runs: readonly StoredExecution[],
	interruptions: readonly Interruption[],
): StoredExecution[] {
	const unexplained: StoredExecution[] = [];
	for (const repeated of Map.groupBy(runs, ({ eventId }) => eventId).values()) {
		const inOrder = repeated.toSorted((a, b) => a.id - b.id);
		for (const [index, run] of inOrder.entries()) {
			const before = inOrder[index - 1];
			if (before === undefined || isInterrupted(before, run, interruptions)) continue;
			unexplained.push(run);
		}
	}
	return unexplained;
}

function isInterrupted(
	run: StoredExecution,
	next: StoredExecution,
	interruptions: readonly Interruption[],
): boolean {
	// Created, but its main process died before it was handed over.
	if (run.startedAt === undefined) return run.status !== 'success';
	const from = run.startedAt - clockToleranceMs;
	const to = next.startedAt ?? Number.POSITIVE_INFINITY;
	return interruptions.some(({ from: begin, to: end }) => end >= from && begin <= to);
}

/** n8n writes the start of an execution a moment after it took it over */
const clockToleranceMs = 2_000;

function answering(credentialId: string, to: string): Workflow {
	const nodes = [
		{
			name: 'Mail',
			type: 'n8n-nodes-enmeshed.enmeshedTrigger',
			typeVersion: 1,
			credentials: { enmeshedBackboneApi: { id: credentialId, name: 'Sandbox' } },
			parameters: {
				events: ['transport.messageReceived'],
				options: { startFrom: 'oldest', syncIntervalSeconds: 5, maxAttempts: 20 },
			},
		},
		enmeshedNode('Answer', credentialId, {
			resource: 'message',
			operation: 'sendMail',
			to: byAddress(to),
			subject: '=Re: {{ $json.subject }}',
			body: '=An answer to {{ $json.id }}',
			additionalFields: {},
		}),
	];
	// An execution that n8n loses together with its database is given up after this time.
	const settings = { executionOrder: 'v1', executionTimeout: 60 };
	return { ...workflowOf('Answer', nodes), settings };
}

type SentMessage = ReturnType<typeof sentBy>[number];

function sentBy({ state }: SandboxBackbone, address: string) {
	return [...state.messages.values()].filter(({ createdBy }) => createdBy === address);
}

function cipherOf(sealed: SentMessage['body']): Record<string, unknown> {
	return JSON.parse(Buffer.from(sealed, 'base64url').toString('utf8')) as Record<string, unknown>;
}
