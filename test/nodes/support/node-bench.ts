import type { SandboxOptions } from '../../../sandbox/sandbox-backbone';
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { silentLogger } from '../../../core/base/logger';
import { acquireGateway, closeAllGateways, type Gateway, type GatewayLease } from '../../../core';
import { Enmeshed } from '../../../nodes/Enmeshed/Enmeshed.node';
import { findOperation } from '../../../nodes/Enmeshed/actions/resources';
import { outputSchemas } from '../../../nodes/Enmeshed/schemas/output-schemas';
import { toGatewayConfig } from '../../../nodes/Enmeshed/gateway/acquire-gateway';
import { SandboxNetwork } from '../../support/gateways';
import { defaultsOf, executeFunctions, type StubOptions } from '../../support/n8n/n8n-functions';

/** A sandbox Backbone, the credential of the account that the node uses, and a wallet. */
export class NodeBench {
	readonly credential: IDataObject;

	private constructor(
		readonly network: SandboxNetwork,
		readonly folder: string,
		readonly wallet: Gateway,
	) {
		this.credential = {
			backboneUrl: network.backbone.baseUrl,
			clientId: 'test',
			clientSecret: 'test',
			options: { sqliteFolder: folder },
		};
	}

	static async open(options: SandboxOptions = {}): Promise<NodeBench> {
		const network = await SandboxNetwork.open(options);
		return new NodeBench(network, network.newFolder(), await network.gateway());
	}

	/** Runs one operation; fields that are not given have their default, as in n8n. */
	async run(
		resource: string,
		operation: string,
		parameters: IDataObject | IDataObject[] = {},
		options: Omit<StubOptions, 'parameters'> = {},
	): Promise<INodeExecutionData[]> {
		const complete = (given: IDataObject): IDataObject => ({
			...defaultsOf(findOperation(resource, operation)?.properties ?? []),
			resource,
			operation,
			...given,
		});
		const each = [parameters].flat().map(complete);
		const functions = executeFunctions({
			credentials: this.credential,
			items: Array.isArray(parameters) ? parameters.map(() => ({ json: {} })) : [{ json: {} }],
			...options,
			parameters: Array.isArray(parameters) ? each : (each[0] as IDataObject),
		});
		const [items = []] = await new Enmeshed().execute.call(functions);
		for (const item of items) {
			const [{ item: index }] = [item.pairedItem].flat() as [{ item: number }];
			expectAsInPreview(each[index] ?? each[0] ?? {}, item);
		}
		return items;
	}

	/** The first result's json, for operations that give one. */
	async one(
		resource: string,
		operation: string,
		parameters: IDataObject = {},
	): Promise<IDataObject> {
		const [item] = await this.run(resource, operation, parameters);
		if (item === undefined) throw new Error('The operation gave no item');
		return item.json;
	}

	/** The gateway that the node uses, for what no operation does; release it. */
	async gateway(): Promise<GatewayLease> {
		const lease = await acquireGateway(toGatewayConfig(this.credential), { logger: silentLogger });
		this.network.adopt(lease.gateway);
		return lease;
	}

	/** Syncs the node's account until the Backbone has nothing more to tell it. */
	async settle(): Promise<void> {
		const lease = await this.gateway();
		try {
			await this.network.settle(lease.gateway);
		} finally {
			lease.release();
		}
	}

	/**
	 * The wallet answers a template with a pending relationship, and the gateway has heard of it.
	 *
	 * @param more further parameters of the template
	 */
	async connect(
		wallet = this.wallet,
		more: IDataObject = {},
	): Promise<{ relationshipId: string; address: string }> {
		const template = await this.one('relationshipTemplate', 'create', {
			contentMode: 'json',
			content: '{ "@type": "ArbitraryRelationshipTemplateContent", "value": "Connect with us" }',
			...more,
		});
		const loaded = await wallet.templates.loadPeer({
			reference: String(template['truncatedReference']),
		});
		const relationship = await wallet.relationships.create({
			templateId: loaded.id,
			creationContent: { '@type': 'ArbitraryRelationshipCreationContent', value: 'Yes' },
		});
		await this.settle();
		const { address } = await wallet.account.getIdentity();
		return { relationshipId: relationship.id, address };
	}

	async close(): Promise<void> {
		await closeAllGateways();
		await this.network.close();
	}
}

/**
 * The editor's preview names all members of the output, in the same order. It describes neither raw
 * records nor the output that n8n drops while an execution waits.
 */
function expectAsInPreview(
	{ resource, operation, simplify }: IDataObject,
	item: INodeExecutionData,
): void {
	const name = findOperation(resource as string, operation as string)?.output;
	if (name === undefined || item.error !== undefined) return;
	if (simplify === false || operation === 'sendAndWait') return;
	const previewed = Object.keys(outputSchemas[name].shape);
	expect(previewed.filter((member) => member in item.json)).toEqual(Object.keys(item.json));
}
