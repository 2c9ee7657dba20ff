import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { size } from './browser';

const images = join(__dirname, '..', '..', 'docs', 'images');

/** Picture of the documentation. */
export const file = (name: string): string => join(images, `${name}.png`);

export interface Box {
	readonly x: number;
	readonly y: number;
	readonly width: number;
	readonly height: number;
}

export async function boxOf(locator: Locator): Promise<Box> {
	const box = await locator.boundingBox();
	if (box === null) throw new Error(`There is nothing to see of ${String(locator)}`);
	return box;
}

/** The editor of n8n, used by mouse and keyboard only. */
export class Editor {
	constructor(readonly page: Page) {}

	async enterLogin(url: string, email: string, password: string): Promise<void> {
		await this.page.goto(url);
		await this.page.getByLabel('Email').click();
		await this.page.keyboard.type(email);
		await this.page.getByLabel('Password').click();
		await this.page.keyboard.type(password);
	}

	async signIn(): Promise<void> {
		await this.page.getByRole('button', { name: 'Sign in' }).click();
		await this.untilShown('1. Show a QR code');
	}

	async untilShown(text: string): Promise<void> {
		await this.page.getByText(text).first().waitFor({ timeout: 90_000 });
	}

	/** Opens a workflow from the list of the overview. */
	async openWorkflow(name: string): Promise<void> {
		await this.openOverview();
		await this.page.getByTestId('workflow-card-name').filter({ hasText: name }).click();
		await this.page.getByTestId('canvas-node').first().waitFor();
	}

	/** Opens a table from the tab of the overview. */
	async openDataTable(name: string): Promise<void> {
		await this.openOverview();
		await this.page.getByTestId('tab-data-tables').click();
		await this.page.getByTestId('data-table-card-name').filter({ hasText: name }).click();
		await this.page.getByTestId('data-table-grid').waitFor();
	}

	async openExecutions(): Promise<void> {
		await this.page.getByTestId('radio-button-executions').click();
		await this.page.getByTestId('execution-preview-label').first().waitFor();
	}

	/** Presses 'Execute workflow', and waits until the given number of nodes is done. */
	async execute(nodes: number): Promise<void> {
		await this.page.getByTestId('execute-workflow-button').first().click();
		await this.untilDone(nodes);
	}

	async untilDone(nodes: number): Promise<void> {
		const done = this.page.getByTestId('canvas-node-status-success');
		await done.nth(nodes - 1).waitFor();
	}

	/** Starts a run that listens at the test address of a trigger. */
	async listen(trigger: string): Promise<void> {
		await this.node(trigger).hover();
		await this.page.getByTestId(`execute-workflow-button-${trigger}`).click();
		await this.settle();
	}

	/** Waits for animations and images to finish, with the pointer away from what reacts to it. */
	async settle(): Promise<void> {
		await this.page.mouse.move(size.width - 1, 1);
		await this.page.waitForTimeout(1_500);
	}

	/** Takes a picture, of a part or of all, while the window has another size. */
	async shoot(name: string, clip?: Box): Promise<void> {
		await this.settle();
		// The editor draws slowly after a run.
		const patience = { animations: 'disabled', timeout: 180_000 } as const;
		await this.page.screenshot({ path: file(name), ...patience, ...(clip && { clip }) });
		await this.page.setViewportSize(size);
	}

	/** Takes a picture from the first to the last of the elements. */
	async shootAround(
		name: string,
		[first, last]: readonly [Locator, Locator],
		{ x, width, margin }: { readonly x: number; readonly width: number; readonly margin: number },
	): Promise<void> {
		await this.settle();
		const top = await boxOf(first);
		const bottom = await boxOf(last);
		const y = Math.max(0, top.y - margin);
		await this.shoot(name, { x, y, width, height: bottom.y + bottom.height + margin - y });
	}

	/** Column of parameters in an open node. */
	async parameters(): Promise<{ readonly x: number; readonly width: number }> {
		const ndv = this.page.getByTestId('ndv');
		const tab = await boxOf(ndv.getByText('Parameters', { exact: true }).first());
		const button = await boxOf(ndv.getByTestId('node-execute-button'));
		const x = tab.x - 20;
		return { x, width: button.x + button.width + 12 - x };
	}

	/** Takes a picture of the parameters from one label to another. */
	async shootParameters(name: string, first: string, last: string): Promise<void> {
		const ndv = this.page.getByTestId('ndv');
		// A field for further options has its label inside.
		const label = (text: string): Locator =>
			ndv.getByText(text, { exact: true }).or(ndv.getByPlaceholder(text)).first();
		const column = { ...(await this.parameters()), margin: 10 };
		await this.shootAround(name, [label(first), label(last)], column);
	}

	/** Executes from a form, which opens in a window. */
	async executeForm(trigger: string): Promise<Page> {
		const opened = this.page.waitForEvent('popup');
		await this.listen(trigger);
		return await opened;
	}

	async publish(): Promise<void> {
		await this.page.getByTestId('workflow-open-publish-modal-button').click();
		await this.page.getByTestId('workflow-publish-button').click();
		await this.page.getByRole('button', { name: 'Got it' }).click();
	}

	node(name: string | RegExp): Locator {
		return this.page.getByTestId('canvas-node').filter({ hasText: name }).first();
	}

	async openNode(name: string | RegExp): Promise<void> {
		await this.node(name).dblclick();
		await this.page.getByTestId('ndv').waitFor();
	}

	async closeNode(): Promise<void> {
		await this.page.keyboard.press('Escape');
		await this.page.getByTestId('ndv').waitFor({ state: 'hidden' });
	}

	/** Picks the own name in the list of own attributes. */
	async pickOwnName(name: string): Promise<void> {
		await this.page.getByTestId('resource-locator-attribute').getByTestId('rlc-input').click();
		await this.page
			.getByTestId('rlc-item')
			.filter({ hasText: `Display Name: ${name}` })
			.first()
			.click();
	}

	/** Shows the output of the open node as a table, and copies the value under `link`. */
	async copyLink(): Promise<void> {
		const output = this.page.getByTestId('output-panel');
		await output.getByText('Table', { exact: true }).click();
		await output
			.getByText(/^https?:/)
			.first()
			.click({ clickCount: 3 });
		await this.page.keyboard.press('Control+c');
	}

	private async openOverview(): Promise<void> {
		await this.page.getByTestId('project-home-menu-item').first().click();
	}
}
