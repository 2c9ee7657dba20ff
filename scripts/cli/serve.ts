import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createLogger, Gateway } from '../../core';
import {
	CloseStack,
	openServer,
	parseServerConfig,
	pinCertificates,
	readSettings,
	redactedSettings,
	startModules,
	weaknessOf,
	type ServerConfig,
	type Settings,
} from '../../core/server';
import { version } from '../../package.json';
import { readBuildInfo } from './build-info';
import { gatewayConfigOf } from './gateway-settings';
import { terminalSink } from './terminal-log';

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
NODE_OPTIONS=--max-semi-space-size=8 keeps it smaller under load (megabytes; Node takes up to 64).
`;

/** What ends an attempt to start, and what is closed in the end. */
interface Running {
	close(): Promise<void>;
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
}

async function startServer(config: ServerConfig, settings: Settings): Promise<Running> {
	const logger = createLogger(terminalSink, 'gateway');
	const { httpServer } = config.infrastructure;
	const weakness = httpServer.apiKey === undefined ? undefined : weaknessOf(httpServer.apiKey);
	if (weakness !== undefined) logger.warn(weakness);
	if (config.logging !== undefined) {
		logger.warn("the setting 'logging' is not read: one line per event goes to the terminal");
	}
	const closing = new CloseStack(logger);
	closing.add('certificate pinning', pinCertificates(config));
	try {
		const gateway = await Gateway.open(gatewayConfigOf(config), { logger });
		closing.add('gateway', () => gateway.close());
		await gateway.account.checkConnection();
		const server = await openServer({
			facade: gateway,
			logger: logger.child('http'),
			...httpServer,
			debug: config.debug,
			...(config.modules.coreHttpApi.docs.enabled
				? { documentationScript: join(__dirname, 'rapidoc-min.js.gz') }
				: {}),
			version,
			build: await readBuildInfo(),
			configuration: redactedSettings(settings),
		});
		closing.add('server', () => server.close());
		const modules = await startModules({ facade: gateway, logger }, config.modules);
		closing.add('modules', () => modules.close());
		const { address } = await gateway.account.getIdentity();
		logger.info(`listening on ${server.address} as ${address}`);
		if (config.modules.coreHttpApi.docs.enabled) {
			logger.info(`its interface is described on ${server.address}/docs/rapidoc`);
		}
		return closing;
	} catch (error) {
		await closing.close();
		throw error;
	}
}

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
