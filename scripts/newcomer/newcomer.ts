import { selectors, type Browser } from 'playwright-core';

import { Editor } from './editor';
import type { PrintedAddresses } from './running-start';
import type { Screens } from './screens';
import { Wallet } from './wallet';

/** A person with two tabs, one for n8n and one for the demo wallet. */
export interface Newcomer {
	readonly addresses: PrintedAddresses;
	readonly editor: Editor;
	readonly wallet: Wallet;
	readonly screens: Screens;
}

const viewport = { width: 1440, height: 900 };

/** Opens the two tabs in one window, which shares the clipboard. */
export async function openTabs(
	browser: Browser,
	addresses: PrintedAddresses,
	screens: Screens,
): Promise<Newcomer> {
	selectors.setTestIdAttribute('data-test-id');
	const context = await browser.newContext({ viewport, locale: 'en-GB' });
	await context.grantPermissions(['clipboard-read', 'clipboard-write']);
	const editor = new Editor(await context.newPage());
	const wallet = new Wallet(await context.newPage());
	return { addresses, editor, wallet, screens };
}
