import type { IDataObject } from 'n8n-workflow';
import type {
	Browser,
	BrowserContext,
	BrowserContextOptions,
	Locator,
	Page,
} from 'playwright-core';

import { launchVisitorBrowser } from '../../../scripts/screenshots/browser';
import { DemoWallet } from '../../../sandbox/wallet/demo-wallet';
import type { ShownPerson } from '../../../sandbox/wallet/shown/state';
import { NodeBench } from '../../nodes/support/node-bench';
import { until } from '../../support/until';

export const locator = (value: unknown) => ({ __rl: true, mode: 'id', value });

/** The node of an organisation, the demo wallet on the same sandbox, and a browser that shows it. */
export class WalletBench {
	private context: BrowserContext | undefined;

	/** what the browser reports on its console, and requests to other hosts */
	readonly complaints: string[] = [];

	private constructor(
		readonly node: NodeBench,
		readonly wallet: DemoWallet,
		private readonly browser: Browser,
	) {}

	static async open(): Promise<WalletBench> {
		const node = await NodeBench.open({ behaviour: 'kind' });
		const { baseUrl } = node.network.backbone;
		const wallet = await DemoWallet.open({
			backbone: { baseUrl, clientId: 'test', clientSecret: 'test' },
			folder: node.network.newFolder(),
			port: 0,
		});
		node.network.backbone.walletUrl = wallet.url;
		return new WalletBench(node, wallet, await launchVisitorBrowser());
	}

	async close(): Promise<void> {
		await this.browser.close();
		await this.wallet.close();
		await this.node.close();
	}

	/** Opens the wallet in a new window, as on a phone. */
	async openPage(path = '/', options: BrowserContextOptions = {}): Promise<Page> {
		await this.context?.close();
		this.context = await this.browser.newContext({
			viewport: { width: 390, height: 844 },
			locale: 'en-GB',
			...options,
		});
		const page = await this.context.newPage();
		page.setDefaultTimeout(10_000);
		page.on('console', (message) => this.complaints.push(message.text()));
		page.on('pageerror', (error) => this.complaints.push(String(error)));
		page.on('request', (request) => {
			const own = [this.wallet.url, `${this.node.network.backbone.baseUrl}/r/`];
			const isOwn = own.some((start) => request.url().startsWith(start));
			if (!isOwn && !/^(blob|data):/.test(request.url())) this.complaints.push(request.url());
		});
		await page.goto(`${this.wallet.url}${path}`);
		await page.getByRole('heading', { name: /^Hello/ }).waitFor();
		return page;
	}

	async people(): Promise<ShownPerson[]> {
		const response = await fetch(`${this.wallet.url}/api/people`);
		return (await response.json()) as ShownPerson[];
	}

	/** Creates a template with the node; returns its output. */
	async template(items: IDataObject[], parameters: IDataObject = {}): Promise<IDataObject> {
		return await this.node.one('relationshipTemplate', 'create', {
			title: 'Example Organisation',
			requestItems: { items },
			...parameters,
		});
	}

	/** Sends a request to the person with the node; returns its id. */
	async ask(to: string, items: IDataObject[], options: IDataObject = {}): Promise<string> {
		const sent = await this.node.one('message', 'sendRequest', {
			to: { __rl: true, mode: 'address', value: to },
			requestItems: { items },
			options,
		});
		return String(sent['id']);
	}

	/** The request as the node reports it after the answer has arrived. */
	async answered(id: string): Promise<IDataObject> {
		let request: IDataObject = {};
		await until(async () => {
			await this.node.settle();
			request = await this.node.one('outgoingRequest', 'get', {
				request: locator(id),
				simplify: false,
			});
			return request['status'] === 'Completed';
		});
		return request;
	}

	/** Accepts the person who has answered a template with the node. */
	async acceptPerson(address: string): Promise<void> {
		let relationshipId: unknown;
		await until(async () => {
			await this.node.settle();
			const found = await this.node.run('relationship', 'getAll', {});
			relationshipId = found.find(({ json }) => json['peer'] === address)?.json['id'];
			return relationshipId !== undefined;
		});
		await this.node.run('relationship', 'accept', { relationship: locator(relationshipId) });
	}
}

/** One item of the open request, by its heading. */
export function itemOf(page: Page, heading: string): Locator {
	const title = page.getByRole('heading', {
		level: 3,
		name: new RegExp(`^${heading} (Required|Optional)$`),
	});
	return page.locator('section.item').filter({ has: title });
}

export async function openTab(page: Page, name: string): Promise<void> {
	await page.getByRole('navigation').getByRole('button', { name }).click();
}
