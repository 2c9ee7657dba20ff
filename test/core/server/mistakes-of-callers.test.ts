import { deletedIdentityPseudonyms } from '../../../core/model/address';
import { inOneHour, relate, SandboxNetwork } from '../../support/gateways';
import { openLog } from '../../support/log-lines';
import { HttpGateway, type Answer } from './support/http-gateway';

/* What a caller does wrong is a 400 with the field and the reason, and no ERROR in the log. */
let network: SandboxNetwork;
let a: HttpGateway;
let b: HttpGateway;
let peer: string;
const { logger, lines } = openLog();

const arbitrary = { '@type': 'ArbitraryRelationshipTemplateContent', value: 1 };
const invalid = 'error.runtime.validation.invalidPropertyValue';

beforeAll(async () => {
	network = await SandboxNetwork.open();
	a = await HttpGateway.open(network, { logger });
	b = await HttpGateway.open(network);
	peer = (await relate(a.gateway, b.gateway)).addressB;
});
afterEach(() => {
	expect(lines.filter((line) => line.startsWith('error'))).toEqual([]);
});
afterAll(async () => {
	await a.close();
	await b.close();
	await network.close();
});

async function newTemplate(by: HttpGateway, more: object = {}): Promise<Answer['result']> {
	const json = { content: arbitrary, expiresAt: inOneHour(), ...more };
	return (await by.ask('POST /RelationshipTemplates/Own', { json })).result;
}

describe('a mistake of the caller', () => {
	it('is a template that was used as often as its owner allows', async () => {
		const { truncatedReference: reference } = await newTemplate(b, { maxNumberOfAllocations: 1 });
		const third = await network.gateway();
		await third.templates.loadPeer({ reference });
		const { status, error } = await a.ask('POST /RelationshipTemplates/Peer', {
			json: { reference },
		});
		expect(status).toBe(400);
		expect(error).toMatchObject({
			code: 'error.platform.validation.relationshipTemplate.maxNumberOfAllocationsExhausted',
			message: "'reference' is of a template that was used as often as its owner allows.",
		});
	});

	it('is a relationship from an own template', async () => {
		const { id: templateId } = await newTemplate(a);
		const creationContent = { '@type': 'ArbitraryRelationshipCreationContent', value: 1 };
		const { status, error } = await a.ask('POST /Relationships', {
			json: { templateId, creationContent },
		});
		expect(status).toBe(400);
		expect(error).toMatchObject({
			code: 'error.platform.validation.relationship.cannotCreateRelationshipWithYourself',
			message: "'templateId' is of a template of this account; only others can use it.",
		});
		const check = await a.ask('PUT /Relationships/CanCreate', { json: { templateId } });
		expect(check.status).toBe(200);
		expect(check.result).toMatchObject({ isSuccess: false, code: error.code });
	});

	const { client: elsewhere } = deletedIdentityPseudonyms('other.example');
	const wrongAddresses = [
		['of another Backbone', elsewhere, 'of this Backbone'],
		['that was miscopied', '', 'completely'],
		['with something around it', ' ', 'completely'],
	] as const;

	it.each(wrongAddresses)('is an address %s in forIdentity', async (_name, address, reason) => {
		const changed = peer.slice(0, -1) + (peer.endsWith('0') ? '1' : '0');
		const forIdentity = address === '' ? changed : address === ' ' ? `x${peer}` : address;
		const file = await a.gateway.files.upload(
			{ filename: 'a.txt', mimetype: 'text/plain' },
			Buffer.from('a'),
		);
		const template = await newTemplate(a);
		const expiresAt = inOneHour();
		for (const [call, json] of [
			['POST /RelationshipTemplates/Own', { content: arbitrary, expiresAt }],
			['POST /Tokens/Own', { content: { a: 1 }, expiresAt }],
			[`POST /Files/${file.id}/Token`, {}],
			[`POST /RelationshipTemplates/Own/${template.id}/Token`, {}],
		] as const) {
			const { status, error } = await a.ask(call, { json: { ...json, forIdentity } });
			expect([call, status, error.code]).toEqual([call, 400, invalid]);
			expect(error.message).toMatch(/^'forIdentity' is not valid: /);
			expect(error.message).toContain(reason);
		}
	});
});

describe('a proposed attribute that does not fit its query', () => {
	const identity = (type: string): object => ({
		'@type': 'IdentityAttribute',
		owner: '',
		value: { '@type': type, value: 'x' },
	});
	const relationship = (type: string): object => ({
		'@type': 'RelationshipAttribute',
		owner: '',
		key: 'k',
		confidentiality: 'public',
		value: { '@type': type, title: 'T', value: 'x' },
	});
	const asksFor = (valueType: string): object => ({ '@type': 'IdentityAttributeQuery', valueType });
	const relationshipQuery = {
		'@type': 'RelationshipAttributeQuery',
		owner: '',
		key: 'k',
		attributeCreationHints: {
			title: 'T',
			valueType: 'ProprietaryString',
			confidentiality: 'public',
		},
	};
	const iql = { '@type': 'IQLQuery', queryString: 'Surname' };

	it.each([
		['identity, of another type', identity('GivenName'), asksFor('Surname')],
		['relationship, asked for identity', relationship('ProprietaryString'), asksFor('Surname')],
		['identity, asked for relationship', identity('GivenName'), relationshipQuery],
		['relationship, of another type', relationship('ProprietaryXML'), relationshipQuery],
		['relationship, asked for by IQL', relationship('ProprietaryString'), iql],
		[
			'identity, of another type than the hints of IQL',
			identity('GivenName'),
			{ ...iql, attributeCreationHints: { valueType: 'Surname' } },
		],
	])('is named by the check and refused on creation: %s', async (_name, attribute, query) => {
		const code = 'error.consumption.requests.attributeQueryMismatch';
		const item = { '@type': 'ProposeAttributeRequestItem', mustBeAccepted: true, attribute, query };
		const content = { items: [item] };
		for (const json of [{ content, peer }, { content }]) {
			const { status, result } = await a.ask('POST /Requests/Outgoing/Validate', { json });
			expect([status, result.isSuccess, result.items[0].code]).toEqual([201, false, code]);
		}
		const { status, error } = await a.ask('POST /Requests/Outgoing', { json: { content, peer } });
		expect([status, error.code, error.message]).toEqual([
			400,
			'error.consumption.validation.inheritedFromItem',
			expect.stringMatching(/^The proposed attribute does not fit the query: /),
		]);
		const template = {
			expiresAt: inOneHour(),
			content: {
				'@type': 'RelationshipTemplateContent',
				onNewRelationship: { '@type': 'Request', ...content },
			},
		};
		const refused = await a.ask('POST /RelationshipTemplates/Own', { json: template });
		expect(refused.error.message).toBe(error.message);
	});
});

describe('a request that is not known', () => {
	it.each(['REQaaaaaaaaaaaaaaaaa', 'nonsense', '%00', 'a'.repeat(200)])(
		'is 404, whatever its id and the decisions are: %s',
		async (id) => {
			for (const [call, code] of [
				['GET /Requests/Incoming/', 'error.runtime.recordNotFound'],
				['GET /Requests/Outgoing/', 'error.runtime.recordNotFound'],
				['PUT /Requests/Incoming//CanAccept', 'error.transport.recordNotFound'],
				['PUT /Requests/Incoming//CanReject', 'error.transport.recordNotFound'],
				['PUT /Requests/Incoming//Accept', 'error.runtime.recordNotFound'],
				['PUT /Requests/Incoming//Reject', 'error.runtime.recordNotFound'],
			] as const) {
				const path = call.includes('//') ? call.replace('//', `/${id}/`) : call + id;
				const { status, error } = await a.ask(path, call.startsWith('PUT') ? { json: {} } : {});
				expect([path, status, error.code]).toEqual([path, 404, code]);
			}
		},
	);
});

describe('the text of a refusal', () => {
	it.each([
		[
			'GET /Attributes/ATTaaaaaaaaaaaaaaaaa/Versions/Shared?peers=x',
			/^peers must match pattern did/,
		],
		['GET /Events?event=x', /^event must be equal to one of the allowed values$/],
		['DELETE /Attributes/x', /^attributeId must match pattern ATT/],
		['DELETE /Attributes/Own/Shared/x', /^attributeId must match pattern ATT/],
	])('says in the words of the interface what is wrong: %s', async (call, text) => {
		const { status, error } = await a.ask(call);
		expect(status).toBe(400);
		expect(error.message).toMatch(text);
	});
});

describe('an empty filter', () => {
	it.each([
		['/Relationships', ['peer', 'status', 'template.id', 'templateId']],
		['/Messages', ['isOwn', 'createdAt', 'createdBy', 'recipients.address', 'participant']],
		['/Files', ['createdBy', 'createdByDevice', 'filename', 'filesize', 'mimetype']],
		['/Tokens/Own', ['createdAt', 'createdBy']],
		['/RelationshipTemplates', ['createdAt', 'isOwn']],
		['/Attributes', ['content.@type', 'content.owner', 'content.value.@type']],
		['/Requests/Incoming', ['id', 'peer', 'status', 'source.reference']],
	] as const)('is a mistake in %s for what every record has', async (list, fields) => {
		for (const field of fields) {
			for (const query of [`${field}=`, field, `${field}=x&${field}=`]) {
				const { status, error } = await a.ask(`GET ${list}?${query}`);
				expect([query, status, error?.message]).toEqual([
					query,
					400,
					list === '/Messages' && query === 'isOwn=x&isOwn='
						? 'query/isOwn must be string'
						: `query/${field} must NOT have fewer than 1 characters`,
				]);
			}
		}
	});

	it('asks for what has the field, where records may lack it', async () => {
		for (const call of [
			'/Messages?wasReadAt=',
			'/Files?title=',
			'/RelationshipTemplates?passwordProtection=',
			'/Attributes?shareInfo=',
			'/Requests/Incoming?response.createdAt=',
		]) {
			expect([call, (await a.ask(`GET ${call}`)).status]).toEqual([call, 200]);
		}
	});
});

describe('a record that is missing', () => {
	const unknown = (prefix: string): string => prefix.padEnd(20, 'a');
	const mail = (): object => ({ '@type': 'Mail', to: [peer], subject: 'a', body: 'b' });
	const item = { '@type': 'FreeTextRequestItem', mustBeAccepted: true, freeText: 'Hello' };
	const request = { '@type': 'Request', id: unknown('REQ'), items: [item] };
	const creationContent = { '@type': 'ArbitraryRelationshipCreationContent', value: 1 };
	const key = Buffer.from(`3|${'A'.repeat(43)}||`).toString('base64url');
	const linkTo = (id: string): string => `${network.credentials.baseUrl}/r/${id}#${key}`;
	const relationshipChallenge = { challengeType: 'Relationship', relationship: unknown('REL') };
	const calls: Array<[string, string, () => object]> = [
		[
			'File',
			'POST /Messages',
			() => ({ recipients: [peer], content: mail(), attachments: [unknown('FIL')] }),
		],
		['LocalRequest', 'POST /Messages', () => ({ recipients: [peer], content: request })],
		[
			'RelationshipTemplate',
			'POST /Relationships',
			() => ({ templateId: unknown('RLT'), creationContent }),
		],
		['Relationship', 'POST /Challenges', () => relationshipChallenge],
		['Token', 'POST /Tokens/Peer', () => ({ reference: linkTo(unknown('TOK')) })],
		['Token', 'POST /Files/Peer', () => ({ reference: linkTo(unknown('TOK')) })],
		['File', 'POST /Files/Peer', () => ({ reference: linkTo(unknown('FIL')) })],
		[
			'RelationshipTemplate',
			'POST /RelationshipTemplates/Peer',
			() => ({ reference: linkTo(unknown('RLT')) }),
		],
	];

	it.each(calls)('is named: %s, asked for by %s', async (record, call, json) => {
		const { status, error } = await a.ask(call, { json: json() });
		expect([status, error.message]).toEqual([
			404,
			`${record} not found. Make sure the ID exists and the record is not expired.`,
		]);
	});
});
