import jsQR from 'jsqr';
import { PNG } from 'pngjs';
import { SandboxBackbone } from '../../sandbox/sandbox-backbone';
import { N8nHost, type ExecutionItem } from '../support/n8n/n8n-host';
import { Peer } from '../support/peer/peer';
import { chosenStorage, type ChosenStorage } from '../support/postgres/postgres';
import { testsIn } from './support/n8n-test';
import { credentialFor } from './support/onboarded-host';
import { makeTemplate, onboard, onMail } from './support/workflows';

jest.setTimeout(600_000);

describe('a real n8n with the packed package', () => {
	let backbone: SandboxBackbone;
	let host: N8nHost;
	let credentialId: string;
	let storage: ChosenStorage | undefined;
	const it = testsIn(() => host);

	beforeAll(async () => {
		backbone = await SandboxBackbone.open({ maxUnreceivedMessages: 1_000 });
		host = await N8nHost.prepare();
		await host.start();
		storage = await chosenStorage();
		credentialId = await host.createCredential({
			...credentialFor(backbone),
			...storage.credential,
		});
	});

	afterAll(async () => {
		await host?.dispose();
		await backbone?.close();
		await storage?.dispose();
	});

	for (const generation of [6, 7] as const) {
		it(`onboards a wallet with the official runtime ${generation} and exchanges mails`, async () => {
			const path = `template-${generation}`;
			const makeId = await host.createWorkflow(makeTemplate(credentialId, path));
			const onboardId = await host.createWorkflow(onboard(credentialId));
			const mailId = await host.createWorkflow(onMail(credentialId));
			for (const id of [makeId, onboardId, mailId]) await host.publish(id);
			const wallet = await Peer.start(generation, { baseUrl: backbone.baseUrl });
			try {
				await host.webhook(path);
				const scanned = await scan(host, makeId);
				await wallet.loadTemplate(scanned.reference);
				const request = await wallet.incomingRequest(scanned.templateId);
				await wallet.acceptRequest(request.id, [
					{
						accept: true,
						newAttribute: {
							'@type': 'IdentityAttribute',
							owner: wallet.address,
							value: { '@type': 'GivenName', value: 'Ada' },
						},
					},
				]);
				await host.until(
					async () => (await receive(wallet)).length > 0,
					'sending the welcome mail',
				);
				const [welcome] = await receive(wallet);
				expect(welcome?.['content']).toMatchObject({
					'@type': 'Mail',
					subject: 'Welcome Ada',
					body: 'Nice to meet you.',
				});
				await wallet.sendMail(String(welcome?.['createdBy']), 'Thank you', 'I am glad.');
				await host.until(
					async () => (await subjects(host, mailId)).includes('Thank you'),
					'woken by the mail',
				);
				const onboarding = await host.executions(onboardId);
				const ends = onboarding.map(({ status, data }) => data.resultData.error?.message ?? status);
				expect(ends).toEqual(['success']);
			} finally {
				await wallet.stop();
				for (const id of [onboardId, mailId]) await host.deactivate(id);
			}
		});
	}
});

/** What a camera would see: the QR code of the newest execution, read by an independent decoder. */
async function scan(
	host: N8nHost,
	workflowId: string,
): Promise<{ reference: string; templateId: string }> {
	const item = await lastItem(host, workflowId, 'Template');
	const image = item.binary?.['data'];
	expect(image?.mimeType).toBe('image/png');
	const png = PNG.sync.read(await host.binary(image?.id ?? ''));
	const code = jsQR(new Uint8ClampedArray(png.data), png.width, png.height);
	expect(code?.data).toBe(item.json['link']);
	expect(code?.data).toContain('/r/RLT');
	return { reference: code?.data ?? '', templateId: String(item.json['id']) };
}

async function lastItem(host: N8nHost, workflowId: string, node: string): Promise<ExecutionItem> {
	let found: ExecutionItem | undefined;
	await host.until(async () => {
		const [execution] = await host.executions(workflowId);
		found = execution?.data.resultData.runData[node]?.[0]?.data?.main[0]?.[0];
		return found !== undefined;
	}, `done with ${node}`);
	return found as ExecutionItem;
}

async function receive(wallet: Peer): Promise<Array<Record<string, unknown>>> {
	await wallet.sync();
	return (await wallet.messages()).filter(({ isOwn }) => isOwn === false);
}

async function subjects(host: N8nHost, workflowId: string): Promise<unknown[]> {
	const executions = await host.executions(workflowId);
	return executions
		.filter(({ status }) => status === 'success')
		.map(({ data }) => data.resultData.runData['Mail']?.[0]?.data?.main[0]?.[0]?.json['subject']);
}
