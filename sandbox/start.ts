import { SandboxBackbone, type SandboxOptions } from './sandbox-backbone';
import { defaultSettings } from './settings';

/** Behind `npx n8n-nodes-enmeshed sandbox`: starts, says what to enter where, stops on Ctrl-C. */
export async function startSandbox(options: SandboxOptions = {}): Promise<SandboxBackbone> {
	const backbone = await SandboxBackbone.open(options);
	const lines = [
		'Sandbox Backbone is running. Enter in the credential:',
		`  Backbone URL   ${backbone.baseUrl}`,
		`  Client ID      ${options.clientId ?? defaultSettings.clientId}`,
		`  Client Secret  ${options.clientSecret ?? defaultSettings.clientSecret}`,
		`What an operator can do, such as announcing something: ${backbone.baseUrl}/admin`,
		'Stop it with Ctrl-C.',
	];
	process.stdout.write(`${lines.join('\n')}\n`);
	const stop = (): void => {
		backbone.close().finally(() => process.exit(0));
	};
	process.once('SIGINT', stop);
	process.once('SIGTERM', stop);
	return backbone;
}
