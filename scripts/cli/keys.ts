import { parseArgs } from 'node:util';
import { Gateway, isGatewayError } from '../../core';
import {
	isNameOfDefault,
	parseAccountConfig,
	parseHostedAccounts,
	pinCertificates,
	readSettings,
	wantedAccounts,
	type ServerConfig,
} from '../../core/server';
import { gatewayConfigOf } from './gateway-settings';
import { UsageError } from './usage-error';

const usage = `Usage: n8n-nodes-enmeshed keys <create|list|rotate|revoke> [options]

Keys with which programs and people use the HTTP gateway; the gateway may run meanwhile.

  keys create <name> [--scope <pattern>]... [--expires <time>]
                      prints a new key; it is shown only now. Without --scope it opens everything
  keys list           name, scopes and end of each key
  keys rotate <name> [--overlap-hours <number>] [--expires <time>]
                      prints a new text for the key; the former one stays valid for 24 hours,
                      or for the given time, 0 to end it at once
  keys revoke <name>  ends the key at once

Options
  --scope <pattern>   role that the key has, such as core:messages or 'core:*'; /docs names the roles
                      of every route. '**' opens everything, 'page:read' the page for operators, for
                      reading only
  --expires <time>    for example 2030-12-31T23:59:59Z
  --account <name>    an account besides the default one
  -c, --config <file> configuration of 'serve'
  --json              one line of JSON instead of sentences
  -h, --help          this text

Exit codes: 0 done, 1 refused or failed, 2 wrong use.
`;

const options = {
	scope: { type: 'string', multiple: true },
	expires: { type: 'string' },
	'overlap-hours': { type: 'string' },
	account: { type: 'string' },
	config: { type: 'string', short: 'c' },
	json: { type: 'boolean' },
	help: { type: 'boolean', short: 'h' },
} as const;

type Values = ReturnType<typeof parseArgs<{ options: typeof options }>>['values'];

interface Outcome {
	/** printed with --json */
	readonly report: object;
	readonly lines: readonly string[];
}

type Use = (keys: Gateway['accessKeys'], name: string, values: Values) => Promise<Outcome>;

interface KeysCommand {
	readonly takesName: boolean;
	readonly options: readonly string[];
	readonly use: Use;
}

const everywhere = ['account', 'config', 'json'];

const commands: Readonly<Record<string, KeysCommand>> = {
	create: { takesName: true, options: ['scope', 'expires'], use: create },
	list: { takesName: false, options: [], use: list },
	rotate: { takesName: true, options: ['overlap-hours', 'expires'], use: rotate },
	revoke: { takesName: true, options: [], use: revoke },
};

/** Command `npx n8n-nodes-enmeshed keys`; returns the exit code. */
export async function keys(words: readonly string[]): Promise<number> {
	const { values, positionals } = parseArgs({ args: [...words], options, allowPositionals: true });
	if (values.help === true) {
		process.stdout.write(usage);
		return 0;
	}
	try {
		const [command = '', name = '', ...surplus] = positionals;
		const found = Object.hasOwn(commands, command) ? commands[command] : undefined;
		if (found === undefined)
			throw new UsageError("Expected 'create', 'list', 'rotate' or 'revoke'.");
		if (surplus.length > 0 || found.takesName !== (name !== '')) {
			throw new UsageError(`'keys ${command}' takes ${found.takesName ? 'one name' : 'no name'}.`);
		}
		const known = [...found.options, ...everywhere];
		const unknown = Object.keys(values).find((option) => !known.includes(option));
		if (unknown !== undefined)
			throw new UsageError(`'keys ${command}' does not take --${unknown}.`);
		const { report, lines } = await inAccount(values, (gateway) =>
			found.use(gateway.accessKeys, name, values),
		);
		const text = values.json === true ? JSON.stringify(report) : lines.join('\n');
		if (text !== '') process.stdout.write(`${text}\n`);
		return 0;
	} catch (error) {
		if (!(error instanceof UsageError)) throw error;
		process.stderr.write(`${error.message}\nSee 'keys --help'.\n`);
		return 2;
	}
}

/** Opens the account of a running or stopped gateway; a mistyped place creates none. */
async function inAccount<Result>(
	{ config: file, account }: Values,
	use: (gateway: Gateway) => Promise<Result>,
): Promise<Result> {
	const settings = await readSettings({ file, environment: process.env });
	const main = parseAccountConfig(settings);
	pinCertificates(main);
	const open = (config: ServerConfig): Promise<Gateway> =>
		Gateway.open({ ...gatewayConfigOf(config), allowIdentityCreation: false });
	if (account === undefined || isNameOfDefault(settings, account)) {
		await using gateway = await open(main);
		return await use(gateway);
	}
	const configured = parseHostedAccounts(settings);
	const isNamed = ({ name }: { readonly name: string }): boolean =>
		name.toLowerCase() === account.toLowerCase();
	const [, known] = [...configured].find(([name]) => isNamed({ name })) ?? [];
	const config = known ?? (await storedConfig());
	await using gateway = await open(config);
	return await use(gateway);

	/** The default account knows the accounts that administrators have created. */
	async function storedConfig(): Promise<ServerConfig> {
		await using gateway = await open(main);
		const wanted = wantedAccounts(settings, configured, await gateway.hostedAccounts.list());
		const named = [...wanted.values()].find(isNamed);
		if (named !== undefined) return named.config();
		const names = [main.database.dbName, ...wanted.keys()].join(', ');
		throw new UsageError(`There is no account '${account}'. There are: ${names}.`);
	}
}

async function create(
	accessKeys: Gateway['accessKeys'],
	name: string,
	{ scope = ['**'], expires }: Values,
): Promise<Outcome> {
	const expiry = expires === undefined ? {} : { expiresAt: expires };
	const created = await accessKeys.create({ name, scopes: scope, ...expiry });
	return { report: created, lines: [created.key] };
}

async function list(accessKeys: Gateway['accessKeys']): Promise<Outcome> {
	const found = await accessKeys.list();
	const lines = found.map(({ name, scopes, expiresAt, previousValidUntil }) =>
		[
			`${name}  ${scopes.join(' ')}`,
			...(expiresAt === undefined ? [] : [`until ${expiresAt}`]),
			...(previousValidUntil === undefined ? [] : [`former text until ${previousValidUntil}`]),
		].join('  '),
	);
	return { report: found, lines: lines.length === 0 ? ['There is no stored key.'] : lines };
}

async function rotate(
	accessKeys: Gateway['accessKeys'],
	name: string,
	{ 'overlap-hours': overlap, expires }: Values,
): Promise<Outcome> {
	if (overlap !== undefined && !/^\d{1,3}(\.\d{1,3})?$/.test(overlap)) {
		throw new UsageError('--overlap-hours must be a number of hours, at most 720.');
	}
	const rotated = await accessKeys.rotate(await idOf(accessKeys, name), {
		...(overlap === undefined ? {} : { overlapHours: Number(overlap) }),
		...(expires === undefined ? {} : { expiresAt: expires }),
	});
	return { report: rotated, lines: [rotated.key] };
}

async function revoke(accessKeys: Gateway['accessKeys'], name: string): Promise<Outcome> {
	const id = await idOf(accessKeys, name);
	try {
		await accessKeys.revoke(id);
	} catch (error) {
		// It was revoked meanwhile, which is what was asked for.
		if (!isGatewayError(error) || error.kind !== 'notFound') throw error;
	}
	return { report: { ok: true, id }, lines: [`'${name}' opens nothing any more.`] };
}

async function idOf(accessKeys: Gateway['accessKeys'], name: string): Promise<string> {
	const found = (await accessKeys.list()).find((key) => key.name === name);
	if (found !== undefined) return found.id;
	throw new UsageError(`There is no stored key '${name}'; 'keys list' shows all.`);
}
