import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { until } from '../../../test/support/until';
import { Editor } from '../../screenshots/editor';
import type { EffortCounter } from './effort';

const rowPatienceMs = 60_000;
const stories = join(__dirname, '..', '..', '..', 'docs');

/** Text of a label or choice: it may have the mark of a required field, the end of an address, or a name in parentheses. */
const labelled = (text: string): RegExp => {
	const escaped = text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
	return new RegExp(String.raw`^\s*${escaped}(\s*\*|\s…\S+|\s…?\S*\s?\(.*\))?\s*$`);
};

/** A person who builds a workflow in n8n by mouse, and finds everything by what is written on it. */
export class Builder {
	readonly editor: Editor;

	/** Text that was copied last. */
	copied = '';

	constructor(
		readonly page: Page,
		private readonly effort: EffortCounter,
	) {
		this.editor = new Editor(page);
	}

	async openOverview(): Promise<void> {
		await this.page.getByTestId('project-home-menu-item').first().click();
	}

	async openTab(name: string): Promise<void> {
		await this.page.getByTestId('project-tabs').getByText(name, { exact: true }).click();
	}

	async press(text: string): Promise<void> {
		const button = this.page.getByRole('button', { name: text, exact: true });
		await button
			.or(this.page.getByText(text, { exact: true }))
			.or(this.page.getByPlaceholder(text, { exact: true }))
			.filter({ visible: true })
			.last()
			.click();
	}

	/** Adds a node by the panel: to an empty canvas, behind a node, or apart from all others. */
	async add(name: string, place: { action?: string; after?: string; isApart?: true } = {}) {
		await this.plus(place).click();
		await this.page.getByTestId('node-creator-search-bar').fill(name);
		await this.found(name).click();
		if (place.action !== undefined) await this.found(place.action).click();
	}

	/** Takes the first step from the list that the panel shows before anything is typed. */
	async addListed(name: string): Promise<void> {
		await this.plus({}).click();
		await this.found(name).click();
	}

	async openNode(name: string): Promise<void> {
		await this.editor.openNode(name);
	}

	async closeNode(): Promise<void> {
		await this.page.getByTestId('ndv-close-button').click();
		await this.page.getByTestId('ndv').waitFor({ state: 'hidden' });
	}

	async enter(text: string, label: string): Promise<void> {
		const field = 'self::input[not(@readonly)] or self::textarea or contains(@class, "cm-content")';
		await this.behind(label, field).click();
		await this.replace(text);
		// The tip of the field covers the next field until the keyboard leaves it.
		await this.page.keyboard.press('Tab');
	}

	async enterExpression(text: string, label: string): Promise<void> {
		const head = this.label(label);
		await this.pressAbove('Expression', label);
		await this.behind(label, 'contains(@class, "cm-content")').click();
		await this.replace(text);
		// The preview of the result covers the next field until another place is clicked.
		await head.getByText(labelled(label)).first().click();
	}

	/** Enters a text into a field that shows its name until something is entered. */
	async enterIntoEmpty(text: string, name: string): Promise<void> {
		await this.page.getByTestId('ndv').getByPlaceholder(name, { exact: true }).first().click();
		await this.replace(text);
		await this.page.keyboard.press('Tab');
	}

	/** The same with an expression, which an equals sign begins. */
	async enterExpressionIntoEmpty(text: string, name: string): Promise<void> {
		await this.page.getByTestId('ndv').getByPlaceholder(name, { exact: true }).first().click();
		await this.page.keyboard.type('=');
		await this.page.locator('.cm-focused').first().waitFor();
		await this.replace(text);
		// The preview covers the next field until another place is clicked.
		await this.page.getByTestId('ndv').getByText('Parameters', { exact: true }).click();
	}

	async choose(texts: readonly string[], label: string): Promise<void> {
		const part = this.behind(label, '@data-test-id="parameter-input"');
		const list = part
			.locator('input:not([type="radio"], [type="checkbox"], [data-test-id="rlc-mode-selector"] *)')
			.first();
		await list.click();
		for (const text of texts) await this.option(text).click();
		this.effort.addField();
		// A list of several choices stays open until another place is clicked.
		if ((await part.locator('.el-select__tags').count()) > 0)
			await this.label(label).getByText(labelled(label)).first().click();
	}

	/** Chooses how a field names something, for example from a list. */
	async chooseMode(text: string, label: string): Promise<void> {
		const part = this.behind(label, '@data-test-id="parameter-input"');
		await part.getByTestId('rlc-mode-selector').click();
		await this.option(text).click();
		this.effort.addField();
	}

	/** Presses what appears above a field while the mouse is there. */
	async pressAbove(text: string, label: string): Promise<void> {
		await this.label(label).hover();
		await this.label(label).getByRole('radio', { name: text }).click();
	}

	async toggle(label: string): Promise<void> {
		const part = this.behind(label, '@data-test-id="parameter-input"');
		await part.getByRole('switch').or(part.locator('.el-switch')).first().click();
		this.effort.addField();
	}

	/** Adds a field from the list of a collection, such as 'Add Option'. */
	async addFrom(list: string, text: string): Promise<void> {
		await this.press(list);
		await this.option(text).click();
	}

	/** @param path of a file below `docs` */
	async chooseFile(button: string, path: string): Promise<void> {
		const [opened] = await Promise.all([this.page.waitForEvent('filechooser'), this.press(button)]);
		await opened.setFiles(join(stories, path));
		this.effort.addField();
	}

	async copyProductionUrl(): Promise<void> {
		const node = this.page.getByTestId('ndv');
		await node.getByText('Webhook URLs').click();
		await node.getByTestId('radio-button-production').click();
		await node.locator('.webhook-url').first().click();
		this.copied = await this.page.evaluate('navigator.clipboard.readText()');
	}

	async publish(): Promise<void> {
		await this.editor.publish();
	}

	async execute(): Promise<void> {
		await this.page.getByTestId('execute-workflow-button').first().click();
	}

	/** Waits until a node has succeeded in the execution that the editor shows. */
	async untilRun(name: string): Promise<void> {
		await this.editor.node(name).getByTestId('canvas-node-status-success').waitFor();
	}

	/** Opens a data table, which shows the rows of that moment, until a row has all of the texts. */
	async untilRow(table: string, texts: readonly string[]): Promise<void> {
		await until(async () => {
			await this.editor.openDataTable(table);
			const rows = await this.page.getByTestId('data-table-grid').getByRole('row').allInnerTexts();
			return rows.some((row) => texts.every((wanted) => row.includes(wanted)));
		}, rowPatienceMs);
	}

	/** @throws Error if the PDF of a node has another number of pages */
	async requirePages(name: string, expected: number): Promise<void> {
		await this.untilRun(name);
		await this.openNode(name);
		const output = this.page.getByTestId('output-panel');
		const [download] = await Promise.all([
			this.page.waitForEvent('download'),
			output.getByTestId('ndv-download-binary-data').first().click(),
		]);
		const pdf = readFileSync(await download.path(), 'latin1');
		const pages = pdf.match(/\/Type \/Page\b/g)?.length ?? 0;
		if (pages !== expected) throw new Error(`The PDF has ${pages} pages`);
	}

	private plus({ after, isApart }: { after?: string; isApart?: true }): Locator {
		if (isApart === true) return this.page.getByTestId('node-creator-plus-button').first();
		if (after === undefined) return this.page.getByTestId('canvas-plus-button');
		return this.editor.node(after).getByTestId('canvas-handle-plus').first();
	}

	/** Entry of the node panel. */
	private found(name: string): Locator {
		return this.page
			.getByTestId('item-iterator-item')
			.filter({ has: this.page.getByTestId('node-creator-item-name').getByText(labelled(name)) })
			.first();
	}

	private option(text: string): Locator {
		return this.page
			.locator('.el-select-dropdown__item, [data-test-id="rlc-item"], [role="menuitem"]')
			.filter({ has: this.page.getByText(labelled(text)) })
			.filter({ visible: true })
			.first();
	}

	/** The last such label on the screen: an entry has its fields behind the fields of the node. */
	private label(text: string): Locator {
		return this.page
			.getByTestId('input-label')
			.filter({ has: this.page.getByText(labelled(text)) })
			.filter({ visible: true })
			.last();
	}

	/** First element of a kind behind the beginning of a label. */
	private behind(label: string, condition: string): Locator {
		return this.label(label).locator(`xpath=(descendant::*|following::*)[${condition}][1]`);
	}

	private async replace(text: string): Promise<void> {
		await this.page.keyboard.press('Control+a');
		await this.page.keyboard.insertText(text);
		this.effort.addField();
	}
}
