import { SandboxBackbone, type SandboxOptions } from '../../../sandbox/sandbox-backbone';
import { N8nHost } from '../../support/n8n/n8n-host';
import { Peer } from '../../support/peer/peer';
import { printLog } from './n8n-test';
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
		private readonly closing: Closing,
	) {}

	/**
	 * @param parts.prepare makes another n8n than a single process
	 * @param parts.onStarted starts what belongs to it
	 * @param parts.storage fields of the credential that say where the account is kept
	 */
	static async open(
		options: SandboxOptions = {},
		parts: {
			readonly prepare?: () => Promise<N8nHost>;
			readonly onStarted?: () => Promise<void>;
			readonly storage?: object;
		} = {},
	): Promise<OnboardedHost> {
		const closing: Closing = [];
		let host: N8nHost | undefined;
		try {
			const backbone = await SandboxBackbone.open({ maxUnreceivedMessages: 1_000, ...options });
			closing.push(() => backbone.close());
			const n8n = (host = await (parts.prepare ?? N8nHost.prepare)());
			closing.push(() => n8n.dispose());
			const wallet = await Peer.start(6, { baseUrl: backbone.baseUrl });
			closing.push(() => wallet.stop());
			await n8n.start();
			await parts.onStarted?.();
			const credential = { ...credentialFor(backbone), ...parts.storage };
			const credentialId = await n8n.createCredential(credential);
			const gateway = await onboardWallet(n8n, wallet, credentialId);
			return new OnboardedHost(backbone, n8n, wallet, credentialId, gateway, closing);
		} catch (error) {
			printLog('the onboarding', host);
			await closeAll(closing);
			throw error;
		}
	}

	/** Subjects of the mails that the wallet has received, oldest first. */
	async mailsAtWallet(): Promise<string[]> {
		await this.wallet.sync();
		return (await this.wallet.receivedContents()).map(({ subject }) => String(subject));
	}

	async close(): Promise<void> {
		await closeAll(this.closing);
	}
}

type Closing = Array<() => Promise<void>>;

/** In reverse order; what fails keeps nothing else open. */
async function closeAll(closing: Closing): Promise<void> {
	const failures: unknown[] = [];
	for (const close of closing.splice(0).reverse()) {
		await close().catch((error: unknown) => failures.push(error));
	}
	if (failures.length > 0) throw new AggregateError(failures, 'The test host did not close');
}

export function credentialFor(backbone: Pick<SandboxBackbone, 'baseUrl'>): object {
	return { backboneUrl: backbone.baseUrl, clientId: 'test', clientSecret: 'test' };
}

/** The wallet answers a template of the gateway, a workflow accepts it and sends a welcome mail. */
export async function onboardWallet(
	host: N8nHost,
	wallet: Peer,
	credentialId: string,
	path = 'onboard',
): Promise<string> {
	const makeId = await host.createWorkflow(makeTemplate(credentialId, path));
	const onboardId = await host.createWorkflow(onboard(credentialId));
	for (const id of [makeId, onboardId]) await host.publish(id);
	await answerTemplate(host, path, wallet);
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

/**
 * The wallet answers the template that the webhook of `makeTemplate` makes, and so asks for a
 * relationship.
 *
 * @returns the id of the template
 */
export async function answerTemplate(host: N8nHost, path: string, wallet: Peer): Promise<string> {
	const template = (await host.webhook(path)) as { id: string; truncatedReference: string };
	await wallet.loadTemplate(template.truncatedReference);
	const request = await wallet.incomingRequest(template.id);
	const value = { '@type': 'GivenName', value: 'Ada' };
	const newAttribute = { '@type': 'IdentityAttribute', owner: wallet.address, value };
	await wallet.acceptRequest(request.id, [{ accept: true, newAttribute }]);
	return template.id;
}
