import type { Gateway, GatewayConfigInput } from '../../../core';
import { inOneHour, relate, SandboxNetwork, settle } from '../../support/gateways';
import { loosely } from '../../support/loosely';

jest.setTimeout(60_000);

/* However a decision is interrupted: it stands, and its answer arrives once. */

const login = {
	'@type': 'AuthenticationRequestItem' as const,
	mustBeAccepted: true,
	title: 'Log in',
};
const create = (key: string) => ({
	'@type': 'CreateAttributeRequestItem' as const,
	mustBeAccepted: true,
	attribute: {
		'@type': 'RelationshipAttribute' as const,
		owner: '',
		key,
		confidentiality: 'public' as const,
		value: { '@type': 'ProprietaryString' as const, title: 'T', value: 'V' },
	},
});
const yes = { items: [{ accept: true }] };

describe('the answer to a request', () => {
	let network: SandboxNetwork;
	let a: Gateway;
	let b: Gateway;
	let configOfB: GatewayConfigInput;
	let addressA: string;
	let addressB: string;
	beforeEach(async () => {
		network = await SandboxNetwork.open();
		a = await network.gateway();
		configOfB = network.config();
		b = await network.gateway(configOfB);
	});
	afterEach(() => network.close());

	const namesOf = async (gateway: Gateway) =>
		(await gateway.events.recent({}, 1_000)).map(({ event }) => event);

	describe('by message', () => {
		beforeEach(async () => {
			({ addressA, addressB } = await relate(a, b));
		});

		async function ask(...items: object[]): Promise<string> {
			const request = await a.outgoingRequests.create({
				content: { items: loosely(items) },
				peer: addressB,
			});
			await a.messages.send({ recipients: [addressB], content: request.content });
			await settle(b);
			return request.id;
		}

		const answersAtA = async () => {
			await settle(a);
			const received = await a.messages.list({ query: { 'content.@type': 'ResponseWrapper' } });
			return received.length;
		};

		it('arrives with the next sync when the Backbone was away', async () => {
			const id = await ask(create('k'));
			network.backbone.faults.add({
				method: 'POST',
				path: /Messages/,
				times: 100,
				action: { kind: 'status', status: 503, body: {} },
			});
			expect(await b.incomingRequests.accept(id, yes)).toMatchObject({ status: 'Decided' });
			expect(await b.incomingRequests.get(id)).toMatchObject({ status: 'Decided' });
			expect(await b.attributes.list()).toHaveLength(1);
			expect(await answersAtA()).toBe(0);
			network.backbone.faults.clear();
			await settle(b);
			expect(await b.incomingRequests.get(id)).toMatchObject({ status: 'Completed' });
			expect(await answersAtA()).toBe(1);
			expect(await a.outgoingRequests.get(id)).toMatchObject({ status: 'Completed' });
		});

		describe('that the Backbone has refused for good', () => {
			const code = 'error.platform.validation.message.recipientIsBlocked';
			const refuse = () =>
				network.backbone.faults.add({
					method: 'POST',
					path: /Messages/,
					times: 100,
					action: { kind: 'status', status: 400, body: { error: { code, message: 'Blocked' } } },
				});

			async function answerInVain(): Promise<string> {
				const id = await ask(login);
				refuse();
				await expect(b.incomingRequests.accept(id, yes)).rejects.toMatchObject({ code });
				return id;
			}

			it('is a problem, which says so again when another attempt fails', async () => {
				const id = await answerInVain();
				const problem = {
					id,
					kind: 'unfinishedChange',
					subject: 'acceptRequest',
					code,
					isRetriedAutomatically: false,
					isDiscardable: true,
				};
				expect(await b.problems.list()).toMatchObject([problem]);
				const retried = await b.problems.retry({ ids: [id] });
				expect(retried).toMatchObject([{ id, outcome: 'failed', code }]);
				expect(await b.problems.list()).toMatchObject([problem]);
			});

			it('arrives when it is tried again, and once', async () => {
				const id = await answerInVain();
				network.backbone.faults.clear();
				await settle(b);
				expect(await answersAtA()).toBe(0);
				const retried = await b.problems.retry({ ids: [id] });
				expect(retried).toEqual([{ id, kind: 'unfinishedChange', outcome: 'solved' }]);
				expect(await b.problems.list()).toEqual([]);
				expect(await b.incomingRequests.get(id)).toMatchObject({ status: 'Completed' });
				expect(await answersAtA()).toBe(1);
			});

			it('is given up when it is discarded: the decision stays', async () => {
				const id = await answerInVain();
				network.backbone.faults.clear();
				await b.problems.discard({ ids: [id] });
				expect(await b.problems.list()).toEqual([]);
				await settle(b);
				expect(await b.incomingRequests.get(id)).toMatchObject({ status: 'Decided' });
				expect(await answersAtA()).toBe(0);
			});
		});

		it('is not sent again when only the confirmation was lost', async () => {
			const id = await ask(login);
			network.backbone.faults.add({
				method: 'POST',
				path: /Messages/,
				action: { kind: 'cutAfter' },
			});
			await b.incomingRequests.accept(id, yes);
			await settle(b);
			await settle(b);
			expect(await b.incomingRequests.get(id)).toMatchObject({
				status: 'Completed',
				response: { source: { type: 'Message' } },
			});
			expect(await answersAtA()).toBe(1);
		});

		it('is not lost with the process that has decided', async () => {
			const id = await ask(create('k'));
			network.backbone.faults.add({
				method: 'POST',
				path: /Messages/,
				times: 100,
				action: { kind: 'status', status: 503, body: {} },
			});
			await b.incomingRequests.accept(id, yes);
			await b.close();
			network.backbone.faults.clear();
			// The process that died may have been in the middle of its call.
			const later = { now: () => Date.now() + 10 * 60_000 };
			const reopened = await network.gateway(configOfB, { clock: later });
			await settle(reopened);
			expect(await reopened.incomingRequests.get(id)).toMatchObject({ status: 'Completed' });
			expect(await answersAtA()).toBe(1);
		});

		it('is the first one when two decide at once', async () => {
			const id = await ask(login);
			const no = { items: [{ accept: false }] };
			const outcomes = await Promise.allSettled([
				b.incomingRequests.accept(id, yes),
				b.incomingRequests.reject(id, no),
				b.incomingRequests.accept(id, yes),
			]);
			expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
			expect(await answersAtA()).toBe(1);
		});

		it('leaves nothing behind when some item cannot be accepted', async () => {
			const field = {
				'@type': 'FormFieldRequestItem' as const,
				mustBeAccepted: true,
				title: 'f',
				settings: { '@type': 'StringFormFieldSettings' as const },
			};
			const id = await ask(create('k'), field);
			// An empty text passes the check, and no response can carry it (content.md 5.5).
			const decision = { items: [{ accept: true }, { accept: true, response: '' }] };
			expect(await b.incomingRequests.canAccept(id, decision)).toMatchObject({ isSuccess: true });
			await expect(b.incomingRequests.accept(id, decision)).rejects.toMatchObject({
				code: 'error.runtime.unknown',
			});
			expect(await b.attributes.list()).toEqual([]);
			expect(await b.incomingRequests.get(id)).toMatchObject({ status: 'ManualDecisionRequired' });
		});

		it('completes a request whose sending is not confirmed yet', async () => {
			const request = await a.outgoingRequests.create({
				content: { items: [login] },
				peer: addressB,
			});
			const message = { recipients: [addressB], content: request.content };
			network.backbone.faults.add({
				method: 'POST',
				path: /Messages/,
				action: { kind: 'cutAfter' },
			});
			await expect(a.messages.send(message)).rejects.toMatchObject({
				code: 'error.gateway.messages.outcomeUnknown',
			});
			await expect(a.messages.send(message)).rejects.toMatchObject({
				code: 'error.gateway.messages.outcomeUnknown',
			});
			await settle(b);
			await b.incomingRequests.accept(request.id, yes);
			await settle(a);
			expect(await a.outgoingRequests.get(request.id)).toMatchObject({
				status: 'Completed',
				source: { type: 'Message' },
			});
			expect(await b.incomingRequests.list()).toHaveLength(1);
		});

		it('of another identity completes nothing', async () => {
			const id = await ask(login);
			const c = await network.gateway();
			await relate(a, c);
			const response = {
				result: 'Accepted',
				requestId: id,
				items: [{ '@type': 'AcceptResponseItem' as const, result: 'Accepted' }],
			};
			await c.messages.send({
				recipients: [addressA],
				content: {
					'@type': 'ResponseWrapper',
					requestId: id,
					requestSourceReference: 'MSG00000000000000000',
					requestSourceType: 'Message',
					response,
				},
			});
			await settle(a);
			expect(await a.outgoingRequests.get(id)).toMatchObject({ status: 'Open' });
		});
	});

	describe('to a template', () => {
		async function offer(more: object = {}, onNewRelationship: object = { items: [create('k')] }) {
			const content = { '@type': 'RelationshipTemplateContent' as const, onNewRelationship };
			const template = await a.templates.create({
				expiresAt: inOneHour(),
				content: loosely(content),
				...more,
			});
			await b.templates.loadPeer({ reference: template.truncatedReference });
			const [request] = await b.incomingRequests.list({
				query: { 'source.reference': template.id },
			});
			return { id: request?.id ?? '', template };
		}

		it('is the creation of the relationship, also when its confirmation was lost', async () => {
			const { id } = await offer();
			network.backbone.faults.add({
				method: 'POST',
				path: /Relationships$/,
				action: { kind: 'cutAfter' },
			});
			expect(await b.incomingRequests.accept(id, yes)).toMatchObject({ status: 'Decided' });
			await settle(a);
			const [relationship] = await a.relationships.list();
			expect(await a.outgoingRequests.get(id)).toMatchObject({ status: 'Completed' });
			await a.relationships.accept(relationship?.id ?? '');
			await settle(b);
			expect(await b.incomingRequests.get(id)).toMatchObject({
				status: 'Completed',
				response: { source: { type: 'Relationship', reference: relationship?.id } },
			});
			expect(await namesOf(b)).toContain('transport.relationshipChanged');
		});

		it('leaves no attribute when the templator first sees the relationship as revoked', async () => {
			const { id } = await offer();
			await b.incomingRequests.accept(id, yes);
			const [relationship] = await b.relationships.list();
			await b.relationships.revoke(relationship?.id ?? '');
			await settle(a);
			expect(await a.relationships.list()).toMatchObject([{ status: 'Revoked' }]);
			expect(await a.outgoingRequests.get(id)).toMatchObject({ status: 'Completed' });
			expect(await a.attributes.list()).toEqual([]);
		});

		it('leaves no attribute when the requestor first sees the relationship as rejected', async () => {
			const { id } = await offer();
			network.backbone.faults.add({
				method: 'POST',
				path: /Relationships$/,
				action: { kind: 'cutAfter' },
			});
			await b.incomingRequests.accept(id, yes);
			expect(await b.relationships.list()).toEqual([]);
			await settle(a);
			const [relationship] = await a.relationships.list();
			await a.relationships.reject(relationship?.id ?? '');
			await settle(b);
			expect(await b.relationships.list()).toMatchObject([{ status: 'Rejected' }]);
			expect(await b.attributes.list()).toEqual([]);
		});

		it('keeps its attribute, which others have waited for, when the requestor first sees the relationship as active', async () => {
			const waiting = await network.gateway();
			const { addressA: own, addressB: third } = await relate(b, waiting);
			const query = {
				'@type': 'ThirdPartyRelationshipAttributeQuery' as const,
				key: 'k',
				owner: '',
				thirdParty: [''],
			};
			const { content } = await waiting.outgoingRequests.create({
				content: {
					items: [
						{
							'@type': 'RegisterAttributeListenerRequestItem',
							mustBeAccepted: true,
							query: loosely(query),
						},
					],
				},
				peer: own,
			});
			await waiting.messages.send({ recipients: [own], content });
			await settle(b);
			const [registration] = await b.incomingRequests.list();
			await b.incomingRequests.accept(registration?.id ?? '', yes);
			const { id } = await offer();
			network.backbone.faults.add({
				method: 'POST',
				path: /Relationships$/,
				action: { kind: 'cutAfter' },
			});
			await b.incomingRequests.accept(id, yes);
			await settle(a);
			const [relationship] = await a.relationships.list();
			await a.relationships.accept(relationship?.id ?? '');
			const drafts = () => b.outgoingRequests.list({ query: { status: 'Draft' } });
			expect(await drafts()).toEqual([]);
			await settle(b);
			expect(await b.relationships.get(relationship?.id ?? '')).toMatchObject({
				status: 'Active',
			});
			const peer = (await a.account.getIdentity()).address;
			const [attribute, ...others] = await b.attributes.list();
			expect(others).toEqual([]);
			expect(attribute).toMatchObject({ content: { key: 'k' }, shareInfo: { peer } });
			expect(await drafts()).toMatchObject([
				{
					peer: third,
					content: { items: [{ sourceAttributeId: attribute?.id, thirdPartyAddress: peer }] },
				},
			]);
		});

		it('stays decided when the template can no longer be used, and the caller is told', async () => {
			const { id, template } = await offer({ maxNumberOfAllocations: 1 });
			await a.templates.delete(template.id);
			await expect(b.incomingRequests.accept(id, yes)).rejects.toMatchObject({
				code: expect.stringMatching(/^error\./),
			});
			expect(await b.incomingRequests.get(id)).toMatchObject({ status: 'Decided' });
			const before = network.backbone.calls.entries.length;
			await settle(b);
			const asked = network.backbone.calls.entries.slice(before).map(({ path }) => path);
			expect(asked.some((path) => path.includes('Relationships'))).toBe(false);
		});

		it('is a message when there is a relationship already', async () => {
			await relate(a, b);
			const content = {
				'@type': 'RelationshipTemplateContent' as const,
				onNewRelationship: { items: [login] },
				onExistingRelationship: { items: [create('ke')] },
			};
			const template = await a.templates.create({ expiresAt: inOneHour(), content });
			await b.templates.loadPeer({ reference: template.truncatedReference });
			const [request] = await b.incomingRequests.list();
			await b.incomingRequests.accept(request?.id ?? '', yes);
			await settle(a);
			expect(await a.outgoingRequests.list()).toMatchObject([
				{
					id: request?.id,
					status: 'Completed',
					source: { type: 'RelationshipTemplate', reference: template.id },
					response: { source: { type: 'Message' } },
				},
			]);
		});

		it('can be given by a rule, and then the relationship is there at once', async () => {
			const rule = { requestConfig: {}, responseConfig: { accept: true } };
			const automatic = await network.gateway({ ...network.config(), automation: [rule] });
			const content = {
				'@type': 'RelationshipTemplateContent' as const,
				onNewRelationship: { items: [login] },
			};
			const template = await a.templates.create({ expiresAt: inOneHour(), content });
			await automatic.templates.loadPeer({ reference: template.truncatedReference });
			expect(await automatic.incomingRequests.list()).toMatchObject([
				{ status: 'Completed', wasAutomaticallyDecided: true },
			]);
			expect(await namesOf(automatic)).toEqual([
				'transport.peerRelationshipTemplateLoaded',
				'consumption.incomingRequestReceived',
				'consumption.incomingRequestStatusChanged',
				'consumption.incomingRequestStatusChanged',
				'consumption.relationshipTemplateProcessed',
				'transport.relationshipChanged',
				'consumption.incomingRequestStatusChanged',
			]);
		});

		it('is not a secret: creating the relationship by hand takes the same response only', async () => {
			const { id, template } = await offer();
			const creation = (response: object) => ({
				templateId: template.id,
				creationContent: { '@type': 'RelationshipCreationContent' as const, response },
			});
			const foreign = {
				result: 'Accepted',
				requestId: id,
				items: [{ '@type': 'AcceptResponseItem' as const, result: 'Accepted' }],
			};
			await expect(b.relationships.create(loosely(creation(foreign)))).rejects.toMatchObject({
				code: 'error.runtime.relationships.noAcceptedIncomingRequest',
			});
			network.backbone.faults.add({
				method: 'POST',
				path: /Relationships$/,
				action: { kind: 'status', status: 503, body: {} },
				times: 100,
			});
			const { response } = await b.incomingRequests.accept(id, yes);
			network.backbone.faults.clear();
			await expect(b.relationships.create(loosely(creation(foreign)))).rejects.toMatchObject({
				code: 'error.runtime.relationships.wrongResponseProvidedAsCreationContent',
			});
			await b.relationships.create(loosely(creation(response?.content ?? {})));
			expect(await b.incomingRequests.get(id)).toMatchObject({ status: 'Completed' });
		});
	});

	it('cannot be given by a rule that does not fit its items', async () => {
		const rule = {
			requestConfig: { 'content.item.@type': 'FreeTextRequestItem' },
			responseConfig: { accept: true },
		};
		await expect(
			network.gateway({ ...network.config(), automation: [rule] }),
		).rejects.toMatchObject({
			code: 'error.runtime.decide.requestConfigDoesNotMatchResponseConfig',
		});
	});
});
