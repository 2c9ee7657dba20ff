import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';

const images = join(__dirname, '..', '..', 'docs', 'images', 'newcomer');

/** Time for animations and pictures of a page to finish. */
const settleMs = 1_200;

/** Runs in the page, and returns the shown labels, tabs, titles and buttons with their texts. */
const labelsOfPage = `
	[...document.querySelectorAll('label, button, a, [role=tab], h1, h2, h3, legend, th')]
		.filter((element) => {
			const { width, top, bottom } = element.getBoundingClientRect();
			return width > 0 && top >= 0 && bottom <= innerHeight;
		})
		.map((element) => ({
			text: element.innerText ?? '',
			isCutOff: [element, ...element.querySelectorAll('*')].some(
				(part) =>
					[...part.childNodes].some(({ nodeType }) => nodeType === Node.TEXT_NODE) &&
					getComputedStyle(part).overflowX !== 'visible' &&
					part.clientWidth > 1 && // texts for screen readers are that small
					part.scrollWidth > part.clientWidth + 1,
			),
		}))
`;

interface Label {
	readonly text: string;
	readonly isCutOff: boolean;
}

/** Ids of the protocol, and addresses, in the place of names. */
const rawId = /did:e:|\b(REL|REQ|ATT|RLT|MSG|FIL|TOK)[A-Za-z0-9]{12,}/;

/** Label on a screen that a person cannot read, or should not have to. */
export interface Finding {
	readonly screen: string;
	readonly what: string;
}

/** Pictures of the screens of a story, numbered in its order, and what is wrong on them. */
export class Screens {
	readonly findings: Finding[] = [];
	private readonly started = performance.now();
	private count = 0;

	constructor() {
		rmSync(images, { recursive: true, force: true });
		mkdirSync(images, { recursive: true });
	}

	/** Takes the picture of a screen. */
	async take({ page }: { readonly page: Page }, name: string): Promise<void> {
		this.count += 1;
		const screen = `${String(this.count).padStart(2, '0')}-${name}`;
		await page.waitForTimeout(settleMs);
		await page.screenshot({ path: join(images, `${screen}.png`) });
		const labels = await page.evaluate<Label[]>(labelsOfPage);
		const wrong = labels.flatMap(({ text, isCutOff }) => [
			...(isCutOff ? [`cut off: ${text}`] : []),
			...(rawId.test(text) ? [`id instead of a name: ${text}`] : []),
		]);
		this.findings.push(...[...new Set(wrong)].map((what) => ({ screen, what })));
		const seconds = Math.round((performance.now() - this.started) / 1_000);
		console.log(`  ${screen}, ${seconds} s after the start`);
	}
}
