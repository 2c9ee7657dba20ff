import { join } from 'node:path';

import { startDemo } from '../start/demo';
import { openBrowser } from './browser';
import { Editor } from './editor';
import { shots } from './shots';
import { Wallet } from './wallet';

const projectRoot = join(__dirname, '..', '..');

/** Takes the pictures of docs/images from a running n8n; arguments select some of them by name. */
async function main(wanted: readonly string[]): Promise<void> {
	const demo = await startDemo({
		say: (line) => console.log(line),
		signal: new AbortController().signal,
		folder: join(projectRoot, '.tmp', 'screenshots'),
	});
	try {
		const context = await openBrowser(demo.n8n.url);
		const editor = new Editor(await context.newPage());
		const wallet = new Wallet(await context.newPage());
		for (const { page } of [editor, wallet]) page.setDefaultTimeout(30_000);
		await editor.page.goto(demo.n8n.url);
		for (const [name, take] of Object.entries(shots)) {
			if (wanted.length > 0 && !wanted.includes(name)) continue;
			console.log(`Taking ${name} …`);
			await take({ demo, editor, wallet }).catch(async (error: unknown) => {
				console.error(error);
				const path = join(projectRoot, '.tmp', `failed-${name}.png`);
				await editor.page.screenshot({ path });
				process.exitCode = 1;
			});
		}
		await context.browser()?.close();
	} finally {
		await demo.close();
	}
}

main(process.argv.slice(2)).then(
	() => process.exit(),
	(error: unknown) => {
		console.error(error);
		process.exit(1);
	},
);
