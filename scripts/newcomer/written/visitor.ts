import { Buffer } from 'node:buffer';
import type { BrowserContext, Page } from 'playwright-core';
import { Wallet } from '../../screenshots/wallet';

/** The people of the stories: all have the same demo wallet, and one browser for pages of others. */
export class People {
	private readonly wallet: Wallet;
	private readonly known = new Set<string>();
	private chosen = '';
	private visited: Page | undefined;

	private constructor(
		private readonly context: BrowserContext,
		page: Page,
	) {
		this.wallet = new Wallet(page);
	}

	static async open(context: BrowserContext, walletUrl: string): Promise<People> {
		const people = new People(context, await context.newPage());
		await people.wallet.open(walletUrl);
		const names = await people.wallet.page.getByLabel('Person', { exact: true }).innerText();
		for (const name of names.split('\n')) people.known.add(name.trim());
		return people;
	}

	/** Wallet of a person, who is new at first. */
	async as(name: string): Promise<Wallet> {
		if (this.known.has(name)) {
			if (this.chosen !== name) await this.wallet.choosePerson(name);
		} else {
			await this.wallet.addPerson(name);
			this.known.add(name);
		}
		this.chosen = name;
		return this.wallet;
	}

	/** Page that a visitor has opened last. */
	get page(): Page {
		if (this.visited === undefined) throw new Error('No page was opened before');
		return this.visited;
	}

	/** Opens a page with a QR code, and the code in the wallet of a person. */
	async scan(name: string, url: string): Promise<void> {
		await this.visited?.close();
		this.visited = await this.context.newPage();
		await this.visited.goto(url);
		const link = this.visited.getByRole('link', { name: 'Open in the app' });
		const code = await link.getAttribute('href');
		await (await this.as(name)).pasteCode(String(code));
	}

	/** Connects a person by a code, unless that has happened. */
	async connect(name: string, showCode: () => Promise<string>): Promise<void> {
		const wallet = await this.as(name);
		await wallet.show('Contacts');
		if (await wallet.page.getByText('Connected').first().isVisible()) return;
		await wallet.pasteCode(await showCode());
		await wallet.enter('Given name', name);
		await wallet.enter('Email address', `${name.toLowerCase()}@example.com`);
		await wallet.press('Share and connect');
		await wallet.show('Contacts');
		await wallet.untilShown('Connected');
	}

	async writeMail(name: string, subject: string, fileNames: readonly string[]): Promise<void> {
		const wallet = await this.as(name);
		await wallet.show('Mails');
		await wallet.press('Write a mail');
		await wallet.enter('Subject', subject);
		await wallet.enter('Text', `${subject}, as a file.`);
		const files = fileNames.map((file) => ({
			name: file,
			mimeType: 'text/plain',
			buffer: Buffer.from(`Contents of ${file}`),
		}));
		await wallet.page.getByLabel('Attachments').setInputFiles(files);
		await wallet.press('Send');
	}

	async readMail(name: string, subject: string, fileNames: readonly string[]): Promise<void> {
		const wallet = await this.as(name);
		await wallet.openMail(subject);
		for (const file of fileNames) await wallet.untilShown(file);
	}

	async consent(name: string, title: string, box: string, button: string): Promise<void> {
		const wallet = await this.as(name);
		await wallet.show('Home');
		await wallet.page.getByRole('button', { name: title }).click();
		await wallet.page.getByLabel(box).check();
		await wallet.press(button);
		await wallet.untilShown('has your answer');
	}
}
