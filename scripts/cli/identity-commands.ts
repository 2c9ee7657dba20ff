import { parseArgs } from 'node:util';
import { Gateway } from '../../core';
import type { ServerConfig } from '../../core/server';
import { gatewayConfigOf } from './gateway-settings';
import { servedConfig } from './served-account';

const usage = `Usage: n8n-nodes-enmeshed identity status [-c <file>]
       n8n-nodes-enmeshed identityDeletion init|cancel [-c <file>]

Shows the identity of the HTTP gateway, or starts or cancels its deletion, with the configuration of serve.
`;

const activeStatuses: ReadonlySet<string> = new Set(['WaitingForApproval', 'Approved']);

type Use = (gateway: Gateway, config: ServerConfig) => Promise<readonly string[]>;

/**
 * Command `npx n8n-nodes-enmeshed identity` (docs/protocol/http-api.md 15.1); returns the exit
 * code.
 */
export function identity(words: readonly string[]): Promise<number> {
	return runCommand(words, { status });
}

/**
 * Command `npx n8n-nodes-enmeshed identityDeletion` (docs/protocol/http-api.md 15.1); returns the
 * exit code.
 */
export function identityDeletion(words: readonly string[]): Promise<number> {
	return runCommand(words, { init, cancel });
}

async function runCommand(
	words: readonly string[],
	uses: Readonly<Record<string, Use>>,
): Promise<number> {
	const { values, positionals } = parseArgs({
		args: [...words],
		options: { config: { type: 'string', short: 'c' }, help: { type: 'boolean', short: 'h' } },
		allowPositionals: true,
	});
	if (values.help === true) {
		process.stdout.write(usage);
		return 0;
	}
	const [name = '', ...surplus] = positionals;
	const use = Object.hasOwn(uses, name) ? uses[name] : undefined;
	if (use === undefined || surplus.length > 0) {
		process.stderr.write(usage);
		return 2;
	}
	const config = await servedConfig(values.config);
	const gateway = await Gateway.open(gatewayConfigOf(config));
	try {
		for (const line of await use(gateway, config)) process.stdout.write(`${line}\n`);
	} finally {
		await gateway.close();
	}
	return 0;
}

async function status(
	{ account, identityDeletion: deletion }: Gateway,
	{ infrastructure }: ServerConfig,
): Promise<string[]> {
	const { address } = await account.getIdentity();
	const lines = [`Identity Address: ${address}`];
	const active = (await deletion.list()).find(({ status: is }) => activeStatuses.has(is));
	if (active === undefined) return lines;
	const { gracePeriodEndsAt } = active;
	const { connectorVersion } = infrastructure.httpServer;
	// Version 7 has one word for a deletion in progress (docs/protocol/connector-7.md 11).
	lines.push(`Identity deletion status: ${connectorVersion === 7 ? 'Active' : active.status}`);
	if (gracePeriodEndsAt !== undefined) {
		lines.push(`End of grace period: ${new Date(gracePeriodEndsAt).toLocaleString()}`);
	}
	return lines;
}

async function init({ identityDeletion: deletion }: Gateway): Promise<string[]> {
	await deletion.initiate();
	return ['Identity deletion initiated'];
}

async function cancel({ identityDeletion: deletion }: Gateway): Promise<string[]> {
	await deletion.cancel();
	return ['Identity deletion cancelled'];
}
