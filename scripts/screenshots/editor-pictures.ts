import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';

import type { Demo } from '../start/demo';

const images = join(__dirname, '..', '..', 'docs', 'images');

/** Picture of the documentation. */
export const file = (name: string): string => join(images, `${name}.png`);

/** Waits for animations and images to finish. */
export const settle = (page: Page): Promise<void> => page.waitForTimeout(1_500);

export interface Box {
	readonly x: number;
	readonly y: number;
	readonly width: number;
	readonly height: number;
}

export async function boxOf(locator: Locator): Promise<Box> {
	const box = await locator.boundingBox();
	if (box === null) throw new Error(`nothing to see of ${String(locator)}`);
	return box;
}

/** Takes a picture from the first to the last of the elements. */
export async function shootAround(
	page: Page,
	name: string,
	[first, last]: readonly [Locator, Locator],
	{ x, width, margin }: { readonly x: number; readonly width: number; readonly margin: number },
): Promise<void> {
	const top = await boxOf(first);
	const bottom = await boxOf(last);
	const y = Math.max(0, top.y - margin);
	const height = bottom.y + bottom.height + margin - y;
	await page.screenshot({ path: file(name), clip: { x, y, width, height } });
}

export async function openWorkflow(page: Page, demo: Demo, name: string): Promise<void> {
	await page.goto(`${demo.n8n.url}/workflow/${demo.workflows.get(name)}`);
	await page.getByTestId('canvas-node').first().waitFor();
	await settle(page);
}

/** Presses 'Execute workflow' and waits until the given number of nodes is done. */
export async function execute(page: Page, nodes: number): Promise<void> {
	await page.getByTestId('execute-workflow-button').first().click();
	await page
		.getByTestId('canvas-node-status-success')
		.nth(nodes - 1)
		.waitFor();
	await settle(page);
}

export async function openNode(page: Page, name: string | RegExp): Promise<void> {
	await page.getByTestId('canvas-node').filter({ hasText: name }).first().dblclick();
	await page.getByTestId('ndv').waitFor();
}
