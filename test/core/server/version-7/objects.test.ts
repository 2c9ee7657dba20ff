import jsQR from 'jsqr';
import { PNG } from 'pngjs';
import type * as z from 'zod';
import { requestDtoSchema } from '../../../../core/model/record/request';
import { messageDtoSchema } from '../../../../core/model/record/message';
import {
	deletionProcessOfVersion7Schema,
	fileOfVersion7Schema,
	relationshipOfVersion7Schema,
	templateOfVersion7Schema,
	tokenOfVersion7Schema,
} from '../../../../core/model/version-7/shown-objects';
import { inOneHour, relate, SandboxNetwork } from '../../../support/gateways';
import { HttpGateway, type Answer, type Ask } from '../support/http-gateway';

/* docs/protocol/connector-7.md 5, 6 */
let network: SandboxNetwork;
let a: HttpGateway;
let b: HttpGateway;
let relationshipId: string;

beforeAll(async () => {
	network = await SandboxNetwork.open();
	a = await HttpGateway.open(network, { connectorVersion: 7, debug: true });
	b = await HttpGateway.open(network, { connectorVersion: 7 });
	({ relationshipId } = await relate(a.gateway, b.gateway));
});
afterAll(async () => {
	await a.close();
	await b.close();
	await network.close();
});

const in7 = (http: HttpGateway, call: string, ask?: Ask): Promise<Answer> =>
	http.ask(call.replace(' /', ' /api/core/v1/'), ask);
const png = { headers: { accept: 'image/png' } };

function textIn({ bytes }: Answer): string | undefined {
	const { data, width, height } = PNG.sync.read(Buffer.from(bytes));
	return jsQR(new Uint8ClampedArray(data), width, height)?.data;
}

function upload(fields: ReadonlyArray<readonly [string, string]> = []): Promise<Answer> {
	const body = new FormData();
	body.append('file', new File(['Hello'], 'note.txt', { type: 'text/plain' }));
	for (const [name, value] of fields) body.append(name, value);
	return in7(a, 'POST /Files/Own', { body });
}

const newTemplate = (): Promise<Answer> =>
	in7(a, 'POST /RelationshipTemplates/Own', {
		json: {
			content: { '@type': 'ArbitraryRelationshipTemplateContent', value: { a: 1 } },
			expiresAt: inOneHour(),
		},
	});

const newToken = (): Promise<Answer> =>
	in7(a, 'POST /Tokens/Own', {
		json: { content: { a: 1 }, expiresAt: inOneHour(), ephemeral: false },
	});

/** The object by a creation, by its id and in its list: each in the shape, without any other member. */
async function expectShape(
	schema: z.ZodObject,
	{ status, result, error }: Answer,
	list: string,
): Promise<void> {
	expect([status, error]).toEqual([201, undefined]);
	const one = await in7(a, `GET ${list.replace(/\/Own$/, '')}/${result.id}`);
	const { result: all } = await in7(a, `GET ${list}`);
	expect(all).toContainEqual(one.result);
	for (const shown of [result, one.result]) expect(schema.strict().parse(shown)).toEqual(shown);
}

describe('the shapes of version 7', () => {
	// shows connector-7 1: DTOs; connector-7 5: POST Files/Own; connector-7 6: paragraph 1;
	// generation-7 11: files
	it('of files have no former reference, and no title where none was given', async () => {
		const without = await upload();
		await expectShape(fileOfVersion7Schema, without, '/Files');
		expect(without.result).not.toHaveProperty('title');
		const titled = await upload([['title', 'Note']]);
		expect(titled.result.title).toBe('Note');
		expect((await a.ask(`GET /Files/${without.result.id}`)).result).toMatchObject({
			title: '',
			truncatedReference: without.result.reference.truncated,
		});
	});

	// shows connector-7 1: DTOs; connector-7 6: paragraph 1
	it('of templates and tokens have no former reference', async () => {
		await expectShape(templateOfVersion7Schema, await newTemplate(), '/RelationshipTemplates/Own');
		await expectShape(tokenOfVersion7Schema, await newToken(), '/Tokens/Own');
		const { result } = await newTemplate();
		const token = await in7(a, `POST /RelationshipTemplates/Own/${result.id}/Token`, { json: {} });
		expect(tokenOfVersion7Schema.strict().parse(token.result)).toEqual(token.result);
	});

	// shows connector-7 5: Account, Announcements; connector-7 6: paragraph 1
	it('of relationships name their template, also in the verdict on a challenge', async () => {
		const { result } = await in7(a, `GET /Relationships/${relationshipId}`);
		expect(relationshipOfVersion7Schema.strict().parse(result)).toEqual(result);
		const { result: former } = await a.ask(`GET /Relationships/${relationshipId}`);
		expect(result.templateId).toBe(former.template.id);
		expect((await in7(a, 'GET /Relationships')).result).toEqual([result]);
		const challenge = await in7(b, 'POST /Challenges', {
			json: { challengeType: 'Relationship', relationship: relationshipId },
		});
		const { challengeString, signature } = challenge.result;
		const verdict = await in7(a, 'POST /Challenges/Validate', {
			json: { challengeString, signature },
		});
		expect(verdict.result).toEqual({ isValid: true, correspondingRelationship: result });
	});

	// shows connector-7 1: Messages; connector-7 6: paragraph 1; connector-7 7: Mail; generation-7
	// 2: Mail; absent, null
	it('of messages show their files as files are shown', async () => {
		const { result: file } = await upload();
		const { address } = await b.gateway.account.getIdentity();
		const { result: sent } = await in7(a, 'POST /Messages', {
			json: {
				recipients: [address],
				content: { '@type': 'Mail', to: [address], subject: 'S', body: 'B' },
				attachments: [file.id],
			},
		});
		expect(messageDtoSchema.strict().parse(sent)).toEqual(sent);
		expect(sent.content.bodyFormat).toBe('PlainText');
		const { result: shown } = await in7(a, `GET /Messages/${sent.id}`);
		expect(shown).toEqual({ ...sent, attachments: [file] });
		expect((await a.ask(`GET /Messages/${sent.id}`)).result.content).not.toHaveProperty(
			'bodyFormat',
		);
	});

	// shows connector-7 1: Identity deletion; connector-7 5: IdentityDeletionProcess (debug);
	// connector-7 10: error.runtime.identityDeletionProcess.noApprovedIdentityDeletionProcess;
	// generation-7 13: paragraph 1
	it('of a deletion are active, and cancelled once', async () => {
		const missing = await in7(a, 'DELETE /IdentityDeletionProcess');
		expect([missing.status, missing.error.code]).toEqual([
			400,
			'error.runtime.identityDeletionProcess.noActiveIdentityDeletionProcess',
		]);
		const { result: begun } = await in7(a, 'POST /IdentityDeletionProcess');
		expect(deletionProcessOfVersion7Schema.strict().parse(begun)).toEqual(begun);
		expect(begun.status).toBe('Active');
		const { result: former } = await a.ask('GET /IdentityDeletionProcess');
		expect(former).toMatchObject({ status: 'Approved', approvedAt: expect.any(String) });
		const { result: cancelled } = await in7(a, 'DELETE /IdentityDeletionProcess');
		expect(cancelled).toMatchObject({ id: begun.id, status: 'Cancelled' });
		expect(cancelled).not.toHaveProperty('approvedAt');
	});
});

describe('the routes of version 7', () => {
	// shows connector-7 5: GET Relationships, GET Messages
	it('find relationships by the id of their template only', async () => {
		const { result: one } = await in7(a, `GET /Relationships/${relationshipId}`);
		const found = await in7(a, `GET /Relationships?templateId=${one.templateId}`);
		expect(found.result).toEqual([one]);
		const none = await in7(a, 'GET /Relationships?templateId=RLTaaaaaaaaaaaaaaaaa');
		expect(none.result).toEqual([]);
		const former = await in7(a, `GET /Relationships?template.id=${one.templateId}`);
		expect([former.status, former.error.code]).toEqual([
			400,
			'error.runtime.validation.invalidPropertyValue',
		]);
	});

	// shows connector-7 1: Messages; connector-7 5: GET Relationships, GET Messages; generation-7
	// 2: absent, null
	it('find mails by their format, which is plain text where none was given', async () => {
		const { address } = await b.gateway.account.getIdentity();
		const send = async (more: object): Promise<string> => {
			const content = { '@type': 'Mail', to: [address], subject: 'F', body: 'B', ...more };
			return (await in7(a, 'POST /Messages', { json: { recipients: [address], content } })).result
				.id;
		};
		const [plain, marked] = [await send({}), await send({ bodyFormat: 'Markdown' })];
		const found = async (format: string): Promise<unknown[]> => {
			const { result } = await in7(a, `GET /Messages?content.bodyFormat=${format}`);
			return (result as Array<{ id: string }>).map(({ id }) => id);
		};
		expect(await found('PlainText')).toContain(plain);
		expect(await found('PlainText')).not.toContain(marked);
		expect(await found('Markdown')).toEqual([marked]);
	});

	// shows connector-7 1: QR codes; connector-7 5: GET Files/{idOrReference}, POST
	it('draw the link, whatever is asked for', async () => {
		const [file, template, token] = [await upload(), await newTemplate(), await newToken()];
		for (const [path, { result }] of [
			['/Files', file],
			['/RelationshipTemplates', template],
			['/Tokens', token],
		] as const) {
			for (const query of ['', '?newQRCodeFormat=false']) {
				const picture = await in7(a, `GET ${path}/${result.id}${query}`, png);
				expect([picture.status, textIn(picture)]).toEqual([200, result.reference.url]);
			}
		}
		for (const path of [
			`/Files/${file.result.id}/Token`,
			`/RelationshipTemplates/Own/${template.result.id}/Token`,
		]) {
			const json = { newQRCodeFormat: false };
			const picture = await in7(a, `POST ${path}`, { json, ...png });
			expect([picture.status, textIn(picture)]).toEqual([201, expect.stringMatching(/^http/)]);
		}
	});

	// shows connector-7 5: references in bodies and paths; generation-7 11: references
	it('refuse references for apps, in bodies and paths', async () => {
		const [file, template, token] = [await upload(), await newTemplate(), await newToken()];
		for (const [path, { result }] of [
			['/Files/Peer', file],
			['/RelationshipTemplates/Peer', template],
			['/Tokens/Peer', token],
		] as const) {
			const post = (reference: string): Promise<Answer> =>
				in7(b, `POST ${path}`, { json: { reference } });
			const refused = await post(`nmshd://tr#${result.reference.truncated}`);
			expect([refused.status, refused.error.code, refused.error.message]).toEqual([
				400,
				'error.runtime.unknown',
				'An error was thrown in a UseCase: invalid input',
			]);
			expect((await post(result.reference.truncated)).status).toBe(201);
		}
		const inPath = encodeURIComponent(`nmshd://tr#${file.result.reference.truncated}`);
		const refused = await in7(a, `GET /Files/${inPath}`);
		expect([refused.status, refused.error.code]).toEqual([400, 'error.runtime.unknown']);
		expect((await a.ask(`GET /Files/${inPath}`)).status).toBe(200);
	});

	// shows connector-7 5: POST Files/Own; generation-7 6: paragraph 3; create, CanCreate, succeed
	// an own; generation-7 11: files
	it('refuse tags that a reference to a file may not have', async () => {
		const refused = await upload([
			['tags', 'x:mine'],
			['tags', 'free'],
			['tags', 'bkb:none'],
		]);
		expect([refused.status, refused.error.code, refused.error.message]).toEqual([
			400,
			'error.consumption.attributes.invalidTags',
			"Detected invalidity of the following tags: 'free', 'bkb:none'.",
		]);
		const taken = await upload([
			['tags', 'x:mine'],
			['tags', 'language:de'],
		]);
		expect([taken.status, taken.result.tags]).toEqual([201, ['x:mine', 'language:de']]);
	});

	// shows connector-7 1: Routes added; connector-7 5: DELETE RelationshipTemplates/{id}
	it.each([
		['RelationshipTemplates', 'RelationshipTemplate', newTemplate],
		['Tokens', 'Token', newToken],
	])('delete %s once', async (path, noun, create) => {
		const { id } = (await create()).result;
		expect((await in7(a, `DELETE /${path}/${id}`)).status).toBe(204);
		const again = await in7(a, `DELETE /${path}/${id}`);
		expect([again.status, again.error.code, again.error.message]).toEqual([
			404,
			'error.runtime.recordNotFound',
			`${noun} not found. Make sure the ID exists and the record is not expired.`,
		]);
		expect((await in7(a, `DELETE /${path}/malformed`)).status).toBe(400);
	});

	// shows connector-7 5: Account, Announcements; connector-7 6: paragraph 1
	it('show requests without members of this gateway', async () => {
		const { address } = await b.gateway.account.getIdentity();
		const item = { '@type': 'ConsentRequestItem', consent: 'C', mustBeAccepted: true };
		const { status, result } = await in7(a, 'POST /Requests/Outgoing', {
			json: { content: { items: [item] }, peer: address },
		});
		expect([status, requestDtoSchema.strict().parse(result)]).toEqual([201, result]);
	});
});
