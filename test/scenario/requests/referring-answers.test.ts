import type { JsonObject } from '../../../core/model/json';
import { arrivals, inOneHour, settle, TestNetwork } from '../../support/gateways';
import { openCarelessPeer } from '../../support/peer/careless-peer';

jest.setTimeout(60_000);

/* A peer may answer that this account has the attribute already. */

describe('an answer that refers to an attribute that is here already', () => {
	it("shows what the peer has shared, and never this account's own data", async () => {
		const network = await TestNetwork.open();
		const gateway = await network.gateway();
		const own = (await gateway.account.getIdentity()).address;
		const config = network.config();
		const other = await network.gateway(config);
		const peerAddress = (await other.account.getIdentity()).address;
		const template = await gateway.templates.create({
			expiresAt: inOneHour(),
			content: { '@type': 'ArbitraryRelationshipTemplateContent', value: 1 },
		});
		const loaded = await other.templates.loadPeer({ reference: template.truncatedReference });
		const creationContent = { '@type': 'ArbitraryRelationshipCreationContent' as const, value: 1 };
		const { id } = await other.relationships.create({ templateId: loaded.id, creationContent });
		await settle(gateway);
		await gateway.relationships.accept(id);
		await settle(other);
		await other.close();
		const peer = await openCarelessPeer(config);

		const value = { '@type': 'GivenName' as const, value: 'Ours' };
		const mine = await gateway.attributes.create({ content: { value } });
		const theirs = 'ATT00000000000000007';
		const item = {
			'@type': 'ShareAttributeRequestItem',
			mustBeAccepted: true,
			attributeId: theirs,
			attribute: {
				'@type': 'IdentityAttribute',
				owner: peerAddress,
				value: { ...value, value: 'Theirs' },
			},
		};
		const requestId = 'REQ00000000000000001';
		await peer.send(own, { '@type': 'Request', id: requestId, items: [item] });
		await arrivals(gateway);
		await gateway.incomingRequests.accept(requestId, { items: [{ accept: true }] });

		const shown: unknown[] = [];
		for (const attributeId of [theirs, mine.id]) {
			const asked = await gateway.outgoingRequests.create({
				peer: peerAddress,
				content: {
					items: [
						{
							'@type': 'ReadAttributeRequestItem',
							mustBeAccepted: true,
							query: { '@type': 'IdentityAttributeQuery', valueType: 'GivenName' },
						},
					],
				},
			});
			await gateway.messages.send({ recipients: [peerAddress], content: asked.content });
			const answer: JsonObject = {
				'@type': 'AttributeAlreadySharedAcceptResponseItem',
				result: 'Accepted',
				attributeId,
			};
			await peer.send(own, {
				'@type': 'ResponseWrapper',
				requestId: asked.id,
				requestSourceReference: asked.id,
				requestSourceType: 'Message',
				response: {
					'@type': 'Response',
					result: 'Accepted',
					requestId: asked.id,
					items: [answer],
				},
			});
			await arrivals(gateway);
			shown.push(await gateway.outgoingRequests.answers(asked.id));
		}
		expect(shown).toEqual([{ GivenName: 'Theirs' }, { GivenName: null }]);
		await peer.close();
		await network.close();
	});
});
