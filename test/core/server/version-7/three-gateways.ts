import { settle, relate, SandboxNetwork } from '../../../support/gateways';
import { HttpGateway, type Answer, type Ask } from '../support/http-gateway';

/** One gateway that serves version 7. */
export interface Side {
	readonly http: HttpGateway;
	readonly address: string;
	/** Asks below the prefix of version 7. */
	ask(call: string, input?: Ask): Promise<Answer>;
}

/** Any member of an answer. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests look into any of it
export type Answered = any;

/** Gateways at one sandbox Backbone, of which `a` has relationships with the two others. */
export class ThreeGateways {
	private constructor(
		readonly network: SandboxNetwork,
		readonly a: Side,
		readonly b: Side,
		readonly c: Side,
		/** relationship of `a` and `b` */
		readonly relationshipId: string,
	) {}

	static async open(): Promise<ThreeGateways> {
		const network = await SandboxNetwork.open();
		const [a, b, c] = [
			await ThreeGateways.side(network),
			await ThreeGateways.side(network),
			await ThreeGateways.side(network),
		];
		const { relationshipId } = await relate(a.http.gateway, b.http.gateway);
		await relate(a.http.gateway, c.http.gateway);
		return new ThreeGateways(network, a, b, c, relationshipId);
	}

	/** One more gateway, which the caller closes. */
	static async side(network: SandboxNetwork): Promise<Side> {
		const config = { ...network.config(), oneAttributeId: true };
		const http = await HttpGateway.open(network, { connectorVersion: 7 }, config);
		const { address } = await http.gateway.account.getIdentity();
		const ask = async (call: string, input?: Ask): Promise<Answer> =>
			await http.ask(call.replace(' /', ' /api/core/v1/'), input);
		return { http, address, ask };
	}

	/** Sends a request with one item, which the other side accepts; both know the answer. */
	async request(from: Side, to: Side, item: object, answer: object = {}): Promise<string> {
		const { gateway } = from.http;
		const content = JSON.parse(JSON.stringify({ items: [item] }));
		const sent = await gateway.outgoingRequests.create({ content, peer: to.address });
		await gateway.messages.send({ recipients: [to.address], content: sent.content });
		await settle(to.http.gateway);
		const parameters = JSON.parse(JSON.stringify({ items: [{ accept: true, ...answer }] }));
		await to.http.gateway.incomingRequests.accept(sent.id, parameters);
		await settle(gateway);
		return sent.id;
	}

	/** Shares an attribute of `from` as it stands. */
	async share(from: Side, to: Side, { id, content }: Answered, more: object = {}): Promise<string> {
		return await this.request(from, to, {
			'@type': 'ShareAttributeRequestItem',
			mustBeAccepted: true,
			attribute: content,
			sourceAttributeId: id,
			...more,
		});
	}

	/** Creates a relationship attribute of `a` and `b`; the answer is how `a` shows it. */
	async relationshipAttribute(owner: Side, key: string, more: object = {}): Promise<Answered> {
		await this.request(this.a, this.b, {
			'@type': 'CreateAttributeRequestItem',
			mustBeAccepted: true,
			attribute: {
				'@type': 'RelationshipAttribute',
				owner: owner.address,
				key,
				confidentiality: 'public',
				value: { '@type': 'ProprietaryString', title: 'Customer', value: key },
				...more,
			},
		});
		const { result } = await this.a.ask(`GET /Attributes?content.key=${key}`);
		return result[0];
	}

	async sync(): Promise<void> {
		await settle(this.a.http.gateway, this.b.http.gateway, this.c.http.gateway);
	}

	async close(): Promise<void> {
		for (const { http } of [this.a, this.b, this.c]) await http.close();
		await this.network.close();
	}
}

/** Creates an own identity attribute. */
export async function create({ ask }: Side, value: object, more: object = {}): Promise<Answered> {
	const { status, result, error } = await ask('POST /Attributes', {
		json: { content: { value, ...more } },
	});
	if (status !== 201) throw new Error(`${error.code}: ${error.message}`);
	return result;
}

export const text = (type: string, value: string) => ({ '@type': type, value });
