import { adminCalls } from './admin';
import { SandboxBackbone, type SandboxOptions } from './sandbox-backbone';
import { defaultSettings } from './settings';

/** Behind `npx n8n-nodes-enmeshed sandbox`: starts, says what to enter where, stops on Ctrl-C. */
export async function startSandbox(options: SandboxOptions = {}): Promise<SandboxBackbone> {
	const backbone = await SandboxBackbone.open(options);
	const { behaviour, clientId, clientSecret } = { ...defaultSettings, ...options };
	const lines = [
		'Sandbox Backbone is running. Enter in the credential:',
		`  Backbone URL   ${backbone.baseUrl}`,
		`  Client ID      ${clientId}`,
		`  Client Secret  ${clientSecret}`,
		`What an operator can do, such as announcing something: ${backbone.baseUrl}/admin`,
		...(behaviour === 'real'
			? [`Events come late, in any order, some twice: seed ${backbone.seed}`]
			: []),
		'Stop it with Ctrl-C.',
	];
	process.stdout.write(`${lines.join('\n')}\n`);
	const stop = (): void => {
		backbone.close().then(
			() => process.exit(0),
			(error: unknown) => {
				process.stderr.write(`${String(error)}\n`);
				process.exit(1);
			},
		);
	};
	process.once('SIGINT', stop);
	process.once('SIGTERM', stop);
	return backbone;
}

/** Options and administrative calls, for the terminal. */
export function sandboxHelp(): string {
	const calls = adminCalls();
	const width = Math.max(...calls.map(({ call }) => call.length));
	return [
		'Usage: n8n-nodes-enmeshed sandbox [options]',
		'',
		'Starts an emulated Backbone on this machine, for first steps, tests and demos.',
		'',
		'  --port <number>   where it listens; default: any free port',
		'  --state <file>    keeps everything in this file; default: all is gone when it stops',
		'  --backbone <6|7>  major version; 6 serves /api/v1 and /api/v2, 7 only /api/v2; default: 6',
		'  --behaviour <kind|real>  kind: events come at once, in order and once; real: as a server sends them,',
		'                    late, in any order and at times twice; default: kind',
		'  --seed <number>   repeats what real behaviour drew before; default: another one each time',
		'',
		'Its operator, who must be on this machine, sends JSON with the content type application/json;',
		'the first call also shows what the bodies are:',
		'',
		...calls.map(({ call, what }) => `  ${call.padEnd(width)}  ${what}`),
		'',
		"Example: curl -X POST -H 'content-type: application/json' -d '{\"advanceMs\":60000}' \\",
		'  http://localhost:<port>/admin/clock',
		'',
	].join('\n');
}
