import { judged, type Gateway, type RequestDto } from '../../../core';
import type { JsonObject } from '../../../core/model/json';
import type { AttributeDto } from '../../../core';
import { inOneHour, relate, type TestNetwork } from '../../support/gateways';
import type { HeldAttribute, Side } from './side';
import { loosely } from '../../support/loosely';

export interface OurSide extends Side {
	readonly gateway: Gateway;
}

export async function ourSide(network: TestNetwork, config = network.config()): Promise<OurSide> {
	const gateway = await network.gateway(config);
	const { address } = await gateway.account.getIdentity();
	let third: Promise<Side> | undefined;
	return {
		kind: 'ours',
		gateway,
		address,
		createAttribute: async (value) =>
			held(await gateway.attributes.create(judged({ content: { value } }))),
		attribute: async (id) => {
			const found = await gateway.attributes.list();
			const attribute = found.find((one) => one.id === id);
			return attribute === undefined ? undefined : held(attribute);
		},
		thirdParty: () => (third ??= meetThirdParty(network, gateway)),
		uploadFile: async () => {
			const { reference, ownershipToken = '' } = await gateway.files.upload(
				{ filename: 'f.txt', mimetype: 'text/plain', title: 'f' },
				Buffer.from('a file that changes hands'),
			);
			return { reference: reference.truncated, ownershipToken };
		},
		offer: async (onNewRelationship) => {
			const content = { '@type': 'RelationshipTemplateContent' as const, onNewRelationship };
			const expiresAt = inOneHour();
			return (await gateway.templates.create({ content: loosely(content), expiresAt }))
				.truncatedReference;
		},
		receive: async (reference) => {
			const { id } = await gateway.templates.loadPeer({ reference });
			const query = { 'source.reference': id, status: 'ManualDecisionRequired' };
			const [request] = await gateway.incomingRequests.list({ query });
			if (request === undefined) throw new Error('the template brought no request');
			return request.id;
		},
		ask: async (peer, request) => {
			const { content, id } = await gateway.outgoingRequests.create({
				content: loosely(request),
				peer,
			});
			await gateway.messages.send({ recipients: [peer], content });
			return id;
		},
		sync: async () => {
			await network.settle(gateway);
			expect((await gateway.account.getSyncStatus()).pendingEvents).toBe(0);
		},
		toDecide: async (id) => {
			await network.arrives(gateway, async () => {
				const [request] = await gateway.incomingRequests.list({ query: { id } });
				return request?.status === 'ManualDecisionRequired';
			});
		},
		decide: async (id, decision, items) => {
			const input = { items };
			const check = decision === 'accept' ? 'canAccept' : 'canReject';
			expect(await gateway.incomingRequests[check](id, judged(input))).toMatchObject({
				isSuccess: true,
			});
			await gateway.incomingRequests[decision](id, judged(input));
			return await gateway.incomingRequests.get(id);
		},
		outgoing: async (id) => await own(gateway, id),
		sharedBy: async (requestId) => {
			const all = await gateway.attributes.list();
			return all
				.filter(({ shareInfo }) => shareInfo?.requestReference === requestId)
				.map(({ id }) => id);
		},
	};
}

async function meetThirdParty(network: TestNetwork, gateway: Gateway): Promise<Side> {
	const other = await ourSide(network);
	await relate(gateway, other.gateway);
	return other;
}

async function own(gateway: Gateway, id: string): Promise<RequestDto | undefined> {
	const [found] = await gateway.outgoingRequests.list({ query: { id } });
	return found;
}

function held({ id, content, deletionInfo }: AttributeDto): HeldAttribute {
	return { id, content: content as JsonObject, deletionStatus: deletionInfo?.deletionStatus };
}
