import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { UsageError } from './usage-error';

export const demoHelp = `Usage: n8n-nodes-enmeshed demo [options]

Starts an emulated Backbone and a demo wallet on this machine, to try the nodes in the n8n that you
have. Writes example workflows for n8n's import, and prints what to enter in the credential.

  --examples <file>       where to write the example workflows; default: ./enmeshed-examples.json
  --state <folder>        keeps identities and mails in this folder; default: they are lost at the end
  --port <number>         port of the Backbone; default: 5690
  --wallet-port <number>  port of the demo wallet; default: 5691

If n8n runs in a container:

  --public-url <url>      address under which n8n reaches the Backbone, for example
                          http://host.docker.internal:5690
  --listen <address>      also accepts calls to this address of the machine, for example 172.17.0.1
                          for containers on Linux, or 0.0.0.0 for the whole network; every program
                          that reaches it can then use the Backbone

If the demo itself runs in a container:

  --wallet-listen <address>  where the demo wallet accepts calls instead of 127.0.0.1, for example
                          0.0.0.0; publish its port on 127.0.0.1 only, because it knows no passwords
`;

export interface DemoOptions {
	/** absolute path */
	readonly examples: string;
	/** folder that keeps the data; undefined for a temporary one */
	readonly state?: string;
	readonly port: ChosenPort;
	readonly walletPort: ChosenPort;
	readonly publicUrl?: string;
	readonly listen?: string;
	readonly walletListen?: string;
}

export interface ChosenPort {
	readonly number: number;
	/** true if another port must not take its place */
	readonly isFixed: boolean;
	/** option by which the person can choose another port */
	readonly option: string;
}

const defaultPort = 5690;
const defaultWalletPort = 5691;

/**
 * Options of the command `demo`; undefined if it asks for help.
 *
 * @throws UsageError
 */
export function parseDemoOptions(words: readonly string[]): DemoOptions | undefined {
	const values = valuesOf(words);
	if (values.help === true) return undefined;
	const publicUrl = publicUrlOf(values['public-url']);
	const { listen, state, 'wallet-listen': walletListen } = values;
	return {
		examples: resolve(values.examples ?? 'enmeshed-examples.json'),
		...(state === undefined ? {} : { state: resolve(state) }),
		port: {
			number: portOf(values.port, '--port') ?? portIn(publicUrl) ?? defaultPort,
			isFixed: values.port !== undefined || publicUrl !== undefined,
			option: '--port',
		},
		walletPort: {
			number: portOf(values['wallet-port'], '--wallet-port') ?? defaultWalletPort,
			isFixed: values['wallet-port'] !== undefined,
			option: '--wallet-port',
		},
		...(publicUrl === undefined ? {} : { publicUrl }),
		...(listen === undefined ? {} : { listen }),
		...(walletListen === undefined ? {} : { walletListen }),
	};
}

function valuesOf(words: readonly string[]) {
	try {
		return parseArgs({
			args: [...words],
			options: {
				examples: { type: 'string' },
				state: { type: 'string' },
				port: { type: 'string' },
				'wallet-port': { type: 'string' },
				'wallet-listen': { type: 'string' },
				'public-url': { type: 'string' },
				listen: { type: 'string' },
				help: { type: 'boolean', short: 'h' },
			},
		}).values;
	} catch (error) {
		throw new UsageError((error as Error).message);
	}
}

function portOf(text: string | undefined, option: string): number | undefined {
	if (text === undefined) return undefined;
	const port = Number(text);
	if (/^\d+$/.test(text) && port <= 65_535) return port;
	throw new UsageError(`The value of ${option} must be a number from 0 to 65535.`);
}

function publicUrlOf(text: string | undefined): string | undefined {
	if (text === undefined) return undefined;
	const url = URL.parse(text);
	const isAddress = url !== null && /^https?:$/.test(url.protocol);
	if (isAddress && url.pathname === '/' && url.search === '' && url.hash === '') return url.origin;
	throw new UsageError(
		'The value of --public-url must be an address without a path, for example http://host.docker.internal:5690.',
	);
}

function portIn(url: string | undefined): number | undefined {
	const port = url === undefined ? '' : new URL(url).port;
	return port === '' ? undefined : Number(port);
}
