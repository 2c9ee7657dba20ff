import { exampleCredentialName } from './demo-examples';
import type { DemoOptions } from './demo-options';

interface ShownDemo extends Pick<DemoOptions, 'examples' | 'listen' | 'publicUrl' | 'state'> {
	readonly backboneUrl: string;
	/** host name in addresses */
	readonly hostname: string;
	readonly clientId: string;
	readonly clientSecret: string;
	readonly walletUrl: string;
}

/** Says what to do in n8n, in the words of its forms. */
export function demoText(demo: ShownDemo): string {
	const lines = [
		'',
		'The demo is running.',
		'',
		'1. Install the package n8n-nodes-enmeshed in n8n. Its README says how.',
		`2. Create a credential 'Enmeshed Backbone API', name it '${exampleCredentialName}', and enter:`,
		'',
		`     Backbone URL   ${demo.backboneUrl}`,
		`     Client ID      ${demo.clientId}`,
		`     Client Secret  ${demo.clientSecret}`,
		...(new URL(demo.backboneUrl).hostname === demo.hostname
			? []
			: [`     Options        Address Hostname: ${demo.hostname}`]),
		'',
		'3. Open a new workflow, choose Import from File in its menu, and select:',
		'',
		`     ${demo.examples}`,
		'',
		"4. Publish the workflow. Point at its first node and press 'Execute workflow' beside it. Then",
		"   double-click 'Create QR code' and copy the value of 'link' in its output.",
		'5. Open the demo wallet, paste the link, and answer:',
		'',
		`     ${demo.walletUrl}`,
		'',
		...notes(demo),
		'Ctrl-C stops the demo.',
		'',
	];
	return lines.join('\n');
}

function notes({ listen, publicUrl, state }: ShownDemo): string[] {
	return [
		...(publicUrl === undefined
			? ['If n8n runs in a container, it needs another address: see --public-url in --help.']
			: []),
		...(listen === undefined
			? []
			: [
					`Warning: every program that reaches ${listen} can use this Backbone. Use it in a network that`,
					'you trust, and enter no real data.',
				]),
		state === undefined
			? 'All data is lost at the end; --state <folder> keeps it.'
			: `The data is kept in ${state}.`,
	];
}
