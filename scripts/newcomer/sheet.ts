import { readdirSync, readFileSync } from 'node:fs';
import { launchVisitorBrowser } from '../screenshots/browser';
async function main() {
	const b = await launchVisitorBrowser();
	const dir = process.argv[2]!;
	const per = Number(process.argv[3] ?? 6);
	const only = process.argv[4] ? new RegExp(process.argv[4]) : /./;
	const files = readdirSync(dir).filter((f) => f.endsWith('.png') && only.test(f)).sort();
	const p = await (await b.newContext({ viewport: { width: 1520, height: 1000 } })).newPage();
	for (let i = 0; i < files.length; i += per) {
		const html = files.slice(i, i + per).map((f) => `<figure style="margin:4px;display:inline-block;vertical-align:top"><figcaption>${f}</figcaption><img style="max-width:740px;max-height:900px;border:1px solid #888" src="data:image/png;base64,${readFileSync(dir + '/' + f).toString('base64')}"></figure>`).join('');
		await p.setContent(`<body style="margin:0">${html}</body>`);
		await p.waitForTimeout(300);
		await p.screenshot({ path: `/tmp/sheet/sheet-${i / per}.png`, fullPage: true });
	}
	await b.close();
}
main().then(() => process.exit());
