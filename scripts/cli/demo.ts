import { join } from 'node:path';
import { addressHostnameOf, prepareForDemo, SandboxBackbone } from '../../sandbox/start';
import { DemoWallet } from '../../sandbox/wallet/demo-wallet';
import { writeExamples } from './demo-examples';
import { DemoFolder } from './demo-folder';
import { demoHelp, parseDemoOptions, type ChosenPort, type DemoOptions } from './demo-options';
import { demoText } from './demo-text';
import { UsageError } from './usage-error';

const client = { clientId: 'test', clientSecret: 'test' };

/**
 * Command `npx n8n-nodes-enmeshed demo`; runs until the process is asked to stop.
 *
 * @returns the exit code
 */
export async function demo(words: readonly string[]): Promise<number> {
	try {
		const options = parseDemoOptions(words);
		if (options === undefined) process.stdout.write(demoHelp);
		else await runDemo(options);
		return 0;
	} catch (error) {
		if (!(error instanceof UsageError)) throw error;
		process.stderr.write(`${error.message}\nSee 'n8n-nodes-enmeshed demo --help'.\n`);
		return 2;
	}
}

async function runDemo(options: DemoOptions): Promise<void> {
	const stopping = stopSignal();
	const running = await openDemo(options);
	try {
		process.stdout.write(demoText({ ...options, ...client, ...running }));
		await stopping;
		process.stdout.write('\nStopping …\n');
	} finally {
		await running.close();
	}
}

interface RunningDemo {
	readonly backboneUrl: string;
	/** host name in addresses */
	readonly hostname: string;
	readonly walletUrl: string;
	close(): Promise<void>;
}

/** Starts Backbone and wallet and writes the examples; a failure stops all of them. */
async function openDemo(options: DemoOptions): Promise<RunningDemo> {
	const { publicUrl, listen, walletListen } = options;
	const hostname = addressHostnameOf(publicUrl ?? 'http://localhost');
	const folder = DemoFolder.open(options.state, hostname);
	const closing: Array<() => Promise<void> | void> = [() => folder.close()];
	const close = async (): Promise<void> => {
		for (const step of closing.splice(0).reverse()) await step();
	};
	try {
		writeExamples(options.examples);
		const backbone = await onPort('Backbone', options.port, (port) =>
			SandboxBackbone.open({
				...client,
				port,
				...(listen === undefined ? {} : { listen }),
				...(publicUrl === undefined ? {} : { publicUrl }),
				stateFile: join(folder.path, 'backbone.json'),
			}),
		);
		closing.push(() => backbone.close());
		const wallet = await onPort('demo wallet', options.walletPort, (port) =>
			DemoWallet.open({
				// This machine may not know the public name.
				backbone: { baseUrl: backbone.localUrl, ...client, addressHostname: hostname },
				folder: join(folder.path, 'wallet'),
				port,
				...(walletListen === undefined ? {} : { host: walletListen }),
			}),
		);
		closing.push(() => wallet.close());
		prepareForDemo(backbone, wallet.url);
		return { backboneUrl: backbone.baseUrl, hostname, walletUrl: wallet.url, close };
	} catch (error) {
		await close();
		throw error;
	}
}

/** Opens a server on the wanted port, or on any free one if the person has not chosen it. */
async function onPort<Server>(
	name: string,
	wanted: ChosenPort,
	open: (port: number) => Promise<Server>,
): Promise<Server> {
	try {
		return await open(wanted.number);
	} catch (error) {
		if (!isPortInUse(error)) throw error;
		const taken = `Port ${wanted.number} (${name}) is taken by another program`;
		if (wanted.isFixed) {
			throw new UsageError(`${taken}. Stop that program, or choose a port with ${wanted.option}.`);
		}
		process.stdout.write(`${taken}; another one is used. ${wanted.option} chooses one.\n`);
		return await open(0);
	}
}

function isPortInUse(error: unknown): boolean {
	const { code, cause } = error as NodeJS.ErrnoException;
	const inner = (cause as NodeJS.ErrnoException | undefined)?.code;
	return code === 'EADDRINUSE' || inner === 'EADDRINUSE';
}

/** Resolves at the first request to stop; a second one ends the process at once. */
function stopSignal(): Promise<void> {
	return new Promise((resolve) => {
		const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
		const stop = (): void => {
			for (const signal of signals) process.off(signal, stop);
			resolve();
		};
		for (const signal of signals) process.on(signal, stop);
	});
}
