import { version } from '../../package.json';

/** Program `npx n8n-nodes-enmeshed <command>`. Needs neither n8n nor `n8n-workflow`. */
const usage = `Usage: n8n-nodes-enmeshed <command>

  demo [--examples <file>] [--state <folder>] [--public-url <url>] [--listen <address>]
      starts an emulated Backbone and a demo wallet, to try the nodes in the n8n that you have;
      --help also explains what n8n in a container needs
  sandbox [--port <number>] [--state <file>] [--backbone <6|7>] [--behaviour <kind|real>] [--seed <number>]
      starts an emulated Backbone on this machine, for first steps, tests and demos;
      --help also lists its administrative calls
  serve [--config <file>]
      the HTTP gateway: the REST interface of the enmeshed Connector, for programs that speak it;
      --help also explains its configuration; 'start' means the same
  identity status [--config <file>]
      shows the address of the HTTP gateway, and whether it is being deleted
  identityDeletion init|cancel [--config <file>]
      starts or cancels the deletion of the HTTP gateway's identity
  keys <create|list|rotate|revoke> [--config <file>]
      keys with which programs and people use the HTTP gateway
  account <export|import|verify|problems|retry|discard|reconcile>
      moves an account to another store, backs it up into an encrypted file, and restores it;
      lists failed work, retries or discards it, and compares with the Backbone;
      --help also explains the difference between a move and a backup
  audit <verify|export|head>
      looks for changed, removed and reordered rows in the audit, which says who did what over HTTP;
      exports it, and prints the hash of its newest row, to be kept elsewhere
  -v, --version
      prints the version of this package
  -h, --help
      prints this text; after a command, the help of the command

Exit codes: 0 done, 1 refused or failed, 2 wrong use.
`;

async function main([command, ...rest]: readonly string[]): Promise<number> {
	switch (command) {
		case 'demo':
			return await (await import('./demo')).demo(rest);
		case 'sandbox':
			return await sandbox(rest);
		// The official gateway uses the second name.
		case 'serve':
		case 'start':
			await (await import('./serve')).serve(rest);
			return 0;
		case 'identity':
			return await (await import('./serve')).identity(rest);
		case 'identityDeletion':
			return await (await import('./serve')).identityDeletion(rest);
		case 'keys':
			return await (await import('./serve')).keys(rest);
		case 'account':
			return await (await import('./account')).account(rest);
		case 'audit':
			return await (await import('./audit')).audit(rest);
		case '-v':
		case '--version':
			process.stdout.write(`${version}\n`);
			return 0;
		case undefined:
		case 'help':
		case '-h':
		case '--help':
			process.stdout.write(usage);
			return 0;
		default:
			process.stderr.write(`There is no command '${command}'.\n\n${usage}`);
			return 2;
	}
}

async function sandbox(rest: readonly string[]): Promise<number> {
	const { parseArgs } = await import('node:util');
	const { values } = parseArgs({
		args: [...rest],
		options: {
			port: { type: 'string' },
			state: { type: 'string' },
			backbone: { type: 'string' },
			behaviour: { type: 'string' },
			seed: { type: 'string' },
			help: { type: 'boolean', short: 'h' },
		},
	});
	const { sandboxHelp, startSandbox } = await import('../../sandbox/start');
	if (values.help === true) {
		process.stdout.write(sandboxHelp());
		return 0;
	}
	const port = values.port === undefined ? undefined : Number(values.port);
	if (port !== undefined && (!Number.isInteger(port) || port < 0 || port > 65_535)) {
		process.stderr.write('The port must be a number from 0 to 65535.\n');
		return 2;
	}
	if (values.backbone !== undefined && !/^[67]$/.test(values.backbone)) {
		process.stderr.write('The major version of the Backbone must be 6 or 7.\n');
		return 2;
	}
	if (values.behaviour !== undefined && !/^(kind|real)$/.test(values.behaviour)) {
		process.stderr.write('The behaviour must be kind or real.\n');
		return 2;
	}
	if (values.seed !== undefined && !/^\d{1,10}$/.test(values.seed)) {
		process.stderr.write('The seed must be a number of at most 10 digits.\n');
		return 2;
	}
	await startSandbox({
		...(port === undefined ? {} : { port }),
		...(values.state === undefined ? {} : { stateFile: values.state }),
		...(values.backbone === '7' ? { majorVersion: 7 as const } : {}),
		...(values.behaviour === 'real' ? { behaviour: 'real' as const } : {}),
		...(values.seed === undefined ? {} : { seed: Number(values.seed) }),
	});
	return 0;
}

/** The first lines that run: an older Node fails later, on a module that it does not have. */
function requireNode(): void {
	const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
	if (major > 22 || (major === 22 && minor >= 19)) return;
	process.stderr.write(
		`n8n-nodes-enmeshed needs Node 22.19 or later; this is Node ${process.versions.node}.\n`,
	);
	process.exit(1);
}

/** Wrong options of any command, as Node's parser of arguments reports them. */
function isUsageError(error: unknown): boolean {
	const { code } = error as { readonly code?: unknown };
	return typeof code === 'string' && code.startsWith('ERR_PARSE_ARGS');
}

/** What the system says about files, in words. */
const fileReasons: Readonly<Record<string, string>> = {
	EACCES: 'this user may not use it',
	EISDIR: 'it is a folder',
	ENOENT: 'it does not exist, or its folder does not',
	ENOTDIR: 'a part of the path is not a folder',
	EPERM: 'this user may not use it',
	EROFS: 'the disk is read-only',
};

/**
 * Message of an error, with code and advice for a coded one; recognised by its members, so that the
 * core need not be loaded.
 */
function messageOf(error: unknown): string {
	if (!(error instanceof Error)) return String(error);
	const { code, path, remedy } = error as { code?: unknown; path?: unknown; remedy?: unknown };
	const reason = typeof code === 'string' ? fileReasons[code] : undefined;
	if (reason !== undefined && typeof path === 'string')
		return `'${path}' cannot be used: ${reason}.`;
	if (typeof code !== 'string' || !code.startsWith('error.')) return error.message;
	const advice = typeof remedy === 'string' ? `\n${remedy}` : '';
	return `${code}: ${error.message}${advice}`;
}

requireNode();
main(process.argv.slice(2)).then(
	(code) => {
		process.exitCode = code;
	},
	(error: unknown) => {
		const isWrongUse = isUsageError(error);
		const advice = isWrongUse ? "\nSee 'n8n-nodes-enmeshed --help'." : '';
		process.stderr.write(`${messageOf(error)}${advice}\n`);
		process.exitCode = isWrongUse ? 2 : 1;
	},
);
