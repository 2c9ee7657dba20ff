import { ownText } from '../../../core/model/json';
import { readFileSync } from 'node:fs';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';

import { until } from '../../support/until';
import { contrastsOf } from '../support/contrasts';
import { itemOf, openTab, WalletBench } from './wallet-bench';

jest.setTimeout(120_000);

const pictures = join(__dirname, '..', '..', '..', '.tmp', 'demo-wallet');
const askForName = [{ kind: 'askFor', valueType: 'GivenName', mustBeAccepted: true }];

let bench: WalletBench;
let page: Page;

beforeAll(async () => {
	mkdirSync(pictures, { recursive: true });
	bench = await WalletBench.open();
});

afterAll(async () => {
	await bench?.close();
});

const button = (name: string) => page.getByRole('button', { name, exact: true });

async function openText(text: string): Promise<void> {
	await openTab(page, 'Home');
	await page.getByLabel('Link or reference').fill(text);
	await button('Open').click();
}

async function addressOf(name: string): Promise<string> {
	return (await bench.people()).find((person) => person.name === name)?.address ?? '';
}

/** Answers the open request for a given name, and is accepted. */
async function connect(person: string, name: string): Promise<void> {
	await itemOf(page, 'Given name').getByLabel('Given name').fill(name);
	await button('Share and connect').click();
	await page.getByText('has to accept the connection now').waitFor();
	await bench.acceptPerson(await addressOf(person));
	await openTab(page, 'Contacts');
	await page.getByText('Connected').waitFor();
}

describe('two people', () => {
	it('connect, one by the picture of the code, one by its link', async () => {
		const template = await bench.template(askForName, { options: { maxNumberOfAllocations: 3 } });
		const picture = Buffer.from(await qrCode(template['id']));
		page = await bench.openPage();
		await page.getByLabel('Picture of a QR code').setInputFiles({
			...{ name: 'code.png', mimeType: 'image/png', buffer: picture },
		});
		await connect('Ada', 'Ada');

		await button('New person').click();
		await page.getByLabel('Name of the new person').fill('Grase');
		await button('Save').click();
		await page.getByRole('heading', { name: 'Hello Grase' }).waitFor();
		await button('Rename').click();
		await page.getByLabel('New name in this wallet').fill('Grace');
		await button('Save').click();
		await page.getByRole('heading', { name: 'Hello Grace' }).waitFor();
		await page.goto(String(template['link']));
		await connect('Grace', 'Grace');

		await page.getByLabel('Person').selectOption({ label: 'Ada' });
		await page.getByRole('heading', { name: 'Hello Ada' }).waitFor();
		const contacts = await bench.node.run('contact', 'getAll', {});
		const names = contacts.map(
			({ json }) => (json['attributes'] as { GivenName: string }).GivenName,
		);
		expect(names.sort()).toEqual(['Ada', 'Grace']);
	});

	it('open a code by dropping its picture; a connected person is told so', async () => {
		const template = await bench.template(askForName);
		await dropPicture(await qrCode(template['id']));
		await page
			.getByText(
				'You are connected with Example Organisation already. This code asks for nothing more.',
			)
			.waitFor();
	});

	it('answer a code that asks connected people, too', async () => {
		const consent = { kind: 'askForConsent', consent: 'New terms', mustBeAccepted: true };
		const template = await bench.template([consent], { askConnectedPeers: true });
		await openText(String(template['truncatedReference']));
		await page.getByText('already, and are asked this:').waitFor();
		await page.getByLabel('I agree').click();
		await button('Accept').click();
		await page.getByText('Example Organisation has your answer.').waitFor();
		await until(async () => {
			await bench.node.settle();
			const requests = await bench.node.run('outgoingRequest', 'getAll', {
				filters: {},
				simplify: false,
			});
			return requests.some(
				({ json }) => json['status'] === 'Completed' && JSON.stringify(json).includes('New terms'),
			);
		});
	});

	it('go back from a contact to all contacts by the tab of contacts', async () => {
		await openTab(page, 'Contacts');
		await page.getByRole('button', { name: /^Example Organisation/ }).click();
		await page.getByText('What I shared').waitFor();
		await openTab(page, 'Contacts');
		await page.getByRole('heading', { name: 'Contacts' }).waitFor();
	});

	it('write and receive mails with attachments', async () => {
		await openTab(page, 'Mails');
		await button('Write a mail').click();
		await page.getByLabel('Subject').fill('My papers');
		await page.getByLabel('Text', { exact: true }).fill('Here they are.');
		await page.getByLabel('Attachments').setInputFiles({
			...{ name: 'papers.txt', mimeType: 'text/plain', buffer: Buffer.from('Papers of Ada') },
		});
		await button('Send').click();
		await page.getByText('Sent.').waitFor();
		await page.getByRole('button', { name: /^My papers/ }).waitFor();
		const mail = await receivedMail('My papers');
		expect(mail.content).toMatchObject({ body: 'Here they are.' });
		const [fileId = ''] = mail.attachments;
		const lease = await bench.node.gateway();
		const { content } = await lease.gateway.messages.downloadAttachment(mail.id, fileId);
		expect(Buffer.from(content).toString()).toBe('Papers of Ada');

		const ada = await addressOf('Ada');
		const file = await lease.gateway.files.upload(
			{
				filename: 'reply.txt',
				title: 'Reply',
				mimetype: 'text/plain',
				expiresAt: '2999-01-01T00:00:00.000Z',
			},
			Buffer.from('Thank you'),
		);
		await lease.gateway.messages.send({
			recipients: [ada],
			content: { '@type': 'Mail', to: [ada], subject: 'Received', body: '<b>Thanks</b>' },
			attachments: [file.id],
		});
		lease.release();
		await page.getByRole('button', { name: /^Received New/ }).click();
		await page.getByText('<b>Thanks</b>').waitFor();
		const download = page.waitForEvent('download');
		await page.getByRole('link', { name: 'reply.txt' }).click();
		expect(readFileSync(await (await download).path(), 'utf8')).toBe('Thank you');
		await button('Reply').click();
		expect(await page.getByLabel('Subject').inputValue()).toBe('Re: Received');
		await page.getByLabel('Text', { exact: true }).fill('Bye');
		await button('Send').click();
		await receivedMail('Re: Received');
	});

	it('keep their data, and tell contacts about a change', async () => {
		await openTab(page, 'My data');
		await page.getByText('Shared with Example Organisation').waitFor();
		await button('Change Given name').click();
		await page.getByLabel('Given name', { exact: true }).fill('Ada Augusta');
		await button('Save').click();
		await page.getByText('Ada Augusta').waitFor();
		const ada = await addressOf('Ada');
		await until(async () => {
			await bench.node.settle();
			const contacts = await bench.node.run('contact', 'getAll', {});
			const contact = contacts.find(({ json }) => json['peer'] === ada);
			return (contact?.json['attributes'] as { GivenName?: string }).GivenName === 'Ada Augusta';
		});
		await button('Add').click();
		await page.getByLabel('What').selectOption({ label: 'Birth date' });
		await page.getByRole('textbox', { name: 'Birth date' }).fill('1815-12-10');
		await button('Save').click();
		await page.getByText('10.12.1815').waitFor();
		await button('Delete Birth date').click();
		await page.getByText('10.12.1815').waitFor({ state: 'detached' });
	});

	it('leave a contact', async () => {
		await openTab(page, 'Contacts');
		await page.getByRole('button', { name: /^Example Organisation/ }).click();
		await button('Leave').click();
		await button('Yes, go on').click();
		await page.getByText('No longer connected').waitFor();
		const template = await bench.template(askForName);
		await openText(String(template['truncatedReference']));
		await page.getByText('You are no longer connected with Example Organisation.').waitFor();
		expect(bench.complaints).toEqual([]);
	});
});

describe('a code that cannot be opened', () => {
	beforeAll(async () => {
		page = await bench.openPage();
		await page.getByLabel('Person').selectOption({ label: 'Grace' });
		await page.getByRole('heading', { name: 'Hello Grace' }).waitFor();
	});

	it('because it needs a password asks for it, and says that a wrong one is wrong', async () => {
		const template = await bench.template([], {
			contentMode: 'json',
			content: '{ "@type": "ArbitraryRelationshipTemplateContent", "value": 1 }',
			options: { password: 'secret' },
		});
		await openText(String(template['link']));
		await page.getByText('This code is protected. Enter its password or PIN.').waitFor();
		await page.getByLabel('Password or PIN').fill('guess');
		await button('Open').click();
		await page.getByText('The password is wrong').waitFor();
		await page.getByLabel('Password or PIN').fill('secret');
		await button('Open').click();
		await page.getByText('You are connected with Example Organisation already.').waitFor();
	});

	it.each([
		['is not a reference', 'hello', 'This is not a complete code.'],
		['is cut off', 'http://localhost:5690/r/RLT7pITIqN7MJkARHHhn#', 'This is not a complete code.'],
	])('because it %s says so', async (_what, text, words) => {
		await openText(text);
		await page.getByRole('alert').getByText(words).waitFor();
	});

	it('because it was deleted says so', async () => {
		const template = await bench.template(askForName);
		await bench.node.run('relationshipTemplate', 'delete', {
			template: { __rl: true, mode: 'id', value: template['id'] },
		});
		await openText(String(template['link']));
		await page.getByRole('alert').getByText('There is nothing behind this code any more').waitFor();
	});

	it('because the picture has none says so', async () => {
		await dropPicture(Buffer.from(emptyPicture, 'base64'));
		await page.getByRole('alert').getByText('There is no readable QR code').waitFor();
	});
});

describe('the page', () => {
	it('is used with the keyboard alone', async () => {
		const template = await bench.template([
			{ kind: 'askForConsent', consent: 'New terms', mustBeAccepted: true },
			{ kind: 'formField', title: 'Rating', fieldType: 'rating', mustBeAccepted: true },
		]);
		page = await bench.openPage();
		await press('Tab', 'New person');
		await page.keyboard.press('Enter');
		await focused('Name of the new person');
		await page.keyboard.type('Lin');
		await page.keyboard.press('Enter');
		await page.getByRole('heading', { name: 'Hello Lin' }).waitFor();
		await press('Tab', 'Link or reference');
		await page.keyboard.type(String(template['truncatedReference']));
		await page.keyboard.press('Enter');
		await page.getByRole('heading', { name: 'Example Organisation asks you' }).waitFor();
		await press('Tab', 'I agree');
		await page.keyboard.press('Space');
		await press('Tab', '1');
		await page.keyboard.press('Space');
		await page.keyboard.press('ArrowRight');
		await press('Tab', 'Share and connect');
		await page.keyboard.press('Enter');
		await page.getByRole('status').getByText('has to accept the connection now').waitFor();
		await bench.acceptPerson(await addressOf('Lin'));
	});

	it.each(['light', 'dark'] as const)('has contrasts of at least 4.5 (%s)', async (colorScheme) => {
		page = await bench.openPage('/', { colorScheme, deviceScaleFactor: 2 });
		for (const tab of ['Home', 'Contacts', 'Mails', 'My data']) {
			await openTab(page, tab);
			const contrasts = await contrastsOf(page);
			expect(Object.entries(contrasts).filter(([, ratio]) => ratio < 4.5)).toEqual([]);
			await page.screenshot({ path: join(pictures, `${tab}-${colorScheme}.png`) });
		}
	});

	it.each([320, 390, 1440])('fits into %i pixels', async (width) => {
		page = await bench.openPage('/', { viewport: { width, height: 844 } });
		for (const tab of ['Home', 'Contacts', 'Mails', 'My data']) {
			await openTab(page, tab);
			const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
			expect(overflow).toBeLessThanOrEqual(0);
			await page.screenshot({ path: join(pictures, `${tab}-${width}.png`) });
		}
	});
});

/** Presses a key until the element with this name has the focus. */
async function press(key: string, name: string): Promise<void> {
	for (let pressed = 0; pressed < 40; pressed += 1) {
		await page.keyboard.press(key);
		if ((await nameOfFocused()) === name) return;
	}
	throw new Error(`The focus never reached '${name}'`);
}

async function focused(name: string): Promise<void> {
	await until(async () => (await nameOfFocused()) === name);
}

/** Name of the focused element: its label, or its own text. */
const nameOfFocused = (): Promise<string> =>
	page.evaluate(`(() => {
		const element = document.activeElement;
		const label = element.labels?.[0];
		return (label ?? element).innerText.replace(/\\s+/g, ' ').trim();
	})()`);

async function qrCode(templateId: unknown): Promise<Uint8Array> {
	const lease = await bench.node.gateway();
	const png = await lease.gateway.templates.qrCode(String(templateId), 'link');
	lease.release();
	return png;
}

async function dropPicture(png: Uint8Array): Promise<void> {
	await openTab(page, 'Home');
	const transfer = await page.evaluateHandle(`(() => {
		const bytes = Uint8Array.from(atob('${Buffer.from(png).toString('base64')}'), (c) => c.charCodeAt(0));
		const transfer = new DataTransfer();
		transfer.items.add(new File([bytes], 'code.png', { type: 'image/png' }));
		return transfer;
	})()`);
	await page
		.getByRole('region', { name: 'Open a code' })
		.dispatchEvent('drop', { dataTransfer: transfer });
}

/** One white pixel. */
const emptyPicture =
	'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8/5+hHgAHggJ/PchI7wAAAABJRU5ErkJggg==';

async function receivedMail(subject: string) {
	const lease = await bench.node.gateway();
	try {
		const find = async () => {
			const messages = await lease.gateway.messages.list();
			return messages.find(
				({ isOwn, content }) => !isOwn && ownText(content, 'subject') === subject,
			);
		};
		await until(async () => {
			await bench.node.settle();
			return (await find()) !== undefined;
		});
		const mail = await find();
		if (mail === undefined) throw new Error('The mail is gone');
		return mail;
	} finally {
		lease.release();
	}
}
