import type { Gateway } from '../../../core';
import { Forwarder } from '../../support/forwarder';
import { SandboxNetwork } from '../../support/gateways';
import { documentedPrograms, LibraryPrograms } from '../../support/library-program';
import { describeWithOwnPostgres, PostgresServer } from '../../support/postgres/postgres-server';
import { until } from '../../support/until';

/* Whole programs that use the library, as users write them. */
jest.setTimeout(120_000);

const found = documentedPrograms('library.md').find((text) => text.includes('events.consume'));
const service = found ?? '';

let network: SandboxNetwork;
let programs: LibraryPrograms;

beforeAll(() => {
	programs = new LibraryPrograms();
});

afterAll(() => programs.close());

beforeEach(async () => {
	network = await SandboxNetwork.open();
});

afterEach(() => network.close());

const createAttribute = async (gateway: Gateway, value: string) =>
	await gateway.attributes.create({ content: { value: { '@type': 'GivenName', value } } });

/** Program that waits in one call, with nothing else that keeps a process alive. */
const waiting = (call: string): string => `
	import { Gateway } from 'n8n-nodes-enmeshed';
	const stop = new AbortController();
	process.once('SIGTERM', () => stop.abort());
	const { signal } = stop;
	const filter = { names: ['consumption.attributeCreated'] };
	const gateway = await Gateway.open(CONFIG);
	const onOpened = () => console.log('waits');
	const isStopped = (error) => { if (!signal.aborted) throw error; };
	${call}
	await gateway.close();
	console.log('closed');
`;

describe('a program', () => {
	it.each([
		[
			'consume',
			`await gateway.events.consume({
				consumer: 'program', filter, startFrom: 'now', batchSize: 1, onOpened, signal,
				deliver: async ({ events }) => {
					for (const { data } of events) console.log('got', JSON.stringify(data));
					return { kind: 'accepted' };
				},
			});`,
		],
		[
			'next',
			`try {
				for (;;) {
					const next = gateway.events.next(filter, { signal });
					await gateway.attributes.list(); // Reads come in turn: next has its position.
					console.log('waits');
					console.log('got', JSON.stringify((await next).data));
				}
			} catch (error) { isStopped(error); }`,
		],
		[
			'follow',
			`try {
				for await (const { events } of gateway.events.follow({ filter, signal })) {
					if (events.length === 0) console.log('waits');
					for (const { data } of events) console.log('got', JSON.stringify(data));
				}
			} catch (error) { isStopped(error); }`,
		],
	])('that waits in %s lives until its signal', async (_name, call) => {
		const config = network.config();
		const gateway = await network.gateway(config);
		const program = programs.start(waiting(call), { CONFIG: JSON.stringify(config) });
		await program.writes('waits');
		await createAttribute(gateway, 'Anna');
		await program.writes('Anna');
		expect(await program.stop()).toBe(0);
		expect(program.output).toContain('closed');
	});

	it('that waits ends when its gateway closes', async () => {
		const call = `setTimeout(() => gateway.close(), 10);
			await gateway.events.next(filter).catch((error) => console.log(error.name));`;
		const config = { CONFIG: JSON.stringify(network.config()) };
		const program = programs.start(waiting(call), config);
		await program.writes('closed');
		expect(program.output).toContain('AbortError');
	});
});

describe('a service as in the documentation', () => {
	it('lives through a restart of the Backbone', async () => {
		const forwarder = await Forwarder.to(Number(new URL(network.backbone.baseUrl).port));
		const folder = network.newFolder();
		const gateway = await network.gateway(network.config(folder));
		const program = programs.start(service, {
			'http://localhost:5690': `http://localhost:${forwarder.port}`,
			'/var/lib/my-gateway': folder,
		});
		await createAttribute(gateway, 'Anna');
		await program.writes('Anna');
		const { used } = forwarder;
		await forwarder.pause();
		await forwarder.resume();
		await until(() => forwarder.used > used);
		await createAttribute(gateway, 'Bert');
		await program.writes('Bert');
		expect(await program.stop()).toBe(0);
		await forwarder.close();
	});
});

describeWithOwnPostgres('a service as in the documentation, with an account in PostgreSQL', () => {
	it('lives through a restart of the database', async () => {
		const server = await PostgresServer.start();
		try {
			const store = {
				...{ kind: 'postgres' as const, host: '127.0.0.1', port: server.port },
				...{ database: 'postgres', user: 'root', password: 'any' },
			};
			const { backbone } = network.config();
			const config = { backbone, store, passphrase: 'a passphrase of the test' };
			const program = programs.start(service, {
				'http://localhost:5690': backbone.baseUrl,
				"store: { kind: 'sqlite', folder: '/var/lib/my-gateway' }": `store: ${JSON.stringify(store)}, passphrase: '${config.passphrase}'`,
				'sleep(5_000': 'sleep(100',
			});
			const gateway = await network.gateway(config);
			await createAttribute(gateway, 'Anna');
			await program.writes('Anna');
			await server.stop('fast');
			await program.writes('error.gateway.store');
			await server.startUp();
			await createAttribute(gateway, 'Bert');
			await program.writes('Bert');
			expect(await program.stop()).toBe(0);
			await gateway.close();
		} finally {
			await server.remove();
		}
	});
});
