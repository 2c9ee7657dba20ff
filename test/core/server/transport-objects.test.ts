import jsQR from 'jsqr';
import { PNG } from 'pngjs';
import { fileDtoSchema } from '../../../core/model/record/file';
import { messageDtoSchema } from '../../../core/model/record/message';
import { tokenDtoSchema } from '../../../core/model/record/token';
import { inOneHour, mailTo, relate, settle, TestNetwork } from '../../support/gateways';
import { HttpGateway, type Answer } from './support/http-gateway';

/* docs/protocol/http-api.md 8.2 to 8.6, 8.10 to 8.14, 9 */
let network: TestNetwork;
let a: HttpGateway;
let b: HttpGateway;
let peerOfA: string;
let peerOfB: string;

beforeAll(async () => {
	network = await TestNetwork.open();
	a = await HttpGateway.open(network);
	b = await HttpGateway.open(network);
	const { addressA, addressB } = await relate(a.gateway, b.gateway);
	[peerOfA, peerOfB] = [addressB, addressA];
});
afterAll(async () => {
	await a.close();
	await b.close();
	await network.close();
});

const arbitrary = { '@type': 'ArbitraryRelationshipTemplateContent', value: { a: 1 } };
const invalid = 'error.runtime.validation.invalidPropertyValue';

function textIn({ bytes }: Answer): string | undefined {
	const { data, width, height } = PNG.sync.read(Buffer.from(bytes));
	return jsQR(new Uint8ClampedArray(data), width, height)?.data;
}

async function newTemplate(more: object = {}): Promise<Answer> {
	const json = { content: arbitrary, expiresAt: inOneHour(), ...more };
	return await a.ask('POST /RelationshipTemplates/Own', { json });
}

function form(file: File | undefined, fields: ReadonlyArray<readonly [string, string]> = []) {
	const body = new FormData();
	if (file !== undefined) body.append('file', file);
	for (const [name, value] of fields) body.append(name, value);
	return { body };
}

const textFile = (name = 'note.txt', content = 'Hello'): File =>
	new File([content], name, { type: 'text/plain' });

describe('the purpose of a template', () => {
	it('is shown if it was given, and filters the lists of templates and relationships', async () => {
		const { result } = await newTemplate({ purpose: 'newsletter' });
		expect(result.purpose).toBe('newsletter');
		expect((await newTemplate()).result).not.toHaveProperty('purpose');
		for (const list of ['', '/Own']) {
			const { result: listed } = await a.ask(
				`GET /RelationshipTemplates${list}?purpose=newsletter`,
			);
			expect(listed).toEqual([result]);
		}
		const loaded = await b.ask('POST /RelationshipTemplates/Peer', {
			json: { reference: result.reference.truncated },
		});
		expect(loaded.result).not.toHaveProperty('purpose');
		const c = await HttpGateway.open(network);
		await c.ask('POST /RelationshipTemplates/Peer', {
			json: { reference: result.reference.truncated },
		});
		const creationContent = { '@type': 'ArbitraryRelationshipCreationContent', value: 1 };
		await c.ask('POST /Relationships', { json: { templateId: result.id, creationContent } });
		await settle(a.gateway);
		const { address } = await c.gateway.account.getIdentity();
		await c.close();
		for (const version of ['/api/v2', '/api/core/v1']) {
			const ask = (query: string) => a.ask(`GET ${version}/Relationships${query}`);
			const { result: all } = await ask('');
			expect(all).toHaveLength(2);
			const { result: listed } = await ask('?purpose=newsletter');
			expect(listed).toMatchObject([{ peer: address, purpose: 'newsletter' }]);
			expect((await ask('?purpose=another')).result).toEqual([]);
			expect((await ask('?purpose=!')).result).toMatchObject([{ peer: peerOfA }]);
		}
	});

	it.each(['', 'a\nb', 'x'.repeat(101), 7])('cannot be %p', async (purpose) => {
		const refused = await newTemplate({ purpose });
		expect([refused.status, refused.error.code]).toEqual([400, invalid]);
		expect(refused.error.message).toMatch(/^purpose must (be string|have 1 to 100 characters)/);
	});
});

describe('templates', () => {
	it('are QR codes for clients that accept a picture', async () => {
		const { result } = await newTemplate();
		const path = `GET /RelationshipTemplates/${result.id}`;
		const png = await a.ask(path, { headers: { accept: 'image/png, application/json' } });
		expect(png.status).toBe(200);
		expect(png.headers.get('content-type')).toBe('image/png');
		expect(png.headers.get('content-disposition')).toBe(`attachment;filename=${result.id}.png`);
		expect(textIn(png)).toBe(`nmshd://tr#${result.reference.truncated}`);
		const link = await a.ask(`${path}?newQRCodeFormat=TRUE`, { headers: { accept: 'image/*' } });
		expect(textIn(link)).toBe(result.reference.url);
		const unknown = await a.ask('GET /RelationshipTemplates/RLTaaaaaaaaaaaaaaaaa', {
			headers: { accept: 'image/png' },
		});
		expect([unknown.status, unknown.error.code]).toEqual([404, 'error.runtime.recordNotFound']);
	});

	it('get tokens that lead to them, also as a QR code which is not kept', async () => {
		const { result } = await newTemplate();
		const path = `POST /RelationshipTemplates/Own/${result.id}/Token`;
		const token = await a.ask(path, { json: { ephemeral: false } });
		expect(token.status).toBe(201);
		expect(tokenDtoSchema.strict().parse(token.result)).toEqual(token.result);
		const loaded = await b.ask('POST /RelationshipTemplates/Peer', {
			json: { reference: token.result.reference.url },
		});
		expect([loaded.status, loaded.result.id]).toEqual([201, result.id]);
		const before = (await a.ask('GET /Tokens/Own')).result.length as number;
		for (const [newQRCodeFormat, form] of [
			[true, /^http/],
			['true', /^nmshd:\/\/tr#/],
		] as const) {
			const png = await a.ask(path, {
				json: { newQRCodeFormat, ephemeral: false },
				headers: { accept: 'image/png' },
			});
			expect([png.status, png.headers.get('content-type')]).toEqual([201, 'image/png']);
			expect(textIn(png)).toMatch(form);
		}
		expect((await a.ask('GET /Tokens/Own')).result).toHaveLength(before);
	});

	it('of peers are loaded with their password and found by it', async () => {
		const passwordProtection = {
			password: '1234',
			passwordIsPin: true,
			passwordLocationIndicator: 'SMS',
		};
		const { result } = await newTemplate({ passwordProtection });
		expect(result.passwordProtection).toEqual(passwordProtection);
		const { truncated: reference } = result.reference;
		const without = await b.ask('POST /RelationshipTemplates/Peer', { json: { reference } });
		expect([without.status, without.error.code]).toEqual([
			400,
			'error.transport.noPasswordProvided',
		]);
		const wrong = await b.ask('POST /RelationshipTemplates/Peer', {
			json: { reference, password: '4321' },
		});
		expect([wrong.status, wrong.error.code]).toEqual([404, 'error.runtime.recordNotFound']);
		const right = await b.ask('POST /RelationshipTemplates/Peer', {
			json: { reference, password: '1234' },
		});
		expect([right.status, right.result.isOwn]).toEqual([201, false]);
		const query =
			'passwordProtection.passwordIsPin=true&passwordProtection.passwordLocationIndicator=SMS';
		const { result: found } = await b.ask(`GET /RelationshipTemplates/Peer?${query}`);
		expect(found).toEqual([right.result]);
	});

	it.each([
		[{ content: undefined }, "must have required property 'content'"],
		[{ expiresAt: undefined }, "must have required property 'expiresAt'"],
		[{ expiresAt: '2020-01-01T00:00:00.000Z' }, "'expiresAt' must be in the future"],
		[{ expiresAt: 'tomorrow' }, 'expiresAt must match ISO8601 datetime format'],
		[{ maxNumberOfAllocations: 0 }, 'maxNumberOfAllocations must be >= 1'],
		[{ surplus: 1 }, 'must NOT have additional properties'],
		[
			{ passwordProtection: { password: '' } },
			'passwordProtection/password must NOT have fewer than 1 characters',
		],
		[
			{ passwordProtection: { password: 'a', passwordIsPin: false } },
			'passwordProtection/passwordIsPin must be equal to constant',
		],
		[
			{ passwordProtection: { password: 'a', passwordLocationIndicator: 100 } },
			'must be a number from 50 to 99 or one of the following strings: Self, Letter, RegistrationLetter, Email, SMS, Website',
		],
		[{ forIdentity: 5 }, 'forIdentity must be string'],
	])('are refused with %j', async (change, message) => {
		const { status, error } = await newTemplate(change);
		expect([status, error.code, error.message]).toEqual([400, invalid, message]);
	});

	it.each([
		[{ id: 'RLTaaaaaaaaaaaaaaaaa', secretKey: 'key' }],
		[{ reference: 'x' }],
		[{ reference: null }],
		[{ reference: '' }],
		[{}],
		[{ reference: 'UkxU'.padEnd(120, 'x'), surplus: 1 }],
	])('are not loaded with %j', async (json) => {
		const { status, error } = await a.ask('POST /RelationshipTemplates/Peer', { json });
		expect([status, error.code]).toEqual([400, invalid]);
		expect(error.message).toBe('token / relationship template reference invalid');
	});

	it('are deleted under the newer prefix as well', async () => {
		const { result } = await newTemplate();
		const path = `/api/core/v1/RelationshipTemplates/${result.id}`;
		expect((await a.ask(`DELETE ${path}`)).status).toBe(204);
		expect((await a.ask(`GET ${path}`)).status).toBe(404);
	});
});

describe('relationships', () => {
	it('go through their life by routes without bodies, in all the ways that clients have for that', async () => {
		const c = await HttpGateway.open(network);
		const template = await newTemplate();
		const { truncated: reference } = template.result.reference;
		await c.ask('POST /RelationshipTemplates/Peer', { json: { reference } });
		const creation = {
			templateId: template.result.id,
			creationContent: { '@type': 'ArbitraryRelationshipCreationContent', value: {} },
		};
		const can = await c.ask('PUT /Relationships/CanCreate', { json: creation });
		expect([can.status, can.result]).toEqual([200, { isSuccess: true }]);
		const created = await c.ask('POST /Relationships', { json: creation });
		expect([created.status, created.result.status]).toEqual([201, 'Pending']);
		const path = `/Relationships/${created.result.id}`;
		const twice = await c.ask('PUT /Relationships/CanCreate', { json: creation });
		expect([twice.status, twice.result.isSuccess, twice.result.code]).toEqual([
			200,
			false,
			'error.transport.relationships.relationshipCurrentlyExists',
		]);
		const own = await c.ask(`PUT ${path}/Accept`);
		expect([own.status, own.error.code]).toEqual([
			400,
			'error.transport.relationships.operationOnlyAllowedForPeer',
		]);

		await network.settle(a.gateway);
		const form = { 'content-type': 'application/x-www-form-urlencoded' };
		const accepted = await a.ask(`PUT ${path}/Accept`, { headers: form });
		expect([accepted.status, accepted.result.status]).toEqual([200, 'Active']);
		const json = { 'content-type': 'application/json' };
		const ended = await a.ask(`PUT ${path}/Terminate`, { headers: json });
		expect(ended.result.status).toBe('Terminated');
		expect((await a.ask(`PUT ${path}/Reactivate`)).result.status).toBe('Terminated');
		expect((await a.ask(`PUT ${path}/Reactivate/Revoke`)).result.auditLog.at(-1).reason).toBe(
			'RevocationOfReactivation',
		);
		await a.ask(`PUT ${path}/Reactivate`);
		await network.settle(c.gateway);
		expect((await c.ask(`PUT ${path}/Reactivate/Reject`)).result.status).toBe('Terminated');
		await c.ask(`PUT ${path}/Reactivate`);
		await network.settle(a.gateway);
		expect((await a.ask(`PUT ${path}/Reactivate/Accept`)).result.status).toBe('Active');
		await a.ask(`PUT ${path}/Terminate`);
		expect((await a.ask(`DELETE ${path}`)).status).toBe(204);
		expect((await a.ask(`GET ${path}`)).status).toBe(404);
		await network.settle(c.gateway);
		expect((await c.ask(`GET ${path}`)).result.status).toBe('DeletionProposed');
		await c.close();
	});
});

describe('messages', () => {
	it('are sent with attachments, received, and shown with their files', async () => {
		const file = await a.ask('POST /Files/Own', form(textFile('Übersicht 1.txt', 'Grüße')));
		const sent = await a.ask('POST /Messages', {
			json: { ...mailTo(peerOfA), attachments: [file.result.id] },
		});
		expect(sent.status).toBe(201);
		expect(messageDtoSchema.strict().parse(sent.result)).toEqual(sent.result);
		await network.settle(b.gateway);
		const { result } = await b.ask(`GET /Messages?participant=${peerOfB}&content.@type=Mail`);
		expect(result).toHaveLength(1);
		expect(result[0]).toMatchObject({
			isOwn: false,
			content: { ...mailTo(peerOfA).content, cc: [] },
			attachments: [file.result.id],
		});
		const one = await b.ask(`GET /Messages/${sent.result.id}`);
		expect(one.result.attachments).toEqual([
			expect.objectContaining({ id: file.result.id, isOwn: false, filename: 'Übersicht 1.txt' }),
		]);
		const path = `/Messages/${sent.result.id}/Attachments/${file.result.id}`;
		expect((await b.ask(`GET ${path}`)).result).toEqual(one.result.attachments[0]);
		const download = await b.ask(`GET ${path}/Download`, { headers: { accept: 'text/plain' } });
		expect(new TextDecoder().decode(download.bytes)).toBe('Grüße');
		expect(download.headers.get('content-disposition')).toBe(
			`attachment;filename=${encodeURIComponent('Übersicht 1.txt')}`,
		);
		const other = `/Messages/${sent.result.id}/Attachments/FILaaaaaaaaaaaaaaaaa`;
		const { status, error } = await b.ask(`GET ${other}`);
		expect([status, error.code]).toEqual([400, 'error.runtime.messages.fileNotFoundInMessage']);
	});

	it('understand the filters of older clients', async () => {
		const { result: all } = await a.ask('GET /Messages?contentType=Mail&contentSubject=Hello');
		expect(all.length).toBeGreaterThan(0);
		const [file] = all.flatMap(({ attachments }: { attachments: string[] }) => attachments);
		const indexed = await a.ask(
			`GET /Messages?attachments.0=${file}&attachments.1=FILaaaaaaaaaaaaaaaaa`,
		);
		expect(indexed.result).toHaveLength(1);
		const any = await a.ask('GET /Messages?attachments=%2B');
		expect(any.result).toHaveLength(1);
	});

	it.each([
		[{ recipients: [] }, 'recipients must NOT have fewer than 1 items'],
		[{ recipients: undefined }, "must have required property 'recipients'"],
		[{ content: undefined }, "must have required property 'content'"],
		[{ attachments: ['x'] }, 'attachments/0 must match pattern FIL[A-Za-z0-9]{17}'],
	])('are refused with %j', async (change, message) => {
		const { status, error } = await a.ask('POST /Messages', {
			json: { ...mailTo(peerOfA), ...change },
		});
		expect([status, error.code, error.message]).toEqual([400, invalid, message]);
	});

	it('need an active relationship', async () => {
		const stranger = `${peerOfA.slice(0, -22)}${'0'.repeat(22)}`;
		const { status, error } = await a.ask('POST /Messages', { json: mailTo(stranger) });
		expect([status, error.code]).toEqual([
			400,
			'error.transport.messages.missingOrInactiveRelationship',
		]);
	});

	it('refuse filters that they do not know', async () => {
		const { status, error } = await a.ask('GET /Messages?unknown=1');
		expect([status, error.message]).toEqual([400, 'query must NOT have additional properties']);
		const twice = await a.ask('GET /Messages?isOwn=true&isOwn=false');
		expect([twice.status, twice.error.message]).toEqual([400, 'query/isOwn must be string']);
	});

	it('have the format that their sender named, and are found by it', async () => {
		const { recipients, content } = mailTo(peerOfA, 'Visit', '**Monday**');
		const plain = await a.ask('POST /Messages', { json: { recipients, content } });
		expect(plain.result.content).toEqual({ cc: [], ...content });
		const formatted = { ...content, bodyFormat: 'Markdown' };
		const sent = await a.ask('POST /Messages', { json: { recipients, content: formatted } });
		expect(sent.result.content).toEqual({ cc: [], ...formatted });
		const found = async (format: string) => {
			const { result } = await a.ask(`GET /Messages?content.bodyFormat=${format}`);
			return result.map(({ id }: { id: string }) => id);
		};
		expect(await found('Markdown')).toEqual([sent.result.id]);
		expect(await found('PlainText')).toContain(plain.result.id);
		expect(await found('PlainText')).not.toContain(sent.result.id);
	});
});

describe('files', () => {
	it('are uploaded with what a form says about them', async () => {
		const expiresAt = inOneHour();
		const uploaded = await a.ask(
			'POST /Files/Own',
			form(textFile(), [
				['title', 'A note'],
				['description', 'With text'],
				['expiresAt', expiresAt],
				['tags', 'x:note'],
				['tags', 'x:text'],
				['unknown', 'ignored'],
			]),
		);
		expect(uploaded.status).toBe(201);
		expect(fileDtoSchema.strict().parse(uploaded.result)).toEqual(uploaded.result);
		expect(uploaded.result).toMatchObject({
			filename: 'note.txt',
			mimetype: 'text/plain',
			filesize: 5,
			title: 'A note',
			description: 'With text',
			tags: ['x:note', 'x:text'],
			expiresAt,
			isOwn: true,
		});
		for (const list of ['', '/Own']) {
			expect((await a.ask(`GET /Files${list}?tags=x:note`)).result).toEqual([uploaded.result]);
		}
		expect((await a.ask(`GET /Files/${uploaded.result.id}`)).result).toEqual(uploaded.result);
		const encoded = encodeURIComponent(uploaded.result.reference.url);
		expect((await a.ask(`GET /Files/${encoded}`)).result).toEqual(uploaded.result);
	});

	it('can be empty, have one tag, and no date of expiry', async () => {
		const { status, result } = await a.ask(
			'POST /Files/Own',
			form(textFile('e', ''), [['tags', 'x:one']]),
		);
		expect([status, result.filesize, result.tags, result.title]).toEqual([201, 0, ['x:one'], '']);
		expect(result.expiresAt).toBe('9999-12-31T00:00:00.000Z');
		const download = await a.ask(`GET /Files/${result.id}/Download`);
		expect([download.status, download.bytes.length]).toEqual([200, 0]);
		expect(download.headers.get('content-type')).toBe('text/plain');
	});

	it.each([
		['no file', form(undefined), "must have required property 'content'"],
		[
			'no form',
			{ headers: { 'content-type': 'application/x-www-form-urlencoded' } },
			"must have required property 'content'",
		],
		[
			'a text as file',
			form(undefined, [['file', 'text']]),
			"must have required property 'content'",
		],
		[
			'a past expiry',
			form(textFile(), [['expiresAt', '2020-01-01']]),
			"'expiresAt' must be in the future",
		],
		[
			'an empty expiry',
			form(textFile(), [['expiresAt', '']]),
			'expiresAt must match ISO8601 datetime format',
		],
		['too much', form(textFile('big', 'x'.repeat(10 * 1024 * 1024 + 1))), "'content' is too large"],
	])('are refused with %s', async (_name, ask, message) => {
		const { status, error } = await a.ask('POST /Files/Own', ask);
		expect([status, error.code, error.message]).toEqual([400, invalid, message]);
	});

	it('are refused when they are far too large, or no form', async () => {
		const huge = await a.ask(
			'POST /Files/Own',
			form(textFile('huge', 'x'.repeat(11 * 1024 * 1024))),
		);
		expect([huge.status, huge.error.code]).toEqual([413, 'error.gateway.http.bodyTooLarge']);
		const broken = await a.ask('POST /Files/Own', {
			headers: { 'content-type': 'multipart/form-data; boundary=x' },
			body: 'no parts',
		});
		expect([broken.status, broken.error.code]).toEqual([
			400,
			'error.gateway.http.malformedRequest',
		]);
	});

	it('of peers equal the ones of their owners, but for the owner’s secrets', async () => {
		const { result: own } = await a.ask('POST /Files/Own', form(textFile()));
		expect((await b.ask(`GET /Files/${own.id}`)).status).toBe(404);
		const token = await a.ask(`POST /Files/${own.id}/Token`, { json: {} });
		const loaded = await b.ask('POST /Files/Peer', {
			json: { reference: token.result.reference.truncated },
		});
		const { ownershipToken: _token, ...shared } = own;
		expect([loaded.status, loaded.result]).toEqual([201, { ...shared, isOwn: false }]);
		expect((await b.ask('GET /Files/Peer')).result).toContainEqual(loaded.result);
		const foreign = await b.ask(`PATCH /Files/${own.id}/RegenerateOwnershipToken`);
		expect([foreign.status, foreign.error.code]).toEqual([
			400,
			'error.runtime.files.notOwnedByYou',
		]);
		const renewed = await a.ask(`PATCH /Files/${own.id}/RegenerateOwnershipToken`);
		// The Backbone answers a new token and does not store it.
		expect(renewed.status).toBe(400);
		expect(renewed.error.code).toBe('error.gateway.files.tokenNotRenewed');
	});

	it('are QR codes, also by their tokens, and are deleted', async () => {
		const { result } = await a.ask('POST /Files/Own', form(textFile()));
		const accept = { headers: { accept: 'image/png' } };
		const reference = encodeURIComponent(result.reference.truncated);
		const png = await a.ask(`GET /Files/${reference}`, accept);
		expect(png.headers.get('content-disposition')).toBe(`attachment;filename=${result.id}.png`);
		expect(textIn(png)).toBe(`nmshd://tr#${result.reference.truncated}`);
		const token = await a.ask(`POST /Files/${result.id}/Token`, { json: {}, ...accept });
		expect(token.headers.get('content-disposition')).toBe(`attachment;filename=${result.id}.png`);
		expect((await a.ask(`DELETE /Files/${result.id}`)).status).toBe(204);
		expect((await a.ask(`GET /Files/${result.id}`)).status).toBe(404);
	});

	it('are not found by what is neither an id nor a reference', async () => {
		const { status, error } = await a.ask('GET /Files/nonsense');
		expect([status, error.code]).toEqual([400, invalid]);
	});
});

describe('tokens', () => {
	it('carry what was put into them', async () => {
		const json = { content: { any: 'thing' }, expiresAt: inOneHour() };
		const { status, result } = await a.ask('POST /Tokens/Own', { json });
		expect([status, result.isEphemeral]).toEqual([201, false]);
		expect(tokenDtoSchema.strict().parse(result)).toEqual(result);
		const loaded = await b.ask('POST /Tokens/Peer', {
			json: { reference: result.reference.url, ephemeral: true },
		});
		expect([loaded.status, loaded.result.content]).toEqual([201, json.content]);
		expect((await b.ask('GET /Tokens/Peer')).result).toEqual([]);
		expect((await a.ask(`GET /Tokens/Own?expiresAt=${json.expiresAt}`)).result).toEqual([result]);
		const png = await a.ask(`GET /Tokens/${result.id}`, { headers: { accept: 'image/png' } });
		expect(textIn(png)).toBe(`nmshd://tr#${result.reference.truncated}`);
		expect((await a.ask(`DELETE /Tokens/${result.id}`)).status).toBe(204);
	});

	it.each([
		[5, 'error.runtime.invalidTokenContent'],
		[{ '@type': 'Unknown' }, 'error.runtime.invalidTokenContent'],
	])('cannot carry %j', async (content, code) => {
		const { status, error } = await a.ask('POST /Tokens/Own', {
			json: { content, expiresAt: inOneHour() },
		});
		expect([status, error.code]).toEqual([400, code]);
	});
});

describe('challenges', () => {
	it.each([
		[{ challengeType: 'Other' }, 'error.runtime.validation.invalidPayload'],
		[{ challengeType: 'Relationship' }, 'error.runtime.validation.invalidPayload'],
		[{ challengeType: 'Identity', surplus: 1 }, invalid],
		[{}, invalid],
	])('are refused with %j', async (json, code) => {
		const { status, error } = await a.ask('POST /Challenges', { json });
		expect([status, error.code]).toEqual([400, code]);
	});
});

describe('announcements', () => {
	it('need a language', async () => {
		expect((await a.ask('GET /Announcements?language=en')).status).toBe(200);
		const missing = await a.ask('GET /Announcements');
		expect([missing.status, missing.error.message]).toEqual([
			400,
			"must have required property 'language'",
		]);
		const wrong = await a.ask('GET /Announcements?language=xx');
		expect([wrong.status, wrong.error.message]).toEqual([
			400,
			'language must be equal to one of the allowed values',
		]);
	});
});

describe('the deletion of the own identity', () => {
	it('is offered in debug mode', async () => {
		const d = await HttpGateway.open(network, { debug: true });
		const path = '/IdentityDeletionProcess';
		const none = await d.ask(`GET ${path}`);
		expect([none.status, none.error.code]).toEqual([
			400,
			'error.runtime.identityDeletionProcess.noActiveIdentityDeletionProcess',
		]);
		for (const days of ['x', '-1', '3651']) {
			const wrong = await d.ask(`POST ${path}?lengthOfGracePeriodInDays=${days}`);
			expect([wrong.status, wrong.error.code]).toEqual([400, invalid]);
		}
		const begun = await d.ask(`POST ${path}?lengthOfGracePeriodInDays=1`);
		expect([begun.status, begun.result.status]).toEqual([200, 'Approved']);
		expect((await d.ask(`GET ${path}`)).result).toEqual(begun.result);
		expect((await d.ask(`POST ${path}`)).status).toBe(400);
		const ended = await d.ask(`DELETE ${path}`);
		expect([ended.status, ended.result.status]).toEqual([200, 'Cancelled']);
		await d.close();
	});
});
