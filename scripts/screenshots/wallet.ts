import type { Page } from 'playwright-core';

/** The demo wallet, used by mouse and keyboard only. */
export class Wallet {
	constructor(readonly page: Page) {}

	async open(url: string): Promise<void> {
		await this.page.goto(url);
		await this.untilShown('Hello');
	}

	async untilShown(text: string): Promise<void> {
		await this.page.getByText(text).first().waitFor({ timeout: 90_000 });
	}

	async show(tab: 'Home' | 'Contacts' | 'Mails' | 'My data'): Promise<void> {
		await this.page.getByRole('navigation').getByRole('button', { name: tab }).click();
	}

	/** @param reference absent: what was copied */
	async pasteCode(reference?: string): Promise<void> {
		await this.show('Home');
		await this.page.getByLabel('Link or reference').click();
		if (reference === undefined) await this.page.keyboard.press('Control+v');
		else await this.page.keyboard.insertText(reference);
		await this.press('Open');
	}

	/** Replaces the text of a field, which may have a suggestion. */
	async enter(label: string, text: string): Promise<void> {
		await this.page.getByLabel(label, { exact: true }).click({ clickCount: 3 });
		await this.page.keyboard.type(text);
	}

	async tick(label: string): Promise<void> {
		await this.page.getByLabel(label).click();
	}

	async press(button: string): Promise<void> {
		await this.page.getByRole('button', { name: button, exact: true }).click();
	}

	async addPerson(name: string): Promise<void> {
		await this.press('New person');
		await this.enter('Name of the new person', name);
		await this.press('Save');
		await this.untilShown(`Hello ${name}`);
	}

	/** Chooses a person in the list by typing the name, as a keyboard does in a list of names. */
	async choosePerson(name: string): Promise<void> {
		await this.page.getByLabel('Person', { exact: true }).selectOption({ label: name });
		await this.show('Home');
		await this.untilShown(`Hello ${name}`);
	}

	/** Waits for a request of a contact, and opens it. Returns the first value that it shows. */
	async openRequest(title: string): Promise<string> {
		await this.show('Home');
		const request = this.page.getByRole('button', { name: title });
		await request.waitFor({ timeout: 90_000 });
		await request.click();
		return await this.page.locator('dd').first().innerText();
	}

	/** Waits for a mail that is not read yet, and opens it. */
	async openMail(subject: string): Promise<void> {
		await this.show('Mails');
		const unread = this.page.getByRole('listitem').filter({ hasText: 'New.' });
		const mail = unread.filter({ hasText: subject }).first();
		await mail.waitFor({ timeout: 90_000 });
		await mail.click();
	}

	/** Writes an answer to the open mail, which {@link press} sends. */
	async answer(text: string): Promise<void> {
		await this.press('Reply');
		await this.enter('Text', text);
	}
}
