import type { Locator, Page } from 'playwright-core';

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
		const done = this.page.getByTestId('canvas-node-status-success');
		await done.nth(nodes - 1).waitFor();
	}

	/** Presses 'Execute workflow' of a workflow that begins with a form, which opens in a window. */
	async executeForm(): Promise<Page> {
		const opened = this.page.waitForEvent('popup');
		await this.page.getByTestId('execute-workflow-button').first().click();
		return await opened;
	}

	async publish(): Promise<void> {
		await this.page.getByTestId('workflow-open-publish-modal-button').click();
		await this.page.getByTestId('workflow-publish-button').click();
		await this.page.getByRole('button', { name: 'Got it' }).click();
	}

	async unpublish(): Promise<void> {
		await this.page.getByTestId('version-menu-button').click();
		await this.page.getByText('Unpublish', { exact: true }).first().click();
		await this.page.getByRole('button', { name: 'Unpublish' }).click();
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

	async showPicture(): Promise<void> {
		await this.page.getByTestId('ndv-view-binary-data').click();
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
