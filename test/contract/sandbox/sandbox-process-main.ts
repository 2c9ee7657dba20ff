import { SandboxBackbone } from '../../../sandbox/sandbox-backbone';

SandboxBackbone.open({ stateFile: String(process.argv[2]) }).then(
	({ baseUrl }) => process.send?.(baseUrl),
	(error: unknown) => {
		process.stderr.write(`${String(error)}\n`);
		process.exit(1);
	},
);
