import { join } from 'node:path';

import { prepareForDemo } from '../../sandbox/demo-settings';
import { SandboxBackbone } from '../../sandbox/sandbox-backbone';
import { DemoWallet, type DemoWalletOptions } from '../../sandbox/wallet/demo-wallet';
import { owner } from '../n8n/environment';
import { freePort } from '../n8n/free-port';
import { cacheFolder } from '../n8n/host-folder.cjs';
import { N8nHost } from '../n8n/n8n-host';
import { putExamples } from './example-workflows';
import { keptPasswordHash } from './kept-password-hash';
import { KeptPorts } from './kept-ports';

/** Preferred ports, each replaced if another process listens there. */
const wantedPorts = {
	n8n: 5678,
	'task broker of n8n': 5679,
	'sandbox Backbone': 5690,
	'demo wallet': 5691,
};

const client = { clientId: 'test', clientSecret: 'test' };
const credentialName = 'Sandbox Backbone';

export interface DemoOptions {
	readonly say: (line: string) => void;
	readonly signal: AbortSignal;
	/** state of the demo, for the next start */
	readonly folder: string;
}

export interface Demo {
	readonly n8n: N8nHost;
	readonly wallet: DemoWallet;
	readonly backbone: DemoWalletOptions['backbone'];
	readonly credentialId: string;
	/** ids by name */
	readonly workflows: ReadonlyMap<string, string>;
	readonly summary: readonly string[];
	close(): Promise<void>;
}

/**
 * Starts the sandbox Backbone, the demo wallet and n8n with this package; a failure stops all of
 * them. One demo of a person starts after another, because all choose from the same ports.
 */
export async function startDemo(options: DemoOptions): Promise<Demo> {
	const { withClaim } = await import('../install/claims.mjs');
	const claimed = join(cacheFolder(), 'demo-start');
	return await withClaim(claimed, 'the start of a demo', () => startAll(options), options);
}

async function startAll(options: DemoOptions): Promise<Demo> {
	const { say, signal, folder } = options;
	const kept = new KeptPorts(folder);
	const portOf = (name: keyof typeof wantedPorts) => portFor(name, kept, say);
	const closing: Array<() => Promise<void>> = [];
	const close = async (): Promise<void> => {
		for (const step of closing.splice(0).reverse()) {
			await step().catch((error: unknown) => say(`While stopping: ${String(error)}`));
		}
	};
	try {
		const { claimDemo } = await import('../lib/demo-state.mjs');
		const claim = await claimDemo(folder);
		closing.push(() => claim.release());
		const { ensureN8nHost } = await import('../install/n8n-host.mjs');
		await ensureN8nHost();
		signal.throwIfAborted();

		say('Starting the sandbox Backbone …');
		const backbone = await SandboxBackbone.open({
			...client,
			port: await portOf('sandbox Backbone'),
			stateFile: join(folder, 'backbone.json'),
		});
		closing.push(() => backbone.close());

		say('Starting the demo wallet …');
		const wallet = await DemoWallet.open({
			backbone: { baseUrl: backbone.baseUrl, ...client },
			folder: join(folder, 'wallet'),
			port: await portOf('demo wallet'),
		});
		closing.push(() => wallet.close());
		prepareForDemo(backbone, wallet.url);
		signal.throwIfAborted();

		say('Starting n8n with the nodes (the first start takes half a minute) …');
		const n8n = await N8nHost.prepare({
			home: join(folder, 'n8n'),
			port: await portOf('n8n'),
			brokerPort: await portOf('task broker of n8n'),
			passwordHash: keptPasswordHash(folder),
		});
		closing.push(() => n8n.stop());
		await n8n.start();
		signal.throwIfAborted();

		say('Creating the credential and the example workflows …');
		const credentialId = await putCredential(n8n, backbone.baseUrl);
		const workflows = await putExamples(n8n, { id: credentialId, name: credentialName });
		claim.announce({
			n8n: n8n.url,
			'demo wallet': wallet.url,
			'sandbox Backbone': backbone.baseUrl,
		});
		return {
			n8n,
			wallet,
			backbone: { baseUrl: backbone.baseUrl, ...client },
			credentialId,
			workflows,
			summary: summary(n8n, wallet, backbone),
			close,
		};
	} catch (error) {
		await close();
		throw error;
	}
}

async function portFor(
	name: keyof typeof wantedPorts,
	kept: KeptPorts,
	say: (line: string) => void,
): Promise<number> {
	const wanted = kept.of(name) ?? wantedPorts[name];
	const port = await freePort(wanted);
	kept.keep(name, port);
	if (port !== wanted) {
		say(
			`Port ${wanted} (${name}) is taken by another program, so ${port} is used. To have ${wanted}, ` +
				'stop that program and start again.',
		);
	}
	return port;
}

/** Updates the credential, because the Backbone's port may have changed since the last start. */
async function putCredential(n8n: N8nHost, backboneUrl: string): Promise<string> {
	const data = { backboneUrl, ...client };
	const existing = (await n8n.credentials()).get(credentialName);
	if (existing === undefined) return await n8n.createCredential(data, credentialName);
	await n8n.editCredential(existing, data, credentialName);
	return existing;
}

function summary(n8n: N8nHost, wallet: DemoWallet, backbone: SandboxBackbone): string[] {
	return [
		'',
		'ready',
		'',
		`  n8n               ${n8n.url}   (sign in as ${owner.email} with ${owner.password})`,
		`  demo wallet       ${wallet.url}`,
		`  sandbox Backbone  ${backbone.baseUrl}`,
		'',
		"Open n8n and the workflow '1. Show a QR code', and press 'Execute workflow'. The output of its",
		"last node has the QR code as a picture and as 'link': paste the link into the demo wallet and",
		'answer. The second workflow accepts and sends a mail; answer it in the wallet, and the third',
		'workflow replies. Workflow 13 keeps the person in the data table of customers, and 14 writes to one.',
		'',
		'Workflows 6, 7, 8 and 5 are a longer story, from a form for new customers to a new name of yours.',
		'Workflows 9 to 12 ask a person and wait for the answer. The notes in them say what to do.',
		'',
		'Ctrl-C stops everything.',
	];
}
