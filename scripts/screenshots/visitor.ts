import type { Browser, BrowserContextOptions, Page } from 'playwright-core';

import type { Peer } from '../../test/support/peer/peer';

/** n8n takes the usual name of a browser without a window for a robot. */
const userAgent =
	'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0 Safari/537.36';

/** Opens the address as a visitor who has not been there before. */
export async function visit(
	browser: Browser,
	url: string,
	options: BrowserContextOptions = {},
): Promise<Page> {
	const context = await browser.newContext({ locale: 'en-GB', userAgent, ...options });
	const page = await context.newPage();
	await page.goto(url);
	return page;
}

/** Fills in and submits the form of the example, and waits for the page with the QR code. */
export async function submitForm(page: Page, wish: string): Promise<void> {
	await page.getByRole('combobox').selectOption(wish);
	await page.getByRole('button', { name: 'Submit' }).click();
	await page.getByText('Waiting for your answer').waitFor();
}

const attributes: Readonly<Record<string, string>> = {
	GivenName: 'Ada',
	EMailAddress: 'ada@example.com',
};

/** The wallet opens the link of the page and shares what the request asks for. */
export async function answerPage(page: Page, wallet: Peer): Promise<void> {
	const link = await page.getByRole('link', { name: 'Open in the app' }).getAttribute('href');
	await answerLink(String(link), wallet);
}

/** The wallet opens a link and agrees to all of it, except to share what the person does not have. */
export async function answerLink(link: string, wallet: Peer): Promise<void> {
	// The relationship of an earlier visit may have been accepted meanwhile.
	await wallet.sync();
	const request = await wallet.receiveRequest(link);
	const { items } = request['content'] as { items: Array<{ query?: { valueType: string } }> };
	const answers = items.map(({ query }) => {
		if (query === undefined) return { accept: true };
		const value = { '@type': query.valueType, value: attributes[query.valueType] };
		if (value.value === undefined) return { accept: false };
		const newAttribute = { '@type': 'IdentityAttribute', owner: wallet.address, value };
		return { accept: true, newAttribute };
	});
	await wallet.acceptRequest(request.id, answers);
}
