import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Browser } from 'playwright-core';
import { launchVisitorBrowser, useTestIds } from '../../screenshots/browser';
import { withRunningDemo, type PrintedAddresses } from '../running-demo';
import { Builder } from './builder';
import { EffortCounter, type Effort } from './effort';
import { CustomerSystem } from './programs';
import { understand, type Scene } from './sentences';
import { readStories, type Story } from './text';
import { People } from './visitor';

const projectRoot = join(__dirname, '..', '..', '..');
const text = join(projectRoot, 'docs', 'stories.md');
const pictures = join(projectRoot, '.tmp', 'stories');
const viewport = { width: 1440, height: 1000 };
/** Longest time for one click or one result. */
const patienceMs = 60_000;

interface Outcome {
	readonly story: Story;
	readonly effort: Effort;
	/** undefined after a success */
	readonly problem: string | undefined;
}

/**
 * `npm run stories [-- --only <n>]`: carries out every sentence of docs/stories.md by mouse in a real
 * browser, and prints clicks, filled fields and seconds of each story. Fails at a sentence without
 * a meaning before anything starts, and after all stories if the result of one is missing.
 */
async function main(): Promise<void> {
	const { values } = parseArgs({ options: { only: { type: 'string' } } });
	const all = readStories(readFileSync(text, 'utf8'));
	for (const sentence of all.flatMap(({ sentences }) => sentences)) understand(sentence);
	const wanted = all.filter(
		({ number }) => values.only === undefined || number === Number(values.only),
	);
	if (wanted.length === 0) throw new Error(`docs/stories.md has no story ${values.only}`);
	mkdirSync(pictures, { recursive: true });
	const outcomes = await withRunningDemo((addresses) => playAll(wanted, addresses));
	console.log(`\n${tableOf(outcomes)}`);
	if (outcomes.some(({ problem }) => problem !== undefined)) process.exitCode = 1;
}

async function playAll(stories: readonly Story[], addresses: PrintedAddresses) {
	useTestIds();
	const browser = await launchVisitorBrowser();
	const customers = await CustomerSystem.open();
	try {
		const outcomes: Outcome[] = [];
		const scene = await openScene(browser, addresses, customers);
		for (const story of stories) outcomes.push(await play(story, scene));
		return outcomes;
	} finally {
		await browser.close();
		await customers.close();
	}
}

async function openScene(
	browser: Browser,
	addresses: PrintedAddresses,
	customers: CustomerSystem,
): Promise<Scene> {
	const context = await browser.newContext({ viewport, locale: 'en-GB' });
	await context.grantPermissions(['clipboard-read', 'clipboard-write']);
	context.setDefaultTimeout(patienceMs);
	const effort = new EffortCounter();
	const page = await context.newPage();
	await effort.watch(page);
	const builder = new Builder(page, effort);
	await builder.editor.enterLogin(addresses.n8n, addresses.email, addresses.password);
	await builder.editor.signIn();
	const people = await People.open(context, addresses.wallet);
	return { addresses, builder, people, customers, effort };
}

async function play(story: Story, scene: Scene): Promise<Outcome> {
	console.log(`\n${story.number}. ${story.title}`);
	await scene.builder.page.goto(scene.addresses.n8n);
	for (const sentence of story.sentences) {
		try {
			await understand(sentence)(scene);
		} catch (error) {
			for (const [index, page] of scene.builder.page.context().pages().entries()) {
				const path = join(pictures, `${story.number}-page-${index + 1}.png`);
				await page.screenshot({ path }).catch(() => undefined);
			}
			console.error(error);
			const problem = `docs/stories.md:${sentence.line}: ${sentence.text}`;
			return { story, effort: scene.effort.take(), problem };
		}
		console.log(`  ${sentence.text}`);
	}
	return { story, effort: scene.effort.take(), problem: undefined };
}

function tableOf(outcomes: readonly Outcome[]): string {
	const rows = outcomes.map(({ story, effort, problem }) => {
		const { clicks, fields, seconds } = effort;
		const name = `${story.number}. ${story.title}`;
		return `| ${[name, clicks, fields, seconds, problem ?? 'done'].join(' | ')} |`;
	});
	return [
		'| Story | Clicks | Fields | Seconds | Result |',
		'| --- | --- | --- | --- | --- |',
		...rows,
	].join('\n');
}

main().then(
	() => process.exit(),
	(error: unknown) => {
		console.error(error instanceof Error ? error.message : error);
		process.exit(1);
	},
);
