import type { Page } from 'playwright-core';
import { settle } from '../../support/gateways';
import { AdminBench, AdminBrowser, cardOf, openTab } from './admin-bench';

jest.setTimeout(180_000);

let bench: AdminBench;
let browser: AdminBrowser;
let page: Page;

beforeAll(async () => {
	browser = await AdminBrowser.open();
});
beforeEach(async () => {
	bench = await AdminBench.open();
});
afterEach(async () => {
	await page?.context().close();
	await bench.close();
	expect(browser.complaints.splice(0)).toEqual([]);
});
afterAll(() => browser.close());

async function openProblems(): Promise<void> {
	page = await browser.signIn(`${bench.url}#/default/problems`);
	await page.getByRole('heading', { level: 1, name: 'Problems' }).waitFor();
}

const click = (card: string, button: string): Promise<void> =>
	cardOf(page, card).getByRole('button', { name: button }).click();

const confirm = (): Promise<void> =>
	page.getByRole('dialog').getByRole('button', { name: 'Discard' }).click();

const nothingLeft = (): Promise<void> => page.getByText('There are no problems here.').waitFor();

const titles = {
	receivedEvent: 'News from the Backbone could not be processed',
	delivery: 'A program did not accept an event',
	sending: 'It is not known whether a message was sent',
	unfinishedChange: 'A change is not finished',
	wait: 'A workflow does not go on, although the answer has arrived',
} as const;

describe('by mouse, a person tries again', () => {
	it('news that could not be processed', async () => {
		await bench.problems.fail();
		await openProblems();
		const card = cardOf(page, titles.receivedEvent);
		await card.getByText('It is tried again by itself').waitFor();
		expect(await card.getByRole('button', { name: 'Discard' }).count()).toBe(0);
		await click(titles.receivedEvent, 'Try again');
		await page.getByText('1 failed again').waitFor();
		bench.problems.network.backbone.faults.clear();
		await click(titles.receivedEvent, 'Try again');
		await page.getByText('1 problem solved.').waitFor();
		await nothingLeft();
		expect(await bench.problems.received()).toEqual(['odd']);
	});

	it('an event that a program did not accept', async () => {
		const given = await bench.problems.consume('webhook:crm');
		await bench.problems.refuse(1, 'for the webhook');
		await openProblems();
		await cardOf(page, titles.delivery).getByText('answered 500').waitFor();
		await click(titles.delivery, 'Try again');
		await page.getByText('1 problem will be tried in a moment.').waitFor();
		await nothingLeft();
		expect(given).toHaveLength(2);
	});

	it('a message of unknown outcome', async () => {
		await bench.problems.lose('cutAfter');
		await openProblems();
		await cardOf(page, titles.sending).getByText(bench.problems.addressOfPeer).waitFor();
		await click(titles.sending, 'Try again');
		await page.getByText('1 problem solved.').waitFor();
		expect(await bench.problems.arrived()).toEqual(['before', 'lost']);
	});

	it('an unfinished change', async () => {
		await bench.leaveUnfinished();
		await openProblems();
		bench.broken.clear();
		await click(titles.unfinishedChange, 'Try again');
		await page.getByText('1 problem solved.').waitFor();
		expect(await bench.gateway.files.list()).toEqual([]);
	});

	it('a workflow that does not go on', async () => {
		await bench.leaveWaiting();
		await openProblems();
		bench.goOn();
		await click(titles.wait, 'Try again');
		await nothingLeft();
		expect(await bench.gateway.waits.list()).toMatchObject([{ isTaken: true }]);
	});
});

describe('by mouse, a person discards', () => {
	it('news that were given up', async () => {
		await bench.problems.park();
		await openProblems();
		await click(titles.receivedEvent, 'Discard');
		await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
		expect(await bench.gateway.problems.list()).toHaveLength(1);
		await click(titles.receivedEvent, 'Discard');
		await confirm();
		await page.getByText('1 problem discarded.').waitFor();
		await nothingLeft();
	});

	it('a selection of several kinds, found by their filters', async () => {
		await bench.problems.consume('webhook:crm');
		await bench.problems.refuse(1, 'for the webhook');
		await bench.leaveUnfinished();
		await openProblems();
		await page.getByRole('link', { name: 'Not finished' }).click();
		await cardOf(page, titles.unfinishedChange).waitFor();
		await cardOf(page, titles.delivery).waitFor({ state: 'detached' });
		await page.getByRole('link', { name: 'All', exact: true }).click();
		await page.getByLabel('Select all 2').click();
		await page.getByRole('button', { name: 'Discard selected' }).click();
		await page.getByRole('dialog').getByText('The program never gets this event.').waitFor();
		await confirm();
		await page.getByText('2 problems discarded.').waitFor();
		expect(await bench.gateway.problems.list()).toEqual([]);
	});

	it('a message and a workflow', async () => {
		await bench.problems.lose('cutBefore');
		await bench.leaveWaiting();
		await openProblems();
		await click(titles.wait, 'Discard');
		await confirm();
		await cardOf(page, titles.wait).waitFor({ state: 'detached' });
		await click(titles.sending, 'Discard');
		await confirm();
		await page.getByText('It is no longer sent.').waitFor();
		bench.problems.pass(13 * 60_000);
		await settle(bench.gateway);
		await settle(bench.gateway);
		await nothingLeft();
	});
});

describe('what another administrator has solved meanwhile', () => {
	it('is said to be gone, and leaves the list', async () => {
		await bench.problems.consume('webhook:crm');
		await bench.problems.refuse(1, 'for the webhook');
		await openProblems();
		await cardOf(page, titles.delivery).waitFor();
		await click(titles.delivery, 'Discard');
		await bench.gateway.problems.discard({ all: true });
		await confirm();
		await page.getByText('Perhaps another administrator was faster.').waitFor();
		await nothingLeft();
	});
});

it('receivers show what they have not taken, and it is sent again or discarded there', async () => {
	await bench.problems.consume('webhook:crm');
	await bench.problems.refuse(1, 'one', 'two');
	await openProblems();
	await openTab(page, 'Deliveries');
	const card = cardOf(page, 'Webhook of the configuration, crm');
	await card.getByText('Has taken up to event').waitFor();
	await card.getByRole('link', { name: '2 events' }).waitFor();
	await card.getByRole('button', { name: 'Try again' }).click();
	await page.getByText('2 events will be sent again.').waitFor();
	await card.getByRole('link', { name: '2 events' }).waitFor({ state: 'detached' });
	expect(await bench.gateway.problems.list()).toEqual([]);
});
