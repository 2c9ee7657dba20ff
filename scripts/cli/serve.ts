import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createLogger } from '../../core';
import {
	AccountHost,
	CloseStack,
	describeService,
	ignoredSettings,
	isNameOfDefault,
	Metrics,
	openServer,
	parseServerConfig,
	pinCertificates,
	readSettings,
	redactedSettings,
	weaknessOf,
	withSettingNames,
	type ServerConfig,
	type ServedOptions,
	type Settings,
} from '../../core/server';
import { version } from '../../package.json';
import { readBuildInfo } from './build-info';
import { openDefaultAccount, type Start } from './default-account';
import { accountOperations } from './hosted-accounts';
import { terminalSink } from './terminal-log';
import { fixYoungGeneration } from './young-generation';

export { identity, identityDeletion } from './identity-commands';
export { keys } from './keys';
export { servedAccount } from './served-account';

export const serveHelp = `Usage: n8n-nodes-enmeshed serve [options]

Starts the HTTP gateway: the REST interface of the enmeshed Connector, for programs that speak it.

  -c, --config <file>   configuration; default: $CUSTOM_CONFIG_LOCATION, else ./config.json

Settings in the environment take precedence, for example

  transportLibrary__baseUrl=https://backbone.example.com
  PLATFORM_CLIENT_ID=…  PLATFORM_CLIENT_SECRET=…
  API_KEY=…                 sent by clients in the header X-API-KEY
  infrastructure__httpServer__connectorVersion=7
                            serves version 7 below /api/core/v1; its keys are in
                            infrastructure__httpServer__authentication__apiKey__keys__<name>__key
  database__folder=/var/lib/enmeshed
  infrastructure__httpServer__port=8080
  modules__sse__enabled=true

To try it out, run 'n8n-nodes-enmeshed sandbox' beside it and use the values that it prints.
`;

/** Handles of a start: its abort signal, and the resources to close at the end. */
interface Running {
	close(): Promise<void>;
	/** Prints the line that confirms the complete start. */
	reportReady(): void;
}

/** Command `npx n8n-nodes-enmeshed serve`; runs until the process is asked to stop. */
export async function serve(words: readonly string[]): Promise<void> {
	const { values } = parseArgs({
		args: [...words],
		options: { config: { type: 'string', short: 'c' }, help: { type: 'boolean', short: 'h' } },
	});
	if (values.help === true) {
		process.stdout.write(serveHelp);
		return;
	}
	const settings = await readSettings({ file: values.config, environment: process.env });
	const running = await startServer(parseServerConfig(settings), settings);
	stopWithProcess(running);
	// Signal handlers are in place before this line, because a supervisor may send a signal as soon
	// as it appears.
	running.reportReady();
}

async function startServer(config: ServerConfig, settings: Settings): Promise<Running> {
	const logger = createLogger(terminalSink(config.logging.format), 'gateway');
	fixYoungGeneration();
	const { httpServer } = config.infrastructure;
	const weakness = httpServer.apiKey === undefined ? undefined : weaknessOf(httpServer.apiKey);
	if (weakness !== undefined) logger.warn(weakness);
	for (const { setting, message } of ignoredSettings(settings)) {
		logger.warn(`the setting '${setting}' ${message}`);
	}
	const closing = new CloseStack(logger);
	closing.add('certificate pinning', pinCertificates(config));
	try {
		const metrics = new Metrics({ version });
		const start = { config, settings, logger, metrics };
		const operations = accountOperations(logger, metrics);
		const main = await openDefaultAccount(start, operations);
		closing.add('gateway', () => main.close());
		const accounts = new AccountHost({
			...{ settings, logger, operations },
			registry: () => main.facade?.hostedAccounts,
		});
		closing.add('accounts', () => accounts.close());
		metrics.countAccountStates(() => {
			const { running = 0, failed = 0, ...others } = accounts.countStates();
			const isOpen = main.facade !== undefined;
			return { open: running + (isOpen ? 1 : 0), failed: failed + (isOpen ? 0 : 1), ...others };
		});
		const options = await serverOptions(start);
		const server = httpServer.enabled
			? await openServer({ ...options, facade: () => main.facade, accounts })
			: undefined;
		closing.add('server', server === undefined ? holdProcess() : () => server.close());
		closing.add('modules', await main.startModules());
		await accounts.start();
		for (const name of accountsOfKeys(config)) {
			if (name === '*' || isNameOfDefault(settings, name) || accounts.find(name)) continue;
			logger.warn(`a key or sign-in opens the account '${name}', which does not exist`);
		}
		const identity = await main.facade?.account.getIdentity();
		const address = identity?.address ?? 'no identity yet: the default account is not open';
		const reportReady = (): void => {
			if (server === undefined) {
				logger.info(`running without HTTP server as ${address}`);
				return;
			}
			logger.info(`listening on ${server.address} as ${address}`);
			if (config.modules.coreHttpApi.enabled) {
				logger.info(describeService(httpServer.connectorVersion, settings));
			}
			if (hasDocumentation(config)) {
				logger.info(`its interface is described on ${server.address}/docs/rapidoc`);
			}
			if (config.modules.coreHttpApi.enabled && httpServer.admin.enabled) {
				logger.info(`operators sign in on ${server.address}/admin/ with a key`);
			}
		};
		return { close: () => closing.close(), reportReady };
	} catch (error) {
		await closing.close();
		throw withSettingNames(error);
	}
}

/** Names of the accounts that keys of the configuration and people open. */
function accountsOfKeys({ infrastructure: { httpServer } }: ServerConfig): Set<string> {
	const keysOfPrograms = Object.values(httpServer.authentication.apiKey.keys);
	const named = keysOfPrograms.flatMap(({ accounts = [] }) => accounts);
	return new Set([...named, ...(httpServer.admin.openId?.accounts ?? [])]);
}

/** Keeps the process alive when there is no HTTP server to do so. */
function holdProcess(): () => void {
	const longestDelayMs = 2 ** 31 - 1;
	const timer = setInterval(() => undefined, longestDelayMs);
	return () => clearInterval(timer);
}

async function serverOptions({
	config,
	settings,
	logger,
	metrics,
}: Start): Promise<Omit<ServedOptions, 'facade'>> {
	const { audit, coreHttpApi } = config.modules;
	return {
		logger: logger.child('http'),
		...config.infrastructure.httpServer,
		debug: config.debug,
		hasApi: coreHttpApi.enabled,
		...(audit.enabled ? { audit: { reads: audit.reads } } : {}),
		...(hasDocumentation(config)
			? { documentationScript: join(__dirname, 'rapidoc-min.js.gz') }
			: {}),
		adminPage: join(__dirname, 'core', 'admin-page'),
		persistAuth: coreHttpApi.docs.rapidoc.persistAuth,
		version,
		build: await readBuildInfo(),
		configuration: redactedSettings(settings),
		metrics,
	};
}

const hasDocumentation = ({ modules: { coreHttpApi } }: ServerConfig): boolean =>
	coreHttpApi.enabled && coreHttpApi.docs.enabled;

/** The first signal lets work in progress complete; the second one ends the process at once. */
function stopWithProcess(running: Running): void {
	const stop = (): void => {
		running.close().then(
			() => process.exit(0),
			(error: unknown) => {
				process.stderr.write(`${String(error)}\n`);
				process.exit(1);
			},
		);
	};
	for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const) {
		process.once(signal, stop);
	}
}
