import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

import { startDemo } from '../start/demo';
import { openBrowser } from './browser';
import { shots } from './shots';

const projectRoot = join(__dirname, '..', '..');

/** Takes the pictures of docs/images from a running n8n; arguments select some of them by name. */
async function main(wanted: readonly string[]): Promise<void> {
	mkdirSync(join(projectRoot, 'docs', 'images'), { recursive: true });
	const demo = await startDemo({
		say: (line) => console.log(line),
		signal: new AbortController().signal,
		folder: join(projectRoot, '.tmp', 'screenshots'),
	});
	try {
		const context = await openBrowser(demo.n8n.url);
		const page = await context.newPage();
		page.setDefaultTimeout(30_000);
		for (const [name, take] of Object.entries(shots)) {
			if (wanted.length > 0 && !wanted.includes(name)) continue;
			console.log(`Taking ${name} …`);
			await take(page, demo).catch(async (error: unknown) => {
				console.error(error);
				await page.screenshot({ path: join(projectRoot, '.tmp', `failed-${name}.png`) });
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
