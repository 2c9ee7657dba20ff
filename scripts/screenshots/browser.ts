import { chromium, selectors, type BrowserContext } from 'playwright-core';

import { owner } from '../n8n/environment';

const size = { width: 1440, height: 1180 };

/** A signed-in browser for which nothing but this machine exists. */
export async function openBrowser(n8nUrl: string): Promise<BrowserContext> {
	selectors.setTestIdAttribute('data-test-id');
	const { default: packaged } = await import('@sparticuz/chromium');
	const browser = await chromium.launch({
		executablePath: await packaged.executablePath(),
		args: packaged.args,
		headless: true,
	});
	const context = await browser.newContext({
		viewport: size,
		deviceScaleFactor: 2,
		colorScheme: 'light',
		locale: 'en-GB',
	});
	await context.route(
		(url) => !['127.0.0.1', 'localhost'].includes(url.hostname),
		(route) => route.abort(),
	);
	await context.request.post(`${n8nUrl}/rest/login`, {
		data: { emailOrLdapLoginId: owner.email, password: owner.password },
	});
	return context;
}
