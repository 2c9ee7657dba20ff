import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { freePort } from '../../../scripts/n8n/free-port';
import { N8nHost } from '../../support/n8n/n8n-host';
import { testsIn } from '../support/n8n-test';
import { OnboardedHost } from '../support/onboarded-host';
import { byAddress, enmeshedNode, webhook, workflowOf } from '../support/workflow-builder';

jest.setTimeout(600_000);

const subPath = '/n8n';

/** A proxy that hands requests below the sub path to n8n, without the sub path. */
async function openProxy(n8nPort: number): Promise<Server> {
	const proxy = createServer((incoming, outgoing) => {
		const { method, headers, url = '' } = incoming;
		if (!url.startsWith(`${subPath}/`)) return outgoing.writeHead(404).end('not n8n');
		const path = url.slice(subPath.length);
		const onward = request({ host: '127.0.0.1', port: n8nPort, method, headers, path });
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

describe('an n8n under a sub path, behind a proxy that strips it', () => {
	let place: OnboardedHost;
	let proxy: Server;
	let publicUrl: string;
	const it = testsIn(() => place?.host, 500_000);

	beforeAll(async () => {
		const port = await freePort();
		proxy = await openProxy(port);
		publicUrl = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}${subPath}/`;
		const environment = { N8N_PATH: `${subPath}/`, WEBHOOK_URL: publicUrl };
		const prepare = () => N8nHost.prepare({ port, environment });
		place = await OnboardedHost.open({}, { prepare });
	});

	afterAll(async () => {
		await place?.close();
		proxy?.closeAllConnections();
		proxy?.close();
	});

	it('goes on with the answer of a person', async () => {
		const { host, wallet, credentialId } = place;
		const ask = enmeshedNode('Ask', credentialId, {
			resource: 'outgoingRequest',
			operation: 'sendAndWait',
			to: byAddress(wallet.address),
			message: 'May we?',
			responseType: 'approval',
		});
		const id = await host.createWorkflow(workflowOf('ask', [webhook('ask', 'onReceived'), ask]));
		await host.publish(id);
		await host.webhook('ask');
		let open = '';
		await host.until(async () => {
			await wallet.sync();
			const [found] = await wallet.incomingRequests({ status: 'ManualDecisionRequired' });
			open = String(found?.id ?? '');
			return open !== '';
		}, 'asking the wallet');
		await wallet.acceptRequest(open, [{ accept: true }]);
		await host.until(
			async () => (await host.executions(id))[0]?.status === 'success',
			'going on',
			60_000,
		);
	});

	it('shows the page of a visitor', async () => {
		const { host, credentialId } = place;
		const page = enmeshedNode('Page', credentialId, {
			resource: 'relationshipTemplate',
			operation: 'sendAndWait',
			askForTypes: ['GivenName'],
			title: 'Come in',
		});
		const id = await host.createWorkflow(workflowOf('visit', [webhook('visit'), page]));
		await host.publish(id);
		const { pageUrl } = (await host.webhook('visit')) as { pageUrl: string };
		expect(pageUrl.startsWith(publicUrl)).toBe(true);
		await host.until(async () => {
			const shown = await fetch(pageUrl);
			return shown.ok && (await shown.text()).includes('Come in');
		}, 'showing the page');
	});
});
