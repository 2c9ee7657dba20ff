import { collectErrors } from '../../scripts/docs/error-reference';
import { sourceFiles } from '../../scripts/docs/source-files';
import {
	codesIn,
	consent,
	give,
	givenName,
	no,
	read,
	World,
	yes,
	type Answered,
} from './support/world';
import { textsIn } from './support/texts';

jest.setTimeout(60_000);

/* docs/protocol/interface-summary.md 7: exact codes, and those that are never answered any more */
let world: World;
beforeAll(async () => {
	world = await World.open();
});
afterAll(() => world.close());

const catalogue = new Set(collectErrors().map(({ code }) => code));
const sources = sourceFiles('core').concat(sourceFiles('nodes'));
const isWritten = (text: string): boolean => sources.some((file) => textsIn(file).includes(text));

const canAccept = async (id: string, ...items: object[]): Promise<Answered> =>
	await world.b.client.ask('incomingRequests.canAccept', id, { items });

it('interface 7: paragraph 1 | codes arrive exactly as the catalogue has them', async () => {
	const { error } = await world.a.http.ask('GET /Files/FILaaaaaaaaaaaaaaaaa');
	expect(error.code).toBe('error.runtime.recordNotFound');
	const thrown = world.a.http.gateway.files.get('FILaaaaaaaaaaaaaaaaa');
	await expect(thrown).rejects.toMatchObject({ code: error.code });
	expect(catalogue).toContain(error.code);
	expect([...catalogue].filter((code) => !/^error(\.[A-Za-z0-9-]+){2,}$/.test(code))).toEqual([]);
});

describe('attributes and queries', () => {
	const mismatch = 'error.consumption.requests.attributeQueryMismatch';

	it('interface 7: error.consumption.requests.attributeQueryMismatch | when a proposal does not fit its own query', async () => {
		const item = (tags?: string[]) => ({
			'@type': 'ProposeAttributeRequestItem',
			mustBeAccepted: true,
			query: { '@type': 'IdentityAttributeQuery', valueType: 'GivenName', tags },
			attribute: { '@type': 'IdentityAttribute', owner: '', value: givenName('Ada') },
		});
		expect((await world.validate(item())).isSuccess).toBe(true);
		const { items } = await world.validate(item(['x:nickname']));
		expect(items).toMatchObject([{ isSuccess: false, code: mismatch }]);
	});

	it('interface 7: error.consumption.requests.attributeQueryMismatch | when an answer does not fit the query', async () => {
		const id = await world.sendRequest(read('GivenName'));
		const right = await canAccept(id, give(world.b.address, givenName('Ada')));
		expect(right.isSuccess).toBe(true);
		const surname = { '@type': 'Surname', value: 'Lovelace' };
		const { items } = await canAccept(id, give(world.b.address, surname));
		expect(items).toMatchObject([{ isSuccess: false, code: mismatch }]);
		const { status, error } = await world.b.http.ask(`PUT /Requests/Incoming/${id}/Accept`, {
			json: { items: [give(world.b.address, surname)] },
		});
		expect(status).toBe(400);
		expect(error.message).toMatch(/does not fit the query/);
	});

	const invalidParameters = 'error.consumption.requests.invalidAcceptParameters';

	it('interface 7: error.consumption.requests.invalidAcceptParameters | when a relationship query is answered with an existing attribute', async () => {
		const own = await world.createAttribute(givenName('Existing'), world.b);
		const id = await world.sendRequest({
			'@type': 'ReadAttributeRequestItem',
			mustBeAccepted: true,
			query: {
				'@type': 'RelationshipAttributeQuery',
				key: 'number',
				owner: '',
				attributeCreationHints: {
					title: 'Number',
					valueType: 'ProprietaryString',
					confidentiality: 'public',
				},
			},
		});
		const fresh = {
			accept: true,
			newAttribute: {
				'@type': 'RelationshipAttribute',
				owner: world.b.address,
				key: 'number',
				confidentiality: 'public',
				value: { '@type': 'ProprietaryString', title: 'Number', value: '42' },
			},
		};
		expect((await canAccept(id, fresh)).isSuccess).toBe(true);
		const existing = { accept: true, existingAttributeId: own.id };
		expect(codesIn(await canAccept(id, existing))).toContain(invalidParameters);
	});

	it('interface 7: error.consumption.requests.invalidAcceptParameters | when a third-party query is answered with a new attribute', async () => {
		const id = await world.sendRequest({
			'@type': 'ReadAttributeRequestItem',
			mustBeAccepted: true,
			query: {
				'@type': 'ThirdPartyRelationshipAttributeQuery',
				key: 'number',
				owner: '',
				thirdParty: [(await world.stranger()).address],
			},
		});
		const newAttribute = {
			'@type': 'RelationshipAttribute',
			owner: world.b.address,
			key: 'number',
			confidentiality: 'public',
			value: { '@type': 'ProprietaryString', title: 'Number', value: '42' },
		};
		expect(codesIn(await canAccept(id, { accept: true, newAttribute }))).toContain(
			invalidParameters,
		);
	});

	it('interface 7: error.consumption.attributes.wrongOwnerOfRepositoryAttribute | when an attribute of another identity is to be created', async () => {
		const id = await world.sendRequest({
			'@type': 'ReadAttributeRequestItem',
			mustBeAccepted: true,
			query: { '@type': 'IdentityAttributeQuery', valueType: 'City' },
		});
		const before = await world.b.client.ask('attributes.getOwnRepositoryAttributes', {});
		const foreign = give(world.a.address, { '@type': 'City', value: 'Elsewhere' });
		expect((await canAccept(id, foreign)).isSuccess).toBe(false);
		expect(await world.b.client.ask('attributes.getOwnRepositoryAttributes', {})).toEqual(before);
		expect(isWritten('error.consumption.attributes.invalidPropertyValue')).toBe(false);
	});
});

describe('decisions', () => {
	const accepted = 'error.consumption.requests.decide.validation.itemAcceptedButRequestNotAccepted';

	it('interface 7: error.consumption.requests.decide.validation.itemAcceptedButRequestNotAccepted | when a request is rejected with an item that is not', async () => {
		const id = await world.sendRequest(consent(), consent());
		const can = async (...items: object[]): Promise<Answered> =>
			await world.b.client.ask('incomingRequests.canReject', id, { items });
		expect((await can(no, no)).isSuccess).toBe(true);
		const result = await can(no, yes);
		expect(result.items).toMatchObject([{ isSuccess: true }, { code: accepted }]);
		expect((await canAccept(id, yes, yes)).isSuccess).toBe(true);
		expect(isWritten(accepted.replace('RequestNot', 'ParentNot'))).toBe(false);
	});

	it('interface 7: error.consumption.validation.inheritedFromItem | when something below is wrong', async () => {
		const id = await world.sendRequest({ '@type': 'RequestItemGroup', items: [consent()] });
		const result = await canAccept(id, { items: [no] });
		const inherited = 'error.consumption.validation.inheritedFromItem';
		expect(result).toMatchObject({ code: inherited, items: [{ code: inherited }] });
		expect((await canAccept(id, { items: [yes] })).code).toBeUndefined();
		expect(catalogue).not.toContain('inheritedFromItem');
		expect(isWritten('error.consumption.requests.validation.inheritedFromItem')).toBe(false);
	});
});

describe('messages', () => {
	const missing = 'error.transport.messages.missingOrInactiveRelationship';
	const post = async (recipient: string): Promise<Answered> =>
		await world.a.http.ask('POST /Messages', {
			json: {
				recipients: [recipient],
				content: { '@type': 'Mail', to: [recipient], subject: 'Hello', body: '' },
			},
		});

	it('interface 7: error.transport.messages.missingOrInactiveRelationship | when there is no relationship, or it is not active', async () => {
		const c = await world.stranger();
		const refused = async (): Promise<void> => {
			const { status, error } = await post(c.address);
			expect([status, error.code]).toEqual([400, missing]);
		};
		await refused();
		const { id } = await world.pending(c);
		await refused();
		await world.a.client.ask('relationships.acceptRelationship', id);
		expect((await post(c.address)).status).toBe(201);
		await world.a.client.ask('relationships.terminateRelationship', id);
		await refused();
		expect(isWritten(missing.replace('missingOrInactive', 'noMatching'))).toBe(false);
	});
});

describe('notifications', () => {
	it('interface 7: error.runtime.notifications.cannotSaveSentNotificationFromPeerMessage | when the message was received', async () => {
		const own = await world.createAttribute({ '@type': 'DisplayName', value: 'Example Org' });
		const id = await world.sendRequest({
			'@type': 'ShareAttributeRequestItem',
			mustBeAccepted: true,
			attribute: own.content,
			sourceAttributeId: own.id,
		});
		await world.b.client.ask('incomingRequests.accept', id, { items: [yes] });
		await world.sync();
		const [copy] = await world.a.client.ask('attributes.getSharedVersionsOfAttribute', own.id, {});
		await world.a.client.ask('attributes.deleteOwnSharedAttributeAndNotifyPeer', copy.id);
		await world.sync();
		const [sent] = await world.a.http.gateway.localNotifications.list();
		const messageId = sent?.source.reference ?? '';
		expect(await world.a.http.gateway.localNotifications.sent(messageId)).toEqual(sent);
		const code = 'error.runtime.notifications.cannotSaveSentNotificationFromPeerMessage';
		const saving = world.b.http.gateway.localNotifications.sent(messageId);
		await expect(saving).rejects.toMatchObject({ code });
		expect(isWritten(code.replace('SaveSent', 'SaveSend'))).toBe(false);
	});
});

it('interface 7: point 1; interface 9: Version 4 to 5 changes.9 | what is wrong is told in words, on sending and on responding', async () => {
	const sending = await world.a.http.ask('POST /Requests/Outgoing', {
		json: {
			content: { items: [{ ...consent(), mustBeAccepted: 'yes' }] },
			peer: world.b.address,
		},
	});
	expect(sending.status).toBe(400);
	expect(sending.error.message).toMatch(/mustBeAccepted/);
	const id = await world.sendRequest(consent());
	const result = await canAccept(id, no);
	expect(result.items[0].message).toBe('The item must be accepted when the request is accepted.');
});

/** Codes of former versions: neither in a catalogue nor anywhere else in the sources. */
const neverEmitted = (code: string): void => {
	expect(catalogue).not.toContain(code);
	expect(isWritten(code)).toBe(false);
};

describe('removed codes', () => {
	it('interface 7: error.runtime.MultiAccount.WrongRealm | is never answered', () => {
		neverEmitted('error.runtime.MultiAccount.WrongRealm');
	});

	it('interface 7: error.transport.identity.realmLength | is never answered', () => {
		neverEmitted('error.transport.identity.realmLength');
	});

	it('interface 7: error.transport.relationships.wrongChangeStatus | is never answered; the status of the relationship counts', async () => {
		neverEmitted('error.transport.relationships.wrongChangeStatus');
		const answer = await world.a.http.ask(`PUT /Relationships/${world.relationshipId}/Accept`);
		expect(answer.error.code).toBe('error.transport.relationships.wrongRelationshipStatus');
	});

	it('interface 7: error.transport.datawallet.encryptedPayloadIsNoCipher | is never answered', () => {
		neverEmitted('error.transport.datawallet.encryptedPayloadIsNoCipher');
	});

	it('interface 7: error.transport.files.fileContentUndefined | is never answered; a missing file is a missing property', async () => {
		neverEmitted('error.transport.files.fileContentUndefined');
		const { status, error } = await world.a.http.ask('POST /Files/Own', { body: new FormData() });
		expect([status, error.code]).toEqual([400, 'error.runtime.validation.invalidPropertyValue']);
	});

	it('interface 7: error.transport.secrets.wrongSecretType | has no older name', () => {
		expect(catalogue).toContain('error.transport.secrets.wrongSecretType');
		neverEmitted('error.transport.secrets.wrongBaseKeyType');
	});
});
