'use strict';
/*
 * An official runtime as a black box: JSON lines on stdin ({ id, method, params }), answers and events
 * on stdout ({ id, result } or { id, error }, { event }). Argument: 6 or 7, the generation.
 */
const readline = require('node:readline');
const { createRequire } = require('node:module');
const path = require('node:path');

const generation = process.argv[2];
/* The packages of one generation must come from one tree: their type registries are global. */
const entry =
	generation === '7'
		? require.resolve('nmshd-runtime-7')
		: require.resolve('@nmshd/runtime');
const fromRuntime = createRequire(entry);
const { Runtime } = fromRuntime(entry);
const { AccountController } = fromRuntime('@nmshd/transport');
const { ConsumptionController } = fromRuntime('@nmshd/consumption');
const { LokiJsConnection } = require('@js-soft/docdb-access-loki');

/* stdout carries the protocol only. */
console.log = console.info = console.debug = (...values) => console.error(...values);

const logged = new Set(['warn', 'error', 'fatal']);
const logger = new Proxy(
	{},
	{
		get: (_target, name) => (name.startsWith?.('is') ? () => false : (...values) => {
			if (logged.has(name)) console.error(`[${name}]`, ...values.map((value) => value?.stack ?? value));
		}),
	},
);

class Peer extends Runtime {
	constructor(config, folder) {
		super(config, { getLogger: () => logger });
		this.folder = folder;
	}

	async createDatabaseConnection() {
		return this.folder === undefined
			? LokiJsConnection.inMemory()
			: new LokiJsConnection(path.join(this.folder, path.sep));
	}

	async initAccount() {
		const database = await this.databaseConnection.getDatabase('account');
		const account = await new AccountController(
			this.transport,
			database,
			this.transport.config,
		).init();
		const consumption = await new ConsumptionController(this.transport, account, {
			setDefaultRepositoryAttributes: false,
		}).init();
		this.services = await this.login(account, consumption);
	}

	/** The runtime's modules ask for the services of the account they serve: there is one. */
	async getServices() {
		return this.services;
	}

	async loadModule() {
		throw new Error('no further modules');
	}
}

let peer;

const moduleNames = ['decider', 'request', 'notification', 'message'];
const classNames = { decider: 'Decider', request: 'Request', notification: 'Notification', message: 'Message' };

const methods = {
	async start({ baseUrl, clientId = 'test', clientSecret = 'test', folder }) {
		const modules = {};
		for (const name of moduleNames) {
			const location = `@nmshd/runtime:${classNames[name]}Module`;
			modules[name] = { enabled: true, name, displayName: name, location };
		}
		const config = {
			transportLibrary: {
				baseUrl,
				platformClientId: clientId,
				platformClientSecret: clientSecret,
				datawalletEnabled: false,
			},
			modules,
		};
		peer = new Peer(config, folder);
		await peer.init();
		peer.eventBus.subscribe('**', (event) => {
			write({ event: { namespace: event.namespace, data: toJson(event.data) } });
		});
		await peer.start();
		return await methods.call({
			service: 'transport.account',
			method: 'getIdentityInfo',
			params: [],
		});
	},

	/** Any use case: service `transport.messages` or `consumption.attributes`, and so on. */
	async call({ service, method, params }) {
		const [layer, name] = service.split('.');
		const services = peer.services[`${layer}Services`];
		const target = services?.[name];
		if (typeof target?.[method] !== 'function') {
			const known = target === undefined ? services : Object.getPrototypeOf(target);
			throw new Error(`no ${service}.${method}; there is ${Object.getOwnPropertyNames(known ?? {})}`);
		}
		const result = await target[method](...params);
		if (result.isSuccess === true) return toJson(result.value);
		const error = new Error(result.error?.message ?? 'failed');
		error.code = result.error?.code;
		throw error;
	},

	async stop() {
		await peer?.stop();
		setImmediate(() => process.exit(0));
	},
};

function toJson(value) {
	return value === undefined ? null : JSON.parse(JSON.stringify(value));
}

function write(line) {
	process.stdout.write(`${JSON.stringify(line)}\n`);
}

const lines = readline.createInterface({ input: process.stdin });
lines.on('line', async (line) => {
	const { id, method, params } = JSON.parse(line);
	try {
		write({ id, result: (await methods[method](params ?? {})) ?? null });
	} catch (error) {
		write({ id, error: { code: error.code, message: String(error.message ?? error) } });
	}
});
lines.on('close', () => process.exit(0));
process.on('unhandledRejection', (error) => console.error('unhandled', error));
