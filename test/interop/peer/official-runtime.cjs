'use strict';
/*
 * Opens an official runtime, generation 6 or 7, with one account in a Loki database: in memory, or
 * in a folder where it is written on closing. A black box: everything goes through public names.
 */
const { mkdirSync } = require('node:fs');
const { createRequire } = require('node:module');
const path = require('node:path');

const packageNames = { 6: '@nmshd/runtime', 7: 'nmshd-runtime-7' };

const moduleClasses = {
	decider: 'DeciderModule',
	request: 'RequestModule',
	notification: 'NotificationModule',
	message: 'MessageModule',
};

/** What the official Connector switches on by default. */
const connectorModules = ['decider', 'request', 'notification'];

const loggedLevels = new Set(['warn', 'error', 'fatal']);

function createLogger(write) {
	const logger = {};
	for (const level of ['trace', 'debug', 'info', 'log', 'warn', 'error', 'fatal']) {
		logger[level] = loggedLevels.has(level)
			? (...values) => write(`[${level}]`, ...values.map((value) => value?.stack ?? value))
			: () => undefined;
	}
	return new Proxy(logger, {
		get: (target, name) =>
			target[name] ?? (String(name).startsWith('is') ? () => false : () => undefined),
	});
}

function defineRuntime(generation) {
	const name = packageNames[generation];
	if (name === undefined) throw new Error(`no official runtime of generation ${generation}`);
	// The packages of one generation must come from one tree: their type registries are global.
	const entry = require.resolve(name);
	const fromRuntime = createRequire(entry);
	const { Runtime } = fromRuntime(entry);
	const { AccountController } = fromRuntime('@nmshd/transport');
	const { ConsumptionController } = fromRuntime('@nmshd/consumption');
	const { LokiJsConnection } = require('@js-soft/docdb-access-loki');

	return class OfficialRuntime extends Runtime {
		constructor(config, logger, folder) {
			super(config, { getLogger: () => logger });
			this.folder = folder;
		}

		async createDatabaseConnection() {
			this.connection =
				this.folder === undefined
					? LokiJsConnection.inMemory()
					: new LokiJsConnection(this.folder + path.sep);
			return this.connection;
		}

		async initAccount() {
			const database = await this.connection.getDatabase('account');
			const account = await new AccountController(
				this.transport,
				database,
				this.transport.config,
			).init();
			const consumption = await new ConsumptionController(this.transport, account, {
				setDefaultRepositoryAttributes: false,
				setDefaultOwnIdentityAttributes: false,
			}).init();
			this.services = await this.login(account, consumption);
		}

		/** The runtime's modules ask for the services of the account they serve: there is one. */
		async getServices() {
			return this.services;
		}

		async loadModule() {
			throw new Error('there are built-in modules only');
		}
	};
}

/**
 * @param {6 | 7} generation
 * @param {{ baseUrl: string, clientId?: string, clientSecret?: string, folder?: string,
 *   modules?: string[] }} options
 */
async function openOfficialRuntime(generation, options) {
	const OfficialRuntime = defineRuntime(generation);
	if (options.folder !== undefined) mkdirSync(options.folder, { recursive: true });
	const modules = {};
	for (const name of options.modules ?? connectorModules) {
		const location = `@nmshd/runtime:${moduleClasses[name]}`;
		modules[name] = { enabled: true, name, displayName: name, location };
	}
	const config = {
		transportLibrary: {
			baseUrl: options.baseUrl,
			platformClientId: options.clientId ?? 'test',
			platformClientSecret: options.clientSecret ?? 'test',
			datawalletEnabled: false,
		},
		modules,
	};
	const runtime = new OfficialRuntime(config, createLogger(console.error), options.folder);
	await runtime.init();
	await runtime.start();
	return {
		services: {
			transportServices: runtime.services.transportServices,
			consumptionServices: runtime.services.consumptionServices,
			anonymousServices: runtime.anonymousServices,
		},
		onEvent: (listener) => runtime.eventBus.subscribe('**', listener),
		close: async () => {
			await runtime.stop();
			await runtime.connection.close();
		},
	};
}

/** The value of a use case; a refusal is thrown with its code. */
async function valueOf(answer) {
	const result = await answer;
	// Reading `value` of a refusal throws.
	if (result.isSuccess) return result.value;
	const { code, message } = result.error;
	throw Object.assign(new Error(message), { code });
}

module.exports = { openOfficialRuntime, valueOf, connectorModules };
