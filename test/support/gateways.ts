import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Gateway, type GatewayConfigInput, type GatewayDependencies } from '../../core';
import { SandboxBackbone } from '../../sandbox/sandbox-backbone';

/** A sandbox Backbone and as many gateways as a test wants, each with a store folder of its own. */
export class TestNetwork {
	private readonly folders: string[] = [];

	private readonly gateways: Gateway[] = [];

	private constructor(readonly backbone: SandboxBackbone) {}

	static async open(
		options: Parameters<typeof SandboxBackbone.open>[0] = {},
	): Promise<TestNetwork> {
		return new TestNetwork(await SandboxBackbone.open(options));
	}

	config(folder = this.newFolder()): GatewayConfigInput {
		return {
			backbone: { baseUrl: this.backbone.baseUrl, clientId: 'test', clientSecret: 'test' },
			store: { kind: 'sqlite', folder },
		};
	}

	async gateway(
		config: GatewayConfigInput = this.config(),
		dependencies: GatewayDependencies = {},
	): Promise<Gateway> {
		const gateway = await Gateway.open(config, dependencies);
		this.gateways.push(gateway);
		return gateway;
	}

	newFolder(): string {
		const folder = mkdtempSync(join(tmpdir(), 'enmeshed-test-'));
		this.folders.push(folder);
		return folder;
	}

	async close(): Promise<void> {
		for (const gateway of this.gateways) await gateway.close();
		await this.backbone.close();
		for (const folder of this.folders) rmSync(folder, { recursive: true, force: true });
	}
}

export const inOneHour = (): string => new Date(Date.now() + 3_600_000).toISOString();

/** Two gateways with an active relationship; `a` made the template. */
export async function relate(
	a: Gateway,
	b: Gateway,
): Promise<{ relationshipId: string; addressA: string; addressB: string }> {
	const template = await a.templates.create({
		expiresAt: inOneHour(),
		content: { '@type': 'ArbitraryRelationshipTemplateContent', value: { hello: 'wallet' } },
	});
	const loaded = await b.templates.loadPeer({ reference: template.truncatedReference });
	const created = await b.relationships.create({
		templateId: loaded.id,
		creationContent: { '@type': 'ArbitraryRelationshipCreationContent', value: { hi: 'there' } },
	});
	await a.account.sync();
	await a.relationships.accept(created.id);
	await b.account.sync();
	const addressA = (await a.account.getIdentity()).address;
	const addressB = (await b.account.getIdentity()).address;
	return { relationshipId: created.id, addressA, addressB };
}

export const mailTo = (address: string, subject = 'Hello', body = 'How are you?') => ({
	recipients: [address],
	content: { '@type': 'Mail', to: [address], subject, body },
});
