import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createLogger, Gateway, type Logger } from '../../core';
import {
	CloseStack,
	ignoredSettings,
	openServer,
	parseServerConfig,
	pinCertificates,
	readSettings,
	redactedSettings,
	startModules,
	weaknessOf,
	type ServerConfig,
	type ServerOptions,
	type Settings,
} from '../../core/server';
import { version } from '../../package.json';
import { readBuildInfo } from './build-info';
import { gatewayConfigOf } from './gateway-settings';
import { terminalSink } from './terminal-log';
import { keepYoungSpace } from './young-space';

export { identity, identityDeletion } from './identity-commands';
export { servedAccount } from './served-account';

export const serveHelp = `Usage: n8n-nodes-enmeshed serve [options]

Starts the HTTP gateway: the REST interface of the enmeshed Connector, for programs that speak it.

  -c, --config <file>   configuration; default: $CUSTOM_CONFIG_LOCATION, else ./config.json

Settings also come from the environment, which wins, for example

  transportLibrary__baseUrl=https://backbone.example.com
  PLATFORM_CLIENT_ID=…  PLATFORM_CLIENT_SECRET=…
  API_KEY=…                 what clients send in the header X-API-KEY
  database__folder=/var/lib/enmeshed
  infrastructure__httpServer__port=8080
  modules__sse__enabled=true

To try it out: run 'n8n-nodes-enmeshed sandbox' beside it, and enter what that says.
`;

/** What ends an attempt to start, and what is closed in the end. */
interface Running {
	close(): Promise<void>;
	/** Writes the line that says that everything runs. */
	announce(): void;
}

/** Behind `npx n8n-nodes-enmeshed serve`; runs until the process is told to stop. */
export async function serve(words: readonly string[]): Promise<void> {
	const { values } = parseArgs({
		args: [...words],
		options: { config: { type: 'string', short: 'c' }, help: { type: 'boolean' } },
	});
	if (values.help === true) {
		process.stdout.write(serveHelp);
		return;
	}
	const settings = await readSettings({ file: values.config, environment: process.env });
	const running = await startServer(parseServerConfig(settings), settings);
	stopWithProcess(running);
	// A program that waits for this line may send a signal at once.
	running.announce();
}

async function startServer(config: ServerConfig, settings: Settings): Promise<Running> {
	const logger = createLogger(terminalSink, 'gateway');
	keepYoungSpace();
	const { httpServer } = config.infrastructure;
	const weakness = httpServer.apiKey === undefined ? undefined : weaknessOf(httpServer.apiKey);
	if (weakness !== undefined) logger.warn(weakness);
	for (const { setting, message } of ignoredSettings(settings)) {
		logger.warn(`the setting '${setting}' ${message}`);
	}
	const closing = new CloseStack(logger);
	closing.add('certificate pinning', pinCertificates(config));
	try {
		const gateway = await Gateway.open(gatewayConfigOf(config), { logger });
		closing.add('gateway', () => gateway.close());
		await gateway.account.checkConnection();
		const server = httpServer.enabled
			? await openServer(await serverOptions(gateway, { config, settings, logger }))
			: undefined;
		closing.add('server', server === undefined ? holdProcess() : () => server.close());
		const modules = await startModules({ facade: gateway, logger }, config.modules);
		closing.add('modules', () => modules.close());
		const { address } = await gateway.account.getIdentity();
		const announce = (): void => {
			if (server === undefined) {
				logger.info(`running without HTTP server as ${address}`);
				return;
			}
			logger.info(`listening on ${server.address} as ${address}`);
			if (hasDocumentation(config)) {
				logger.info(`its interface is described on ${server.address}/docs/rapidoc`);
			}
		};
		return { close: () => closing.close(), announce };
	} catch (error) {
		await closing.close();
		throw error;
	}
}

/** Keeps the process alive, which only the HTTP server does otherwise. */
function holdProcess(): () => void {
	const longestDelayMs = 2 ** 31 - 1;
	const timer = setInterval(() => undefined, longestDelayMs);
	return () => clearInterval(timer);
}

interface Start {
	readonly config: ServerConfig;
	/** as they were read, for GET /Monitoring/Support */
	readonly settings: Settings;
	readonly logger: Logger;
}

async function serverOptions(
	gateway: Gateway,
	{ config, settings, logger }: Start,
): Promise<ServerOptions> {
	const { coreHttpApi } = config.modules;
	return {
		facade: gateway,
		logger: logger.child('http'),
		...config.infrastructure.httpServer,
		debug: config.debug,
		hasApi: coreHttpApi.enabled,
		...(hasDocumentation(config)
			? { documentationScript: join(__dirname, 'rapidoc-min.js.gz') }
			: {}),
		persistAuth: coreHttpApi.docs.rapidoc.persistAuth,
		version,
		build: await readBuildInfo(),
		configuration: redactedSettings(settings),
	};
}

const hasDocumentation = ({ modules: { coreHttpApi } }: ServerConfig): boolean =>
	coreHttpApi.enabled && coreHttpApi.docs.enabled;

/** The first signal lets what is under way come to its end; a second one ends at once. */
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
