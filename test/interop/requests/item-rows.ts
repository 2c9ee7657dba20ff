import type { JsonObject } from '../../../core/model/json';
import type { Kind, Side } from './side';

/** Where the items of a row stand: which must be accepted, which may, and two of each in a group. */
export type Four<Value> = readonly [Value, Value, Value, Value];

export interface ItemRow {
	/** without `RequestItem` */
	readonly type: string;
	/** which of several rows of the type it is */
	readonly variety?: string;
	/** What tells the four apart, without `@type` and `mustBeAccepted`. */
	items(sender: Side, recipient: Side, channel: Channel): Promise<Four<JsonObject>>;
	/** What accepting takes beside `accept`. */
	accept?(item: JsonObject, recipient: Side): JsonObject;
	/** Why it cannot be in a template. */
	readonly notInTemplates?: string;
	/** Why only wallets of version 6 read it: what version 7 does instead. */
	readonly onlyIn6?: string;
	/**
	 * Which creator of a template ignores the acceptance, and why: official runtimes check the
	 * request again when the answer comes (docs/protocol/consumption.md 4.6).
	 */
	readonly unheardBy?: Partial<Record<Kind, string>>;
}

export type Channel = 'message' | 'template';

let counter = 0;
const unique = (): string => `v${++counter}`;

const identity = (owner: string, type: string): JsonObject => ({
	'@type': 'IdentityAttribute',
	owner,
	value: { '@type': type, value: unique() },
});

const relationship = (owner: string, key = unique()): JsonObject => ({
	'@type': 'RelationshipAttribute',
	owner,
	key,
	confidentiality: 'public',
	isTechnical: false,
	value: { '@type': 'ProprietaryString', title: 'T', value: unique() },
});

const queryFor = ({ key, owner }: JsonObject): JsonObject => ({
	'@type': 'RelationshipAttributeQuery',
	key: key ?? '',
	owner: owner ?? '',
	attributeCreationHints: {
		'@type': 'RelationshipAttributeCreationHints',
		title: 'T',
		valueType: 'ProprietaryString',
		confidentiality: 'public',
	},
});

const identityQuery = (valueType: string): JsonObject => ({
	'@type': 'IdentityAttributeQuery',
	valueType,
});

const same = (item: JsonObject): Four<JsonObject> => [item, item, item, item];

/** An attribute that answers the query. */
function answerTo(query: JsonObject, recipient: Side): JsonObject {
	switch (query['@type']) {
		case 'RelationshipAttributeQuery': {
			const owner = query['owner'] === '' ? recipient.address : String(query['owner']);
			return relationship(owner, String(query['key']));
		}
		case 'IQLQuery':
			return identity(recipient.address, String(query['queryString']));
		default:
			return identity(recipient.address, String(query['valueType']));
	}
}

async function shared(sender: Side, type: string): Promise<JsonObject> {
	const { id, content } = await sender.createAttribute({ '@type': type, value: unique() });
	const name = sender.kind === 7 ? 'attributeId' : 'sourceAttributeId';
	return { attribute: content, [name]: id };
}

async function shareFour(sender: Side): Promise<Four<JsonObject>> {
	return [
		await shared(sender, 'GivenName'),
		await shared(sender, 'Surname'),
		await shared(sender, 'DisplayName'),
		await shared(sender, 'JobTitle'),
	];
}

const passedOn = 'the file already belongs to another identity';

async function offerFiles(sender: Side, withToken: boolean): Promise<Four<JsonObject>> {
	const offer = async (): Promise<JsonObject> => {
		const { reference: fileReference, ownershipToken } = await sender.uploadFile();
		return { fileReference, ...(withToken ? { ownershipToken } : {}) };
	};
	return [await offer(), await offer(), await offer(), await offer()];
}

/** ids of the attributes that the recipients share with third parties, by their keys */
const heldWithThirdParty = new Map<string, string>();

/** The recipient gets four attributes from a third party, and is asked for them. */
async function askForFour(recipient: Side): Promise<Four<JsonObject>> {
	const third = await recipient.thirdParty();
	const owners = ['', '', third.address, third.address];
	const attributes = owners.map((owner) => relationship(owner));
	const items = attributes.map((attribute) => ({
		'@type': 'CreateAttributeRequestItem',
		mustBeAccepted: true,
		attribute,
	}));
	const requestId = await third.ask(recipient.address, { '@type': 'Request', items });
	await recipient.sync();
	await recipient.toDecide(requestId);
	const yes = items.map(() => ({ accept: true }));
	const { response } = await recipient.decide(requestId, 'accept', yes);
	const answers = (response?.content['items'] ?? []) as JsonObject[];
	for (const [index, { key }] of attributes.entries()) {
		heldWithThirdParty.set(String(key), String(answers[index]?.['attributeId']));
	}
	const query = (index: number, owner: string, thirdParty = third.address): JsonObject => ({
		query: {
			'@type': 'ThirdPartyRelationshipAttributeQuery',
			key: attributes[index]?.['key'] ?? '',
			owner,
			thirdParty: [thirdParty],
		},
	});
	return [query(0, 'recipient'), query(1, ''), query(2, 'thirdParty'), query(3, 'thirdParty', '')];
}

/** Every type of item (docs/protocol/content.md 5.3). */
export const itemRows: readonly ItemRow[] = [
	{ type: 'ShareAttribute', items: (sender) => shareFour(sender) },
	{ type: 'Authentication', items: () => Promise.resolve(same({ title: 'Log in' })) },
	{ type: 'Consent', items: () => Promise.resolve(same({ consent: 'Terms' })) },
	{
		type: 'FreeText',
		onlyIn6: 'does not know the item',
		items: () => Promise.resolve(same({ freeText: 'Write' })),
		accept: () => ({ freeText: unique() }),
	},
	{
		type: 'FormField',
		items: () =>
			Promise.resolve([
				{ title: 'a', settings: { '@type': 'StringFormFieldSettings' } },
				{ title: 'b', settings: { '@type': 'BooleanFormFieldSettings' } },
				{ title: 'c', settings: { '@type': 'IntegerFormFieldSettings' } },
				{ title: 'd', settings: { '@type': 'SelectionFormFieldSettings', options: ['x', 'y'] } },
			]),
		accept: ({ title }) => ({
			response: { a: 'text', b: false, c: 7, d: 'y' }[String(title)] ?? '',
		}),
	},
	{
		type: 'CreateAttribute',
		items: (sender) =>
			Promise.resolve([
				{ attribute: identity('', 'GivenName') },
				{ attribute: relationship('') },
				{ attribute: relationship(sender.address) },
				{ attribute: identity('', 'Surname') },
			]),
	},
	{
		type: 'ReadAttribute',
		items: (sender) =>
			Promise.resolve([
				{ query: identityQuery('GivenName') },
				{ query: { '@type': 'IQLQuery', queryString: 'Surname' } },
				{ query: queryFor({ owner: '', key: unique() }) },
				{ query: queryFor({ owner: sender.address, key: unique() }) },
			]),
		accept: ({ query }, recipient) => ({ newAttribute: answerTo(query as JsonObject, recipient) }),
	},
	{
		type: 'ReadAttribute',
		variety: 'of a third party',
		items: (_sender, recipient) => askForFour(recipient),
		accept: ({ query }) => ({
			existingAttributeId: heldWithThirdParty.get(String((query as JsonObject)['key'])) ?? '',
		}),
	},
	{
		type: 'ProposeAttribute',
		items: () => {
			const [one, other] = [relationship(''), relationship('')];
			return Promise.resolve([
				{ attribute: identity('', 'GivenName'), query: identityQuery('GivenName') },
				{ attribute: one, query: queryFor(one) },
				{ attribute: other, query: queryFor(other) },
				{ attribute: identity('', 'Surname'), query: identityQuery('Surname') },
			]);
		},
		accept: ({ attribute }, recipient) => ({
			attribute: { ...(attribute as JsonObject), owner: recipient.address },
		}),
	},
	{
		type: 'DeleteAttribute',
		notInTemplates: 'nothing is shared before there is a relationship',
		items: async (sender, recipient) => {
			const items = (await shareFour(sender)).map((item) => ({
				'@type': 'ShareAttributeRequestItem',
				mustBeAccepted: true,
				...item,
			}));
			const requestId = await sender.ask(recipient.address, { '@type': 'Request', items });
			await recipient.sync();
			await recipient.toDecide(requestId);
			await recipient.decide(
				requestId,
				'accept',
				items.map(() => ({ accept: true })),
			);
			await sender.sync();
			await settled(sender, requestId);
			const [a = '', b = '', c = '', d = ''] = await sender.sharedBy(requestId);
			return [{ attributeId: a }, { attributeId: b }, { attributeId: c }, { attributeId: d }];
		},
		accept: () => ({ deletionDate: '2099-01-01T00:00:00.000Z' }),
	},
	{
		type: 'RegisterAttributeListener',
		onlyIn6: 'does not know the item',
		items: () => Promise.resolve(same({ query: identityQuery('Nationality') })),
	},
	{
		type: 'TransferFileOwnership',
		variety: 'with token',
		items: (sender) => offerFiles(sender, true),
		unheardBy: { 6: passedOn, 7: passedOn },
	},
	{
		type: 'TransferFileOwnership',
		variety: 'without token',
		onlyIn6: 'requires a token',
		items: (sender) => offerFiles(sender, false),
	},
];

/** Waits until the sender has the answer. */
export async function settled(sender: Side, requestId: string): Promise<void> {
	for (let tries = 0; tries < 400; tries++) {
		if ((await sender.outgoing(requestId))?.status === 'Completed') return;
		await sender.sync();
		await new Promise((resolve) => setTimeout(resolve, 10));
	}
	throw new Error('the request was not completed');
}
