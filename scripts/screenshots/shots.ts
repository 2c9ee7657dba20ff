import type { Workflow } from '../n8n/n8n-api';
import { shownReference } from '../start/shown-reference';
import { size } from './browser';
import { boxOf, file } from './editor';
import type { Tour } from './tour';
import { consentExample, formExample, loginExample, waitingPage } from './waiting-shots';

const showCode = '1. Show a QR code';
const organisation = 'Example Organisation';

/** First screen of the panel from which users drag the nodes. */
async function nodePanel({ editor }: Tour): Promise<void> {
	// The panel shows the actions first only beside an existing node.
	await editor.openWorkflow(showCode);
	const { page } = editor;
	// Height at which the panel ends between two actions.
	await page.setViewportSize({ width: size.width, height: 1_250 });
	await page.getByTestId('node-creator-plus-button').first().click();
	await page.getByTestId('node-creator-search-bar').fill('enmeshed');
	await page.getByTestId('item-iterator-item').filter({ hasText: 'Enmeshed' }).first().click();
	const panel = page.getByTestId('node-creator');
	await panel.getByText('Find contact').waitFor();
	await editor.shoot('node-panel', await boxOf(panel));
	await page.keyboard.press('Escape');
}

/** Form of Relationship Template > Create. */
async function templateForm({ editor }: Tour): Promise<void> {
	await editor.openWorkflow(showCode);
	// Height at which the form ends between two fields.
	await editor.page.setViewportSize({ width: size.width, height: 1_345 });
	await editor.openNode('Create QR code');
	await editor.shoot('template-form');
	await editor.closeNode();
}

/** QR code in the output panel after 'Execute workflow'. */
async function executedOnboarding({ editor }: Tour): Promise<void> {
	await editor.openWorkflow(showCode);
	await editor.execute(2);
	// Width at which the output's name is visible, height at which the form ends between two fields.
	await editor.page.setViewportSize({ width: 1_720, height: 905 });
	await editor.openNode('Create QR code');
	await editor.page.getByText('Binary', { exact: true }).last().click();
	await editor.page.getByTestId('ndv-view-binary-data').click();
	await editor.shoot('onboarding-qr-code');
	await editor.page.keyboard.press('Escape');
}

/** Credential with a passed test. */
async function credential({ demo, editor }: Tour): Promise<void> {
	const { page } = editor;
	await page.goto(new URL(`home/credentials/${demo.credentialId}`, demo.n8n.url).href);
	const dialog = page.getByRole('dialog').filter({ hasText: 'Enmeshed Backbone API' });
	await dialog.getByText('Connection tested successfully').waitFor();
	const title = dialog.getByText('Sandbox Backbone').first();
	const retry = await boxOf(dialog.getByText('Retry', { exact: true }));
	const menu = await boxOf(dialog.getByText('Connection', { exact: true }).first());
	const x = menu.x - 30;
	// The form continues below; the picture ends between two fields.
	const around = [title, dialog.getByPlaceholder('e.g. customer-service')] as const;
	const width = retry.x + retry.width + 60 - x;
	await editor.shootAround('credential', around, { x, width, margin: 22 });
	await page.goto(demo.n8n.url);
}

/** Wallet after the person has pasted the reference. */
async function walletRequest({ demo, wallet }: Tour): Promise<void> {
	await wallet.open(demo.wallet.url);
	await wallet.pasteCode(await shownReference(demo, showCode));
	await wallet.enter('Given name', 'Ada');
	await wallet.page.locator('body').screenshot({ path: file('demo-wallet') });
}

/** Story of the analyst, with a new person, because the first one may be connected already. */
async function analystStory({ demo, editor, wallet }: Tour): Promise<void> {
	await editor.openWorkflow('6. Enter your name');
	await editor.execute(2);
	await editor.openWorkflow('7. Ask new customers');
	await editor.page.setViewportSize({ width: size.width, height: 3_000 });
	await editor.openNode('Create QR code');
	await editor.pickOwnName(organisation);
	await editor.shootParameters('analyst-form', 'Define Content', 'Add Entry');
	await editor.closeNode();
	await editor.execute(2);

	await wallet.open(demo.wallet.url);
	await wallet.addPerson('Ben');
	await wallet.pasteCode(await shownReference(demo, '7. Ask new customers'));
	await wallet.enter('Given name', 'Ben');
	await wallet.enter('Email address', 'ben@example.com');
	await wallet.enter('Phone number', '+49 6221 123456');
	await wallet.tick('I agree');
	await wallet.page.locator('main').screenshot({ path: file('analyst-wallet') });
	await wallet.press('Share and connect');
	await wallet.untilShown('has to accept the connection now');

	await editor.openWorkflow('8. Greet new customers');
	await editor.execute(6);
	await editor.shoot('analyst-workflow');
	// Height at which the buttons in the vertical middle of the sides are outside the picture.
	await editor.page.setViewportSize({ width: size.width, height: 1_700 });
	await editor.openNode(/Customer/);
	const { x } = await editor.parameters();
	const clip = { x, y: 66, width: size.width - 26 - x, height: 684 };
	await editor.shoot('analyst-answers', clip);
	await editor.closeNode();
	await wallet.openMail('Welcome, Ben');

	await editor.openWorkflow('5. Tell about a new name');
	await editor.openNode('New name');
	await editor.pickOwnName(organisation);
	await editor.shootParameters('analyst-new-name', 'Resource', 'Add Option');
	await editor.closeNode();
}

/** Agent whose payments a person approves, after a person has entered what its note asks for. */
async function agent({ demo: { n8n, workflows, wallet }, editor }: Tour): Promise<void> {
	const name = '12. An agent that asks before it pays';
	const id = workflows.get(name) ?? '';
	const key = { apiKey: 'none', url: wallet.url, header: false, allowedHttpRequestDomains: 'all' };
	const model = await n8n.createCredential(key, 'Model', 'openAiApi');
	const { nodes, connections } = (await n8n.api('GET', `/workflows/${id}`)) as Workflow;
	const to = { __rl: true, mode: 'address', value: 'did:e:localhost:dids:0123456789abcdef012345' };
	const entered: Readonly<Record<string, object>> = {
		Model: { credentials: { openAiApi: { id: model, name: 'Model' } } },
		'Ask the person': { parameters: { to } },
	};
	await n8n.updateWorkflow(id, {
		name,
		nodes: (nodes as Array<{ name: string }>).map((node) => ({ ...node, ...entered[node.name] })),
		connections,
	});
	await editor.page.setViewportSize({ width: size.width, height: 1_000 });
	await editor.openWorkflow(name);
	await editor.shoot('agent');
}

/** Pictures in an order in which each finds the data that it shows. */
export const shots: Readonly<Record<string, (tour: Tour) => Promise<void>>> = {
	nodePanel,
	templateForm,
	executedOnboarding,
	credential,
	walletRequest,
	analystStory,
	loginExample,
	formExample,
	consentExample,
	waitingPage,
	agent,
};
