import { execFileSync } from 'node:child_process';
import { chromium, selectors, type Browser, type BrowserContext } from 'playwright-core';

import { owner } from '../n8n/environment';

/** n8n names its parts by another attribute than Playwright. */
export const useTestIds = (): void => selectors.setTestIdAttribute('data-test-id');

export const size = { width: 1440, height: 1180 };

/** Signed-in browser that can reach this machine only. */
export async function openBrowser(n8nUrl: string): Promise<BrowserContext> {
	useTestIds();
	const browser = await chromium.launch({ ...browserProgram(), headless: true });
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

/** Arguments with which the packaged Chromium differs from the browser of a visitor. */
const unusual = [
	'--allow-running-insecure-content',
	'--disable-site-isolation-trials',
	'--disable-web-security',
	'--no-zygote',
	'--single-process',
];

/** Browser that enforces the rules between origins, as browsers of visitors do. */
export async function launchVisitorBrowser(): Promise<Browser> {
	const { args, ...program } = browserProgram();
	const usual = args.filter((argument) => !unusual.includes(argument));
	return await chromium.launch({ ...program, args: usual, headless: true });
}

const packageQuestion = `
	const { default: packaged } = await import('@sparticuz/chromium');
	const executablePath = await packaged.executablePath();
	console.log(JSON.stringify({ executablePath, args: packaged.args }));
`;

interface BrowserProgram {
	readonly executablePath?: string;
	readonly channel?: 'chrome';
	readonly args: string[];
}

/** The packaged Chromium, or the installed Chrome where the package has no program. */
function browserProgram(): BrowserProgram {
	const isPackaged = process.platform === 'linux' && process.arch === 'x64';
	return isPackaged ? packagedChromium() : { channel: 'chrome', args: [] };
}

/** Runs in a separate process, because the package is an ES module, which jest does not load. */
function packagedChromium(): BrowserProgram {
	const ask = ['--input-type=module', '--eval', packageQuestion];
	const answer = execFileSync(process.execPath, ask, { cwd: __dirname, encoding: 'utf8' });
	return JSON.parse(answer) as BrowserProgram;
}
