/** `npx n8n-nodes-enmeshed <command>`. Needs neither n8n nor `n8n-workflow`. */
const usage = `Usage: n8n-nodes-enmeshed <command>

  sandbox [--port <number>] [--state <file>] [--backbone <6|7>]
      starts an emulated Backbone on this machine, for first steps, tests and demos
  serve
      the HTTP gateway (not available in this version)
`;

async function main([command, ...rest]: readonly string[]): Promise<number> {
	switch (command) {
		case 'sandbox':
			return await sandbox(rest);
		case 'serve':
			process.stderr.write(
				'error.gateway.notSupportedYet: the HTTP gateway is not part of this version. ' +
					'Use the n8n nodes or the library.\n',
			);
			return 1;
		case undefined:
		case 'help':
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
		},
	});
	const port = values.port === undefined ? undefined : Number(values.port);
	if (port !== undefined && (!Number.isInteger(port) || port < 0 || port > 65_535)) {
		process.stderr.write('The port must be a number from 0 to 65535.\n');
		return 2;
	}
	const { startSandbox } = await import('../../sandbox/start');
	await startSandbox({
		...(port === undefined ? {} : { port }),
		...(values.state === undefined ? {} : { stateFile: values.state }),
		...(values.backbone === '7' ? { majorVersion: 7 as const } : {}),
	});
	return 0;
}

main(process.argv.slice(2)).then(
	(code) => {
		process.exitCode = code;
	},
	(error: unknown) => {
		process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
		process.exitCode = 1;
	},
);
