import { inOneHour, settle } from '../../support/gateways';
import { allWork, filtered } from '../support/filters';
import { consent, givenName, World, yes, type Answered, type Side } from '../support/world';

jest.setTimeout(60_000);

/* docs/protocol/http-api.md 18.1, 18.2: messages, outgoingRequests, relationships */
let world: World;
beforeAll(async () => {
	world = await World.open();
});
afterAll(() => world.close());

describe('messages', () => {
	const mail = (change: object = {}) => ({
		'@type': 'Mail',
		to: [world.b.address],
		cc: [],
		subject: 'Hello',
		body: 'Text',
		...change,
	});
	const send = async (content: object, more: object = {}): Promise<Answered> =>
		await world.a.http.ask('POST /Messages', {
			json: { recipients: [world.b.address], content, ...more },
		});

	it('http-api 18.1: messages 1; http-api 18.1: messages 2; http-api 18.1: messages 3 | a mail with an attachment arrives exactly as it was sent', async () => {
		const file = await world.a.client.ask('files.uploadOwnFile', {
			title: 'A note',
			expiresAt: inOneHour(),
			filename: 'note.txt',
			file: Buffer.from('Text'),
		});
		const { status, result } = await send(mail(), { attachments: [file.id] });
		expect(status).toBe(201);
		await settle(world.b.http.gateway);
		const list = (await world.b.http.ask('GET /Messages')).result;
		expect(list).toMatchObject([{ id: result.id, content: mail(), attachments: [file.id] }]);
		expect(list[0].content).toEqual(mail());
		const one = (await world.b.http.ask(`GET /Messages/${result.id}`)).result;
		expect(one).toMatchObject({ content: mail(), attachments: [{ id: file.id, isOwn: false }] });
	});

	it('http-api 18.1: messages 4; http-api 18.2: mail recipients empty, missing | a mail needs recipients of its own', async () => {
		for (const [to, message] of [
			[[], 'Mail.to:Array :: may not be empty'],
			[undefined, 'Mail.to :: Value is not defined'],
		] as const) {
			const { status, error } = await send(mail({ to }));
			expect([status, error.code, error.message]).toEqual([
				400,
				'error.runtime.requestDeserialization',
				message,
			]);
		}
	});

	it('http-api 18.1: messages 5; http-api 18.1: paragraph 1 | every filter finds a message by its own values only', async () => {
		const file = await world.a.client.ask('files.uploadOwnFile', {
			title: 'A note',
			expiresAt: inOneHour(),
			filename: 'note.txt',
			file: Buffer.from('Text'),
		});
		const { result } = await send(mail({ subject: 'Filtered', body: 'By body' }), {
			attachments: [file.id],
		});
		await settle(world.b.http.gateway);
		await world.b.http.gateway.messages.markAsRead(result.id);
		const [message] = (await world.b.http.ask(`GET /Messages?content.subject=Filtered`)).result;
		const fields = [
			...['createdBy', 'createdByDevice', 'createdAt', 'content.@type', 'content.body'],
			...['content.subject', 'attachments', 'recipients.address', 'wasReadAt', 'isOwn'],
			'recipients.relationshipId',
		];
		expect(await filtered(world.b, 'Messages', message, fields)).toEqual(allWork(fields));
		const participants = async (...all: string[]): Promise<string[]> => {
			const query = all.map((one) => `participant=${one}`).join('&');
			const found = (await world.b.http.ask(`GET /Messages?${query}`)).result;
			return found.map((one: Answered) => one.id);
		};
		const nobody = `${world.a.address.slice(0, -4)}XXXX`;
		expect(await participants(world.a.address)).toContain(message.id);
		expect(await participants(world.a.address, nobody)).toContain(message.id);
		expect(await participants(nobody, nobody)).toEqual([]);
		expect(await participants(nobody)).toEqual([]);
	});
});

describe('outgoing requests', () => {
	it('http-api 18.1: outgoingRequests 1 | a created request is a draft with its items', async () => {
		const { status, result } = await world.a.http.ask('POST /Requests/Outgoing', {
			json: { content: { items: [consent()] }, peer: world.b.address },
		});
		expect([status, result]).toMatchObject([
			201,
			{ status: 'Draft', isOwn: true, peer: world.b.address, content: { items: [consent()] } },
		]);
	});

	it('http-api 18.1: outgoingRequests 2; http-api 18.1: paragraph 1 | every filter finds one by its own values only', async () => {
		const id = await world.sendRequest(
			{ ...consent(), title: 'Alone' },
			{ '@type': 'RequestItemGroup', items: [consent()] },
		);
		await world.b.client.ask('incomingRequests.accept', id, { items: [yes, { items: [yes] }] });
		await world.sync();
		const request = await world.a.client.ask('outgoingRequests.getRequest', id);
		expect(request.status).toBe('Completed');
		const fields = [
			...['id', 'peer', 'createdAt', 'status', 'content.items.@type', 'source.type'],
			...['source.reference', 'response.createdAt', 'response.source.type'],
			...['response.source.reference', 'response.content.result'],
			'response.content.items.@type',
		];
		expect(await filtered(world.a, 'Requests/Outgoing', request, fields)).toEqual(allWork(fields));
		const [first, ...groups] = request.content.items;
		const nested = { ...request, content: { items: groups } };
		expect(first['@type']).toBe('ConsentRequestItem');
		expect(
			await filtered(world.a, 'Requests/Outgoing', nested, ['content.items.items.@type']),
		).toEqual(allWork(['content.items.items.@type']));
	});
});

describe('relationships', () => {
	const both = async (id: string, other: Side): Promise<Answered[]> => {
		await settle(world.a.http.gateway);
		await settle(other.http.gateway);
		return await Promise.all(
			[world.a, other].map(({ client }) => client.ask('relationships.getRelationship', id)),
		);
	};
	const put = async (side: Side, id: string, tail: string): Promise<void> => {
		const { status } = await side.http.ask(`PUT /Relationships/${id}/${tail}`);
		expect([tail, status]).toEqual([tail, 200]);
	};
	const expectLast = (all: Answered[], status: string, reason: string): void => {
		for (const relationship of all) {
			expect(relationship.status).toBe(status);
			expect(relationship.auditLog.at(-1).reason).toBe(reason);
		}
	};

	it('http-api 18.1: relationships 1 | one of a template is active on both sides once it is accepted', async () => {
		const c = await world.stranger();
		const { id } = await world.pending(c);
		expectLast(await both(id, c), 'Pending', 'Creation');
		await put(world.a, id, 'Accept');
		expectLast(await both(id, c), 'Active', 'AcceptanceOfCreation');
	});

	it('http-api 18.1: relationships 2; http-api 18.1: paragraph 1 | filters find one by its own values only', async () => {
		await world.pending(await world.stranger());
		const [relationship] = await world.a.client.ask('relationships.getRelationships', {});
		const fields = ['peer', 'status', 'template.id'];
		expect(await filtered(world.a, 'Relationships', relationship, fields)).toEqual(allWork(fields));
	});

	it('http-api 18.1: relationships 3 | rejected or revoked, it is so on both sides, with the reason', async () => {
		const c = await world.stranger();
		const rejected = await world.pending(c);
		await put(world.a, rejected.id, 'Reject');
		expectLast(await both(rejected.id, c), 'Rejected', 'RejectionOfCreation');
		const d = await world.stranger();
		const revoked = await world.pending(d);
		await put(d, revoked.id, 'Revoke');
		expectLast(await both(revoked.id, d), 'Revoked', 'RevocationOfCreation');
	});

	it('http-api 18.1: relationships 4 | terminated, its reactivation is rejected, revoked, and accepted at last', async () => {
		const c = await world.stranger();
		const { id } = await world.pending(c);
		await put(world.a, id, 'Accept');
		await both(id, c);
		await put(world.a, id, 'Terminate');
		expectLast(await both(id, c), 'Terminated', 'Termination');
		for (const [side, tail, status, reason] of [
			[c, 'Reject', 'Terminated', 'RejectionOfReactivation'],
			[world.a, 'Revoke', 'Terminated', 'RevocationOfReactivation'],
			[c, 'Accept', 'Active', 'AcceptanceOfReactivation'],
		] as const) {
			await put(world.a, id, 'Reactivate');
			expectLast(await both(id, c), 'Terminated', 'ReactivationRequested');
			await put(side, id, `Reactivate/${tail}`);
			expectLast(await both(id, c), status, reason);
		}
	});

	it('http-api 18.1: relationships 5 | decomposed, nothing of it is left on one side and then on the other', async () => {
		const own = await world.createAttribute(givenName('Shared'));
		const id = await world.sendRequest({
			'@type': 'ShareAttributeRequestItem',
			mustBeAccepted: true,
			attribute: own.content,
			sourceAttributeId: own.id,
		});
		await world.b.client.ask('incomingRequests.accept', id, { items: [yes] });
		await world.sync();
		const { a, b, relationshipId } = world;
		const sharedAt = async ({ http }: Side): Promise<number> =>
			(await http.gateway.attributes.list()).filter((one) => one.shareInfo !== undefined).length;
		expect([await sharedAt(a), await sharedAt(b)]).toEqual([1, 1]);
		await put(a, relationshipId, 'Terminate');
		await settle(b.http.gateway);
		for (const [side, other] of [
			[a, b],
			[b, undefined],
		] as const) {
			const { status } = await side.http.ask(`DELETE /Relationships/${relationshipId}`);
			expect(status).toBe(204);
			expect((await side.http.ask(`GET /Relationships/${relationshipId}`)).status).toBe(404);
			expect(await sharedAt(side)).toBe(0);
			if (other === undefined) continue;
			await settle(other.http.gateway);
			const seen = await other.http.ask(`GET /Relationships/${relationshipId}`);
			expect(seen.result.status).toBe('DeletionProposed');
		}
	});
});
