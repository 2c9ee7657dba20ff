import { addressHostnameOf } from './address';
import { adminCalls } from './admin';
import { prepareForDemo } from './demo-settings';
import { SandboxBackbone, type SandboxOptions } from './sandbox-backbone';
import { defaultSettings } from './settings';

export { addressHostnameOf, prepareForDemo, SandboxBackbone };

/**
 * Implements `npx n8n-nodes-enmeshed sandbox`: starts, prints the values for the forms, stops on
 * Ctrl-C.
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<SandboxBackbone> {
	const backbone = await SandboxBackbone.open(options);
	const { behaviour, clientId, clientSecret } = { ...defaultSettings, ...options };
	const lines = [
		'Sandbox Backbone is running. Enter in the credential:',
		`  Backbone URL   ${backbone.baseUrl}`,
		`  Client ID      ${clientId}`,
		`  Client Secret  ${clientSecret}`,
		`Administrative calls, such as announcements: ${backbone.baseUrl}/admin`,
		...(behaviour === 'real'
			? [`Events arrive late, in any order, some twice: seed ${backbone.seed}`]
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

/** Help for the terminal: options and administrative calls. */
export function sandboxHelp(): string {
	const calls = adminCalls();
	const width = Math.max(...calls.map(({ call }) => call.length));
	return [
		'Usage: n8n-nodes-enmeshed sandbox [options]',
		'',
		'Starts an emulated Backbone on this machine, for first steps, tests and demos.',
		'',
		'  --port <number>   port to listen on; default: any free port',
		'  --state <file>    keeps all data in this file; default: all data is lost when it stops',
		'  --backbone <6|7>  major version; 6 serves /api/v1 and /api/v2, 7 only /api/v2; default: 6',
		'  --behaviour <kind|real>  kind: events arrive at once, in order and once; real: as from a server,',
		'                    late, in any order and at times twice; default: kind',
		'  --seed <number>   repeats the random choices of real behaviour; default: a random one',
		'',
		'Administrative calls, from this machine only, send JSON with the content type application/json;',
		'the first call also shows the schemas of the bodies:',
		'',
		...calls.map(({ call, what }) => `  ${call.padEnd(width)}  ${what}`),
		'',
		"Example: curl -X POST -H 'content-type: application/json' -d '{\"advanceMs\":60000}' \\",
		'  http://localhost:<port>/admin/clock',
		'',
	].join('\n');
}
