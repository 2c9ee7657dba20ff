import { create, text, ThreeGateways, type Answered } from './three-gateways';

jest.setTimeout(120_000);

/* docs/protocol/connector-7.md 4.3: creating, succeeding and notifying, with their refusals */
let world: ThreeGateways;
let number = 0;

beforeAll(async () => {
	world = await ThreeGateways.open();
	world.network.backbone.operatorTexts.tags = {
		supportedLanguages: ['en'],
		tagsForAttributeValueTypes: {
			GivenName: {
				used: { displayNames: {}, children: { daily: { displayNames: {}, children: {} } } },
			},
		},
	};
});
afterAll(() => world.close());

const given = (value: string) => text('GivenName', value);
/** a name that no other test has created */
const fresh = () => given(`Name ${number++}`);
const runtime = (name: string): string => `error.runtime.attributes.${name}`;
const consumption = (name: string): string => `error.consumption.attributes.${name}`;
const invalid = 'error.runtime.validation.invalidPropertyValue';
const unreadable = 'error.runtime.requestDeserialization';

const post = (value: object, more: object = {}) =>
	world.a.ask('POST /Attributes', { json: { content: { value, ...more } } });
const canCreate = async (value: object, more: object = {}): Promise<Answered> =>
	(await world.a.ask('PUT /Attributes/CanCreate', { json: { content: { value, ...more } } }))
		.result;
const succeed = (id: string, value: object, more: object = {}) =>
	world.a.ask(`POST /Attributes/${id}/Succeed`, {
		json: { successorContent: { value, ...more } },
	});
const notify = (id: string, peer: string) =>
	world.a.ask(`POST /Attributes/${id}/NotifyPeer`, { json: { peer, other: 'ignored' } });

describe('creating', () => {
	// shows connector-7 3: paragraph 1; connector-7 4: POST; generation-7 3: composite values;
	// generation-7 6: begins with x: or X; begins with urn: (lower case); begins with language:
	// (lower case)
	it('makes one attribute, of a composite value too', async () => {
		const value = {
			...{ '@type': 'StreetAddress', recipient: 'Ada', street: 'Way', houseNo: '1' },
			...{ zipCode: '12345', city: 'Town', country: 'DE' },
		};
		const created = await post(value, { tags: ['x:home', 'language:de', 'urn:any'] });
		expect([created.error, created.status]).toEqual([undefined, 201]);
		expect(created.result.content.value).toEqual(value);
		expect(created.result).toMatchObject({ '@type': 'OwnIdentityAttribute', numberOfForwards: 0 });
		const successor = await succeed(created.result.id, { ...value, houseNo: '2' });
		expect(successor.status).toBe(201);
		const records = await world.a.http.gateway.attributes.list();
		expect(records.filter(({ parentId }) => parentId !== undefined)).toEqual([]);
	});

	// shows connector-7 4: PUT /CanCreate; connector-7 4.3: Create; CanCreate;
	// connector-7 10: error.consumption.attributes.; generation-7 4.1:
	// API schema; generation-7 5: own attribute is created; CanCreate of an own attribute;
	// generation-7 6: begins with mimetype: (lower case); anything else, also ""; paragraph 3;
	// generation-7 8.1: AP, invalidTags
	it.each([
		['another shape', { '@type': 'GivenName' }, {}, invalid, /^GivenName :: value/],
		['an unknown member', { ...given('X'), more: 1 }, {}, invalid, /^GivenName :: more/],
		...[
			{ '@type': 'BankAccount', accountHolder: 'Ada', iban: 'DE79100000000000424242' },
			text('MaritalStatus', 'single'),
			{ '@type': 'SchematizedJSON', value: { a: 1 } },
			{ '@type': 'VerifiableCredential', value: 'a', type: 'dc+sd-jwt' },
		].map((value) => {
			const type = value['@type'];
			const shown = new RegExp(`^${type} :: more`);
			return [`an unknown member of a ${type}`, { ...value, more: 1 }, {}, invalid, shown] as const;
		}),
		['a type of version 6', text('City', 'Town'), {}, invalid, /^City :: /],
		['a text that is too long', given('x'.repeat(101)), {}, unreadable, /./],
		[
			'a dash that DIN 91379 does not have',
			given('Ada – B'),
			{},
			consumption('forbiddenCharactersInAttribute'),
			/^error\.consumption\.attributes\.forbiddenCharactersInAttribute: 'The Attribute contains forbidden characters\.' at \d{4}-.*Z$/,
		],
		[
			'accents of their own',
			given('Jose\u0301'),
			{},
			consumption('forbiddenCharactersInAttribute'),
			/forbidden characters/,
		],
		[
			'tags without a meaning',
			given('Tagged'),
			{ tags: ['x:fine', 'other', 'bkb:used', 'mimetype:a/b1'] },
			consumption('invalidTags'),
			/^Detected invalidity of the following tags: 'other', 'bkb:used', 'mimetype:a\/b1'\.$/,
		],
	])('refuses %s', async (_name, value, more, code, message) => {
		const { status, error } = await post(value, more);
		expect([status, error.code]).toEqual([400, code]);
		expect(error.message).toMatch(message);
		const checked = await canCreate(value, more);
		if (code === consumption('forbiddenCharactersInAttribute')) {
			expect(checked).toEqual({ isSuccess: true });
		} else {
			const expected = code === unreadable ? invalid : code;
			expect(checked).toEqual({ isSuccess: false, code: expected, message: error.message });
		}
	});

	// shows connector-7 4: GET /TagCollection; connector-7 7: paragraph 1; generation-7 6: begins
	// with bkb: (any case); paragraph 2; create, CanCreate, succeed an own
	it('takes tags of the collection for this type of value only', async () => {
		expect((await post(fresh(), { tags: ['bkb:used:daily'] })).status).toBe(201);
		const other = await post(text('Surname', 'Tagged'), { tags: ['bkb:used:daily'] });
		expect(other.error.code).toBe(consumption('invalidTags'));
		const { status, result } = await world.a.ask('GET /Attributes/TagCollection');
		expect([status, result]).toEqual([200, world.network.backbone.operatorTexts.tags]);
	});

	// shows connector-7 4.3: Create; CanCreate; paragraph 1; connector-7 10:
	// error.runtime.attributes.isNotRepositoryAttribute,
	// ...cannotCreateDuplicateRepositoryAttribute, ...setDefaultRepositoryAttributesIsDisabled;
	// generation-7 4.1: equal value (duplicates, "already
	it('refuses an equal value, until it is replaced', async () => {
		const value = fresh();
		const { id } = await create(world.a, value);
		const again = await post(given(`  ${value.value}  `));
		expect([again.status, again.error.code, again.error.message]).toEqual([
			400,
			runtime('cannotCreateDuplicateOwnIdentityAttribute'),
			`The OwnIdentityAttribute cannot be created because it has the same content.value as the already existing OwnIdentityAttribute with id '${id}'.`,
		]);
		expect(await canCreate(value)).toMatchObject({ isSuccess: false, code: again.error.code });
		await succeed(id, fresh());
		expect(await canCreate(value)).toEqual({ isSuccess: true });
	});

	it('refuses a body with other members', async () => {
		for (const json of [
			{},
			{ content: { ...fresh(), validFrom: 'x' } },
			{ content: {}, more: 1 },
		]) {
			expect((await world.a.ask('POST /Attributes', { json })).error.code).toBe(invalid);
			expect((await world.a.ask('PUT /Attributes/CanCreate', { json })).status).toBe(400);
		}
	});
});

describe('succeeding an identity attribute', () => {
	// shows connector-7 4: POST /{predecessorId}/Succeed; connector-7 4.3: Succeed, identity;
	// generation-7 9: succession
	it('links both versions and tells no peer', async () => {
		const first = await create(world.a, fresh(), { tags: ['x:one'] });
		await world.share(world.a, world.b, first);
		const { status, result } = await succeed(first.id, fresh());
		expect(status).toBe(201);
		expect(Object.keys(result).sort()).toEqual(['predecessor', 'successor']);
		const { predecessor, successor } = result;
		expect(predecessor).toEqual({ ...first, succeededBy: successor.id, numberOfForwards: 1 });
		expect(successor).toMatchObject({ succeeds: first.id, numberOfForwards: 0 });
		expect(successor.content.tags).toBeUndefined();
	});

	// shows connector-7 4: paragraph 1; connector-7 4.3: Succeed, identity; paragraph 1; paragraph
	// 2; connector-7 10: error.runtime.attributes.isNotRepositoryAttribute,
	// ...cannotCreateDuplicateRepositoryAttribute, ...setDefaultRepositoryAttributesIsDisabled;
	// generation-7 5: own attribute is succeeded (any kind), a
	it('refuses with the codes of version 7', async () => {
		const value = fresh();
		const { id } = await create(world.a, value);
		const rows = [
			[id, given('x'.repeat(101)), {}, consumption('successorIsNotAValidAttribute')],
			[id, { '@type': 'GivenName' }, {}, invalid],
			[id, fresh(), { tags: ['other'] }, consumption('invalidTags')],
			[id, value, {}, consumption('successionMustChangeContent')],
			[id, text('Surname', 'X'), {}, consumption('successionMustNotChangeValueType')],
			[id, given('–'), {}, consumption('forbiddenCharactersInAttribute')],
		] as const;
		for (const [one, content, more, code] of rows) {
			const { status, error } = await succeed(one, content, more);
			expect([status, error.code]).toEqual([400, code]);
		}
		await succeed(id, fresh());
		const twice = await succeed(id, given('–'));
		expect(twice.error.code).toBe(consumption('cannotSucceedAttributesWithASuccessor'));
		for (const unknown of ['ATT00000000000000000', 'something']) {
			const { status, error } = await succeed(unknown, fresh());
			expect([status, error.code, error.message]).toEqual([
				404,
				'error.runtime.recordNotFound',
				`Predecessor attribute '${unknown}' not found.`,
			]);
		}
		const bea = await create(world.b, fresh());
		await world.share(world.b, world.a, bea);
		const [peers] = (await world.a.ask('GET /Attributes?@type=PeerIdentityAttribute')).result;
		const { error } = await succeed(peers.id, fresh());
		expect([error.code, error.message]).toEqual([
			runtime('isNotOwnIdentityAttribute'),
			`The Attribute '${peers.id}' is not an OwnIdentityAttribute.`,
		]);
	});
});

const proprietary = (value: string) => ({ '@type': 'ProprietaryString', title: 'Customer', value });

describe('succeeding a relationship attribute', () => {
	// shows connector-7 4: POST /{predecessorId}/Succeed; connector-7 4.3: Succeed, relationship;
	// generation-7 9: succession
	it('keeps all but the value, and tells the peer at once', async () => {
		const { a, b } = world;
		const own = await world.relationshipAttribute(a, 'kept', { isTechnical: true });
		const { status, result } = await succeed(own.id, proprietary('new'));
		expect([status, result.notificationId]).toEqual([201, expect.stringMatching(/^NOT/)]);
		expect(result.successor).toMatchObject({
			succeeds: own.id,
			sourceReference: result.notificationId,
			content: { ...own.content, value: proprietary('new') },
		});
		await world.sync();
		const [theirs] = (await b.ask(`GET /Attributes?content.key=kept&succeeds=${own.id}`)).result;
		expect(theirs).toMatchObject({ id: result.successor.id, peer: a.address });
	});

	// shows connector-7 4.3: Succeed, relationship; connector-7 10: ...isNotOwnSharedAttribute;
	// generation-7 5: own attribute is succeeded (any kind), a
	it('refuses with the codes of version 7', async () => {
		const { a, b } = world;
		const own = await world.relationshipAttribute(a, 'refusing');
		const rows = [
			[own.id, proprietary(''.padEnd(5_000, 'x')), {}, unreadable],
			[own.id, proprietary('new'), { tags: ['x:one'] }, invalid],
			[own.id, own.content.value, {}, consumption('successionMustChangeContent')],
			[
				own.id,
				{ '@type': 'ProprietaryInteger', title: 'Customer', value: 1 },
				{},
				consumption('successionMustNotChangeValueType'),
			],
			[own.id, proprietary('–'), {}, consumption('forbiddenCharactersInAttribute')],
		] as const;
		for (const [id, value, more, code] of rows) {
			const { status, error } = await succeed(id, value, more);
			expect([status, error.code]).toEqual([400, code]);
		}
		const theirs = await world.relationshipAttribute(b, 'refusing-theirs');
		const { error } = await succeed(theirs.id, proprietary('new'));
		expect([error.code, error.message]).toEqual([
			runtime('isNotOwnRelationshipAttribute'),
			`The Attribute '${theirs.id}' is not an OwnRelationshipAttribute.`,
		]);
	});

	// shows connector-7 3: paragraph 3; connector-7 4.3: Succeed, relationship; connector-7 8:
	// Delete; generation-7 8.7: paragraph 2
	it('goes on while the peer is about to delete it, and not when the peer has', async () => {
		const { a, b } = world;
		const own = await world.relationshipAttribute(a, 'leaving');
		await world.request(
			a,
			b,
			{ '@type': 'DeleteAttributeRequestItem', mustBeAccepted: true, attributeId: own.id },
			{ deletionDate: new Date(Date.now() + 86_400_000).toISOString() },
		);
		const marked = await a.ask(
			'GET /Attributes?deletionInfo.deletionStatus=ToBeDeletedByRecipient',
		);
		expect(marked.result).toMatchObject([{ id: own.id }]);
		expect((await succeed(own.id, proprietary('still'))).status).toBe(201);

		const left = await world.relationshipAttribute(a, 'left');
		const { result: told } = await b.ask(`DELETE /Attributes/${left.id}`);
		expect(told.notificationIds).toHaveLength(1);
		await world.sync();
		const gone = await a.ask('GET /Attributes?deletionInfo.deletionStatus=DeletedByRecipient');
		expect(gone.result).toMatchObject([{ id: left.id }]);
		const later = await succeed(left.id, proprietary('later'));
		expect([later.status, later.error.code]).toEqual([
			400,
			consumption('cannotSucceedSharedAttributesDeletedByPeer'),
		]);
	});
});

describe('notifying a peer', () => {
	// shows connector-7 4: POST /{id}/NotifyPeer; connector-7 4.3: NotifyPeer; connector-7 10:
	// ...repositoryAttributeHasAlreadyBeenSharedWithPeer; generation-7 9: no copies
	it('gives it this version in place of the newest that it has', async () => {
		const { a, b } = world;
		const first = await create(a, fresh());
		await world.share(a, b, first);
		const second = (await succeed(first.id, fresh())).result.successor;
		const third = (await succeed(second.id, fresh())).result.successor;
		const { status, result } = await notify(third.id, b.address);
		expect([status, result.notificationId]).toEqual([201, expect.stringMatching(/^NOT/)]);
		expect(result.predecessor).toMatchObject({ id: first.id, '@type': 'OwnIdentityAttribute' });
		expect(result.successor).toEqual({ ...third, numberOfForwards: 1 });
		const details = await a.ask(`GET /Attributes/${third.id}/ForwardingDetails`);
		expect(details.result).toMatchObject([
			{ peer: b.address, sourceReference: result.notificationId },
		]);
		await world.sync();
		const value = encodeURIComponent(third.content.value.value);
		const theirs = await b.ask(`GET /Attributes/Peer/${a.address}?content.value.@type=GivenName`);
		expect(JSON.stringify(theirs.result)).toContain(decodeURIComponent(value));

		const shown = (await a.ask(`GET /Attributes/Own/Shared/${b.address}`)).result;
		expect(shown.map(({ id }: Answered) => id)).toContain(third.id);
		expect(shown.map(({ id }: Answered) => id)).not.toContain(first.id);
		const again = await notify(third.id, b.address);
		expect([again.status, again.error.code, again.error.message]).toEqual([
			400,
			runtime('ownIdentityAttributeHasAlreadyBeenSharedWithPeer'),
			`The OwnIdentityAttribute '${third.id}' has already been shared with peer '${b.address}'.'.`,
		]);
		const earlier = await notify(second.id, b.address);
		expect([earlier.status, earlier.error.code, earlier.error.message]).toEqual([
			400,
			runtime('successorOfOwnIdentityAttributeHasAlreadyBeenSharedWithPeer'),
			`A successor '${third.id}' of the OwnIdentityAttribute '${second.id}' has already been shared with peer '${b.address}'.'.`,
		]);
	});

	// shows connector-7 4: POST /{id}/NotifyPeer; connector-7 4.3: NotifyPeer; connector-7 10:
	// ...noPreviousVersionOfRepositoryAttributeHasBeenSharedWithPeerBefore,
	// ...cannotSucceedAttributesWithDeletionInfo
	it('refuses a peer without a version, and other kinds', async () => {
		const { a, b, c } = world;
		const { id } = await create(a, fresh());
		const { status, error } = await notify(id, c.address);
		expect([status, error.code, error.message]).toEqual([
			400,
			runtime('peerHasNoPreviousVersionOfAttribute'),
			`The peer '${c.address}' doesn't have any previous version of the Attribute '${id}'. Either you haven't shared it before or the peer has deleted it.`,
		]);
		const own = await world.relationshipAttribute(a, 'not-notified');
		expect((await notify(own.id, b.address)).error.code).toBe(runtime('isNotOwnIdentityAttribute'));
		expect((await notify('ATT00000000000000000', b.address)).status).toBe(404);
		expect((await notify('something', b.address)).status).toBe(400);
		expect((await notify(id, 'something')).error.code).toBe(invalid);
	});
});
