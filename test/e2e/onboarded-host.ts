import { SandboxBackbone, type SandboxOptions } from '../../sandbox/sandbox-backbone';
import { N8nHost } from '../support/n8n-host';
import { Peer } from '../support/peer';
import { makeTemplate, onboard } from './workflows';

/** A real n8n whose gateway has an active relationship with an official wallet. */
export class OnboardedHost {
	private constructor(
		readonly backbone: SandboxBackbone,
		readonly host: N8nHost,
		readonly wallet: Peer,
		readonly credentialId: string,
		/** address of the gateway in n8n */
		readonly gateway: string,
	) {}

	static async open(options: SandboxOptions = {}): Promise<OnboardedHost> {
		const backbone = await SandboxBackbone.open({ maxUnreceivedMessages: 1_000, ...options });
		const host = await N8nHost.prepare();
		const wallet = await Peer.start(6, { baseUrl: backbone.baseUrl });
		try {
			await host.start();
			const credentialId = await host.createCredential(credentialFor(backbone));
			const gateway = await onboardWallet(host, wallet, credentialId);
			return new OnboardedHost(backbone, host, wallet, credentialId, gateway);
		} catch (error) {
			await wallet.stop();
			await host.dispose();
			await backbone.close();
			throw error;
		}
	}

	/** Subjects of the mails that the wallet has received, oldest first. */
	async mailsAtWallet(): Promise<string[]> {
		await this.wallet.sync();
		return (await this.wallet.receivedContents()).map(({ subject }) => String(subject));
	}

	async close(): Promise<void> {
		await this.wallet.stop();
		await this.host.dispose();
		await this.backbone.close();
	}
}

export function credentialFor(backbone: Pick<SandboxBackbone, 'baseUrl'>): object {
	return { backboneUrl: backbone.baseUrl, clientId: 'test', clientSecret: 'test' };
}

/** The wallet answers a template of the gateway, a workflow accepts it and sends a welcome mail. */
export async function onboardWallet(
	host: N8nHost,
	wallet: Peer,
	credentialId: string,
): Promise<string> {
	const makeId = await host.createWorkflow(makeTemplate(credentialId, 'onboard'));
	const onboardId = await host.createWorkflow(onboard(credentialId));
	for (const id of [makeId, onboardId]) await host.publish(id);
	const template = (await host.webhook('onboard')) as { id: string; truncatedReference: string };
	await wallet.loadTemplate(template.truncatedReference);
	const request = await wallet.incomingRequest(template.id);
	const value = { '@type': 'GivenName', value: 'Ada' };
	const newAttribute = { '@type': 'IdentityAttribute', owner: wallet.address, value };
	await wallet.acceptRequest(request.id, [{ accept: true, newAttribute }]);
	let gateway = '';
	await host.until(async () => {
		await wallet.sync();
		const [welcome] = (await wallet.messages()).filter(({ isOwn }) => isOwn === false);
		gateway = String(welcome?.['createdBy'] ?? '');
		return gateway !== '';
	}, 'sending the welcome mail');
	for (const id of [makeId, onboardId]) await host.deactivate(id);
	return gateway;
}
