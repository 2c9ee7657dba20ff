import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { connect } from 'amqplib';
import type { Gateway } from '../../core';
import { rabbitmq } from '../contract/brokers/support/rabbitmq';
import { password, type TestBroker } from '../contract/brokers/support/test-broker';
import { N8nHost, type Workflow } from '../support/n8n/n8n-host';
import { SandboxNetwork } from '../support/gateways';
import { size } from '../support/sizes';
import { testsIn } from './support/n8n-test';
import { credentialFor } from './support/onboarded-host';
import { enmeshedNode, webhook, workflowOf, type TestNode } from './support/workflow-builder';

jest.setTimeout(1_800_000);

const fromEnvironment = (name: string, standard: number): number =>
	Number(process.env[name] ?? standard);

const people = fromEnvironment('THROUGHPUT_PEOPLE', size({ quick: 4, full: 20 }));
const mailsOfEach = fromEnvironment('THROUGHPUT_MAILS', size({ quick: 5, full: 15 }));
const rounds = fromEnvironment('THROUGHPUT_ROUNDS', size({ quick: 1, full: 7 }));
const messages = people * mailsOfEach;

const describeWithBroker = rabbitmq.missing === undefined ? describe : describe.skip;

/** Both triggers find all messages waiting, and start the same workflow for each. */
describeWithBroker("the trigger beside n8n's own RabbitMQ Trigger, in one n8n", () => {
	let network: SandboxNetwork;
	let broker: TestBroker;
	let host: N8nHost;
	let enmeshed: string;
	let rabbit: string;
	const it = testsIn(() => host, 1_700_000);

	beforeAll(async () => {
		network = await SandboxNetwork.open({ maxUnreceivedMessages: 10_000 });
		broker = await rabbitmq.create();
		await broker.start();
		host = await N8nHost.prepare();
		await host.start();
		enmeshed = await host.createCredential(credentialFor(network.backbone));
		const account = { hostname: '127.0.0.1', port: broker.port, vhost: '/', ssl: false };
		const login = { username: 'gateway', password, passwordless: false };
		rabbit = await host.createCredential({ ...account, ...login }, 'RabbitMQ', 'rabbitmq');
		await receiveMails();
	});

	afterAll(async () => {
		await host?.dispose();
		await broker?.dispose();
		await network?.close();
	});

	it('takes every message once, as fast', async () => {
		for (const parallel of [1, 10]) {
			const ratios: number[] = [];
			for (let round = 0; round < rounds; round++) {
				const theirs = await perSecond(await onQueue(`queue-${parallel}-${round}`, parallel));
				const ours = await perSecond(onMails(`mails-${parallel}-${round}`, parallel));
				ratios.push(ours / theirs);
				process.stderr.write(
					`${messages} messages, ${parallel} in parallel: ${ours.toFixed(1)} per second, RabbitMQ Trigger ${theirs.toFixed(1)}\n`,
				);
			}
			const median = ratios.toSorted((one, other) => one - other)[Math.floor(rounds / 2)];
			process.stderr.write(`${parallel} in parallel: median of the ratios ${median?.toFixed(2)}\n`);
		}
	});

	/** Stores a message event for each mail, which every new trigger can read from the oldest on. */
	async function receiveMails(): Promise<void> {
		const create = {
			resource: 'relationshipTemplate',
			operation: 'create',
			contentMode: 'json',
			content: '{ "@type": "ArbitraryRelationshipTemplateContent", "value": "Connect" }',
		};
		const accept: TestNode = {
			...enmeshedNode('Requested', enmeshed, {
				events: ['relationship.requested'],
				options: { acceptPendingRelationships: true },
			}),
			type: 'n8n-nodes-enmeshed.enmeshedTrigger',
		};
		const sync = { resource: 'account', operation: 'sync' };
		for (const workflow of [
			workflowOf('template', [webhook('template'), enmeshedNode('Create', enmeshed, create)]),
			workflowOf('sync', [webhook('sync'), enmeshedNode('Sync', enmeshed, sync)]),
		]) {
			await host.publish(await host.createWorkflow(workflow));
		}
		const acceptId = await host.createWorkflow(workflowOf('accept', [accept]));
		await host.publish(acceptId);
		const { truncatedReference } = (await host.webhook('template')) as {
			truncatedReference: string;
		};
		const gateways: Gateway[] = [];
		for (let index = 0; index < people; index++) gateways.push(await join(truncatedReference));
		await host.deactivate(acceptId);
		for (let number = 1; number <= mailsOfEach; number++) {
			for (const gateway of gateways) {
				const [{ peer } = { peer: '' }] = await gateway.relationships.list();
				const content = {
					'@type': 'Mail' as const,
					to: [peer],
					subject: `Mail ${number}`,
					body: 'Hello',
				};
				await gateway.messages.send({ recipients: [peer], content });
			}
		}
		await host.webhook('sync');
	}

	async function join(reference: string): Promise<Gateway> {
		const gateway = await network.gateway();
		const { id: templateId } = await gateway.templates.loadPeer({ reference });
		const creationContent = {
			'@type': 'ArbitraryRelationshipCreationContent' as const,
			value: 'Yes',
		};
		await gateway.relationships.create({ templateId, creationContent });
		await host.until(async () => {
			await gateway.account.sync();
			return (await gateway.relationships.list())[0]?.status === 'Active';
		}, 'connected');
		return gateway;
	}

	function onMails(name: string, parallel: number): Workflow {
		const trigger: TestNode = {
			...enmeshedNode('Trigger', enmeshed, {
				events: ['transport.messageReceived'],
				options: { startFrom: 'oldest', parallel },
			}),
			type: 'n8n-nodes-enmeshed.enmeshedTrigger',
		};
		return workflowOf(name, [trigger, done]);
	}

	async function onQueue(queue: string, parallel: number): Promise<Workflow> {
		const { configuration } = broker.settings();
		const connection = await connect((configuration as { url: string }).url);
		const channel = await connection.createConfirmChannel();
		await channel.assertQueue(queue, { durable: true });
		for (let number = 1; number <= messages; number++) {
			const mail = { subject: `Mail ${number}`, body: 'Hello', from: 'did:e:localhost:dids:1' };
			channel.sendToQueue(queue, Buffer.from(JSON.stringify(mail)), { persistent: true });
		}
		await channel.waitForConfirms();
		await connection.close();
		const trigger: TestNode = {
			name: 'Trigger',
			type: 'n8n-nodes-base.rabbitmqTrigger',
			typeVersion: 1,
			credentials: { rabbitmq: { id: rabbit, name: 'RabbitMQ' } },
			parameters: {
				queue,
				options: {
					acknowledge: 'executionFinishesSuccessfully',
					parallelMessages: parallel,
					jsonParseBody: true,
					onlyContent: true,
				},
			},
		};
		return workflowOf(queue, [trigger, done]);
	}

	/** Executions per second, from the start of the first to the end of the last. */
	async function perSecond(workflow: Workflow): Promise<number> {
		const id = await host.createWorkflow(workflow);
		await host.publish(id);
		await host.until(() => Promise.resolve(runsOf(id).count >= messages), 'done', 600_000);
		await host.deactivate(id);
		const { count, ms } = runsOf(id);
		expect(count).toBe(messages);
		return ((messages - 1) * 1_000) / ms;
	}

	/** From n8n's database, because its API reads the data of each execution. */
	function runsOf(workflowId: string): { count: number; ms: number } {
		const file = path.join(host.home, '.n8n', 'database.sqlite');
		const database = new DatabaseSync(file, { readOnly: true });
		try {
			const row = database
				.prepare(
					`select count(*) as count,
					(max(julianday(stoppedAt)) - min(julianday(startedAt))) * 86400000 as ms
					from execution_entity where workflowId = ? and status = 'success'`,
				)
				.get(workflowId);
			return { count: Number(row?.['count']), ms: Number(row?.['ms']) };
		} finally {
			database.close();
		}
	}
});

const done: TestNode = {
	name: 'Done',
	type: 'n8n-nodes-base.noOp',
	typeVersion: 1,
	parameters: {},
};
