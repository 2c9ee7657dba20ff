import { createServer, request, type Server } from 'node:http';
import { join } from 'node:path';
import type { AddressInfo } from 'node:net';
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { silentLogger } from '../../../core/base/logger';
import { backboneErrors } from '../../../core/backbone/backbone-errors';
import type { Gateway } from '../../../core';
import { openServer, type RunningServer } from '../../../core/server';
import { launchVisitorBrowser } from '../../../scripts/screenshots/browser';
import { apiKey } from '../../core/server/support/http-gateway';
import { ok, Receiver } from '../../core/publish/webhooks/support/receiver';
import { mailTo, settle } from '../../support/gateways';
import { ProblemBench } from '../../support/problem-bench';
import { until } from '../../support/until';

/** What a server needs to serve the page that the build has made. */
export const pageOptions = {
	admin: { enabled: true },
	adminPage: join(__dirname, '..', '..', '..', 'dist', 'core', 'admin-page'),
};

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** A browser that shows the page for operators, and what it complains about. */
export class AdminBrowser {
	/** what the browser reports on its console, and requests to other hosts */
	readonly complaints: string[] = [];

	private constructor(private readonly browser: Browser) {}

	static async open(): Promise<AdminBrowser> {
		return new AdminBrowser(await launchVisitorBrowser());
	}

	/** Opens the page in a new window and signs in with the key. */
	async signIn(url: string, options: BrowserContextOptions = {}, key = apiKey): Promise<Page> {
		const page = await this.visit(url, options);
		await page.getByLabel('Key', { exact: true }).fill(key);
		await page.getByRole('button', { name: 'Sign in' }).click();
		await page.getByRole('button', { name: 'Sign out' }).waitFor();
		return page;
	}

	async visit(url: string, options: BrowserContextOptions = {}): Promise<Page> {
		const context = await this.browser.newContext({ locale: 'en-GB', ...options });
		const page = await context.newPage();
		page.setDefaultTimeout(15_000);
		page.on('console', (message) => {
			// A refused call is a line on the console, although the page explains it.
			if (!message.text().startsWith('Failed to load resource')) {
				this.complaints.push(message.text());
			}
		});
		page.on('pageerror', (error) => this.complaints.push(String(error)));
		page.on('request', (sent) => {
			if (new URL(sent.url()).origin !== new URL(url).origin) this.complaints.push(sent.url());
		});
		await page.goto(url);
		return page;
	}

	async close(): Promise<void> {
		await this.browser.close();
	}
}

/** A gateway behind its HTTP server for which things go wrong, with the page for operators. */
export class AdminBench {
	private constructor(
		/** names of the calls of the Backbone that fail */
		readonly broken: Set<string>,
		readonly problems: ProblemBench,
		readonly gateway: Gateway,
		readonly server: RunningServer,
		readonly receiver: Receiver,
	) {}

	static async open(): Promise<AdminBench> {
		const problems = await ProblemBench.open();
		const broken = new Set<string>();
		const gateway = await problems.elsewhere((name) =>
			broken.has(name)
				? Promise.reject(backboneErrors.create('unexpectedAnswer', { message: 'It is odd.' }))
				: Promise.resolve(),
		);
		const server = await openServer({
			...{ facade: gateway, logger: silentLogger, host: '127.0.0.1', port: 0, apiKey },
			...{ cors: { origin: false }, debug: false, version: '0.0.0', configuration: {} },
			...{ refusalDelayMs: () => 0, drainMs: 100, ...pageOptions },
		});
		const receiver = await Receiver.open();
		return new AdminBench(broken, problems, gateway, server, receiver);
	}

	get url(): string {
		return `${this.server.address}/admin/`;
	}

	/** A deletion of a file that the Backbone never confirms. */
	async leaveUnfinished(): Promise<void> {
		const { gateway, broken } = this;
		const file = { filename: 'a.txt', mimetype: 'text/plain' };
		const { id } = await gateway.files.upload(file, new Uint8Array([1]));
		broken.add('files.delete');
		await expect(gateway.files.delete(id)).rejects.toThrow();
		for (let hour = 0; hour < 3; hour++) {
			await gateway.account.sync();
			this.problems.clock.advance(hourMs);
		}
		await gateway.account.sync();
	}

	/** An execution that n8n does not continue until the receiver takes it. */
	async leaveWaiting(): Promise<void> {
		const { gateway, problems, receiver } = this;
		const { peer, addressOfPeer, clock } = problems;
		receiver.judge = () => ({ status: 502 });
		gateway.waits.keepResuming();
		const resumeUrl = `${receiver.url}/wait?id=instance:1:node&key=key1`;
		const wait = { id: 'instance:1:node', key: 'key1', note: {}, until: undefined, resumeUrl };
		await gateway.messages.send(mailTo(addressOfPeer, 'Question'), { wait });
		await settle(peer);
		await peer.messages.send(mailTo(problems.address, 'Answer'));
		await settle(gateway);
		await until(async () => {
			clock.advance(minuteMs);
			return (await gateway.problems.list({ kind: 'wait' })).length > 0;
		});
	}

	/** n8n continues the execution from now on. */
	goOn(): void {
		const { gateway, receiver } = this;
		receiver.judge = async () => {
			await gateway.waits.handOver('instance:1:node', 'key1');
			return { ...ok, body: JSON.stringify({ enmeshed: 'taken', wait: 'key1' }) };
		};
	}

	async close(): Promise<void> {
		await this.server.close();
		await this.problems.close();
		await this.receiver.down();
	}
}

/** A proxy that hands requests below the sub path on, without the sub path. */
export async function openProxy(port: number, subPath: string): Promise<Server> {
	const proxy = createServer((incoming, outgoing) => {
		const { method, headers, url = '' } = incoming;
		if (!url.startsWith(`${subPath}/`)) return outgoing.writeHead(404).end();
		const path = url.slice(subPath.length);
		const onward = request({ host: '127.0.0.1', port, method, headers, path });
		onward.on('response', (answer) => {
			outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
			answer.pipe(outgoing);
		});
		onward.on('error', () => outgoing.destroy());
		return incoming.pipe(onward);
	});
	await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
	return proxy;
}

export const portOf = (server: Server): number => (server.address() as AddressInfo).port;

/** Opens a tab of the account that the page shows. */
export async function openTab(page: Page, name: string): Promise<void> {
	await page.getByRole('navigation', { name: 'Account' }).getByRole('link', { name }).click();
	await page.getByRole('heading', { level: 1, name }).waitFor();
}

/** Card of a list by its name. */
export const cardOf = (page: Page, name: string | RegExp): Locator =>
	page.getByRole('listitem', { name });
