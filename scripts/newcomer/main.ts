import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { launchVisitorBrowser, useTestIds } from '../screenshots/browser';
import { Editor } from '../screenshots/editor';
import { Wallet } from '../screenshots/wallet';
import { Screens } from './screens';
import { stories, type PrintedAddresses } from './stories';

const projectRoot = join(__dirname, '..', '..');
const viewport = { width: 1440, height: 900 };

/**
 * `npm run newcomer`: does what the README says, by mouse and keyboard in a real browser, from `npm
 * start -- --reset` to the table of customers, and then its story with two people in one wallet.
 * The pictures of all screens are in docs/images/newcomer. Fails if a step is a dead end, or a
 * screen shows a label that is cut off, or an id where a name could stand.
 */
async function main(): Promise<void> {
	const start = spawn('npm', ['start', '--', '--reset'], {
		cwd: projectRoot,
		stdio: ['ignore', 'pipe', 'inherit'],
		detached: true,
	});
	const ended = once(start, 'exit');
	const addresses = await readAddresses(createInterface({ input: start.stdout }));
	start.stdout.resume();
	const browser = await launchVisitorBrowser();
	const screens = new Screens();
	try {
		useTestIds();
		const context = await browser.newContext({ viewport, locale: 'en-GB' });
		await context.grantPermissions(['clipboard-read', 'clipboard-write']);
		const editor = new Editor(await context.newPage());
		const wallet = new Wallet(await context.newPage());
		for (const story of stories) {
			await story({ addresses, editor, wallet, screens }).catch(async (error: unknown) => {
				await screens.take(editor, 'failed-n8n');
				await screens.take(wallet, 'failed-wallet');
				throw error;
			});
		}
	} finally {
		await browser.close();
		// Ctrl-C
		process.kill(-Number(start.pid), 'SIGINT');
		await ended;
	}
	for (const { screen, what } of screens.findings) console.error(`${screen}: ${what}`);
	if (screens.findings.length > 0) process.exitCode = 1;
}

/** Reads what `npm start` prints until it says how to stop it. */
async function readAddresses(lines: AsyncIterable<string>): Promise<PrintedAddresses> {
	let printed = '';
	for await (const line of lines) {
		console.log(line);
		printed += `${line}\n`;
		if (line.startsWith('Ctrl-C')) break;
	}
	const [, n8n, email, password] =
		/^\s*n8n\s+(\S+)\s+\(sign in as (\S+) with (\S+)\)$/m.exec(printed) ?? [];
	const [, wallet] = /^\s*demo wallet\s+(\S+)$/m.exec(printed) ?? [];
	if (n8n === undefined || email === undefined || password === undefined || wallet === undefined) {
		throw new Error('npm start has ended without printing the addresses');
	}
	return { n8n, wallet, email, password };
}

main().then(
	() => process.exit(),
	(error: unknown) => {
		console.error(error);
		process.exit(1);
	},
);
