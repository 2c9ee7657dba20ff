import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Gateway } from '../../core';
import { N8nHost, type Workflow } from '../support/n8n/n8n-host';
import { SandboxNetwork } from '../support/gateways';
import { storageCredential } from '../support/postgres/postgres';
import { describeWithOwnPostgres, PostgresServer } from '../support/postgres/postgres-server';
import { size } from '../support/sizes';
import { testsIn } from './support/n8n-test';
import { credentialFor } from './support/onboarded-host';
import { databaseAt, QueueCluster } from './support/queue-cluster';
import { enmeshedNode, webhook, workflowOf } from './support/workflow-builder';

jest.setTimeout(900_000);

const people = size({ quick: 8, full: 100 });

/** The n8n under test. */
interface Place {
	readonly host: N8nHost;
	/** fields of the credential that say where the account is kept */
	readonly storage: object;
	close(): Promise<void>;
}

/** Service that the workflow calls with the subject of each mail. */
class CalledService {
	readonly calls: string[] = [];

	/** calls that are not answered yet */
	private readonly held: ServerResponse[] = [];

	private constructor(private readonly server: Server) {}

	static async open(): Promise<CalledService> {
		const server = createServer();
		const service = new CalledService(server);
		server.on('request', (request, response) => {
			const subject = (request.url ?? '').slice(1);
			service.calls.push(subject);
			if (subject.startsWith('slow')) service.held.push(response);
			else response.writeHead(subject.startsWith('failing') ? 500 : 200).end('{}');
		});
		await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
		return service;
	}

	get url(): string {
		return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
	}

	release(): void {
		for (const response of this.held.splice(0)) response.end('{}');
	}

	callsOf(person: string): string[] {
		return this.calls.filter((subject) => subject.startsWith(`${person}-`));
	}

	async close(): Promise<void> {
		this.release();
		this.server.closeAllConnections();
		await new Promise((resolve) => this.server.close(resolve));
	}
}

function template(credentialId: string): Workflow {
	const create = {
		resource: 'relationshipTemplate',
		operation: 'create',
		contentMode: 'json',
		content: '{ "@type": "ArbitraryRelationshipTemplateContent", "value": "Connect with us" }',
	};
	return workflowOf('template', [
		webhook('template'),
		enmeshedNode('Create', credentialId, create),
	]);
}

function onMails(credentialId: string, url: string): Workflow {
	const trigger = {
		name: 'Mail',
		type: 'n8n-nodes-enmeshed.enmeshedTrigger',
		typeVersion: 1,
		credentials: { enmeshedBackboneApi: { id: credentialId, name: 'Sandbox' } },
		parameters: {
			events: ['transport.messageReceived'],
			options: { acceptPendingRelationships: true, maxAttempts: 20 },
		},
	};
	const call = {
		name: 'Call',
		type: 'n8n-nodes-base.httpRequest',
		typeVersion: 4.2,
		parameters: { url: `=${url}/{{ $json.subject }}`, options: {} },
	};
	return workflowOf('mails', [trigger, call]);
}

function ordersPerPerson(open: () => Promise<Place>): void {
	let network: SandboxNetwork;
	let service: CalledService;
	let place: Place;
	let gateways: readonly Gateway[];
	const it = testsIn(() => place?.host, 800_000);

	beforeAll(async () => {
		network = await SandboxNetwork.open({ maxUnreceivedMessages: 10_000 });
		service = await CalledService.open();
		place = await open();
		const { host, storage } = place;
		const credentialId = await host.createCredential({
			...credentialFor(network.backbone),
			...storage,
		});
		const templateId = await host.createWorkflow(template(credentialId));
		await host.publish(templateId);
		await host.publish(await host.createWorkflow(onMails(credentialId, service.url)));
		const { truncatedReference } = (await host.webhook('template')) as {
			truncatedReference: string;
		};
		gateways = await Promise.all(Array.from({ length: people }, () => connect(truncatedReference)));
		const isActive = async (gateway: Gateway): Promise<boolean> => {
			await gateway.account.sync();
			const [relationship] = await gateway.relationships.list();
			return relationship?.status === 'Active';
		};
		for (const gateway of gateways) await host.until(() => isActive(gateway), 'connected');
	});

	afterAll(async () => {
		await service?.close();
		await place?.close();
		await network?.close();
	});

	async function connect(reference: string): Promise<Gateway> {
		const gateway = await network.gateway();
		const { id: templateId } = await gateway.templates.loadPeer({ reference });
		const creationContent = {
			'@type': 'ArbitraryRelationshipCreationContent' as const,
			value: 'Yes',
		};
		await gateway.relationships.create({ templateId, creationContent });
		return gateway;
	}

	/** Sends two mails of each person, one after the other. */
	async function write(names: readonly string[], round: string): Promise<void> {
		await Promise.all(
			names.map(async (name, index) => {
				const gateway = gateways[index] as Gateway;
				const [{ peer } = { peer: '' }] = await gateway.relationships.list();
				for (const number of [1, 2]) {
					const subject = `${name}-${round}-${number}`;
					const content = { '@type': 'Mail' as const, to: [peer], subject, body: 'Hello' };
					await gateway.messages.send({ recipients: [peer], content });
				}
			}),
		);
	}

	/** Milliseconds until all mails of these people have been processed, in order. */
	async function processed(names: readonly string[], round: string, from: number): Promise<number> {
		const wanted = (name: string): string[] => [`${name}-${round}-1`, `${name}-${round}-2`];
		const all = names.flatMap(wanted);
		await place.host.until(
			() => Promise.resolve(all.every((subject) => service.calls.includes(subject))),
			'done with the mails',
			600_000,
		);
		const took = Date.now() - from;
		for (const name of names) expect(service.callsOf(`${name}-${round}`)).toEqual(wanted(name));
		return took;
	}

	it('and a slow and a failing execution hold up only the people they are about', async () => {
		const names = gateways.map((_, index) => `person${index}`);
		const calm = Date.now();
		await write(names, 'calm');
		const calmMs = await processed(names, 'calm', calm);

		const [, , ...others] = names;
		const hindered = Date.now();
		await write(['slow', 'failing', ...others], 'hindered');
		const hinderedMs = await processed(others, 'hindered', hindered);
		expect(service.callsOf('slow')).toEqual(['slow-hindered-1']);
		expect(new Set(service.callsOf('failing'))).toEqual(new Set(['failing-hindered-1']));

		service.release();
		await place.host.until(
			() => Promise.resolve(service.calls.includes('slow-hindered-2')),
			'done with the slow mails',
		);
		process.stderr.write(
			`${people} people, two mails each: ${calmMs} ms; with a slow and a failing person, the others: ${hinderedMs} ms\n`,
		);
	});
}

describe('events of each person stay in order, in a real n8n', () => {
	ordersPerPerson(async () => {
		const host = await N8nHost.prepare();
		await host.start();
		return { host, storage: {}, close: () => host.dispose() };
	});
});

describeWithOwnPostgres('events of each person stay in order, in queue mode', () => {
	ordersPerPerson(async () => {
		const server = await PostgresServer.start(() => ['fsync=off']);
		const database = databaseAt(server.port);
		const cluster = await QueueCluster.prepare(2, database);
		await cluster.main.start();
		await cluster.startWorkers();
		const close = async (): Promise<void> => {
			await cluster.dispose();
			await server.remove();
		};
		return { host: cluster.main, storage: storageCredential(database), close };
	});
});
