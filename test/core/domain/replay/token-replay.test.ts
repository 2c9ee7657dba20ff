import { loosely } from '../../../support/loosely';
import { readCipherField } from '../../../../core/crypto/json-forms';
import { FileService } from '../../../../core/domain/file/file-service';
import { TemplateService } from '../../../../core/domain/template/template-service';
import { TemplateTokens } from '../../../../core/domain/template/template-tokens';
import { FileTokens } from '../../../../core/domain/token/file-tokens';
import { TokenService } from '../../../../core/domain/token/token-service';
import type { JsonObject } from '../../../../core/model/json';
import type { SharedPasswordProtection } from '../../../../core/model/password-protection';
import type { TokenDto } from '../../../../core/model/record/token';
import { fileRecord, templateRecord } from '../../../support/records';
import { readVectors } from '../../../support/vectors';
import { result } from '../../backbone/fixture-server';
import { bytesOf, jsonOf, scriptedRandom } from '../../crypto/vector-files';
import { openReplay, type RecordedIdentity, type ReplayBench } from './replay-bench';
import { itReadsItsVectors } from '../../../support/reads-its-vectors';

/* The recorded use cases of the official software, done again by our services. */

interface Recorded {
	name: string;
	creator: string;
	backbonePostBody: { content: string; expiresAt: string; forIdentity?: string; password?: string };
	secretKey: string;
	plaintext: string;
	reference: { truncated: string; url: string; truncatedDecoded: string };
	ownDTO: TokenDto;
	/** the last one was not loaded */
	peer?: { loader: string; password?: string; dto: TokenDto };
}

const { identities, cases } = readVectors<{
	identities: Record<string, RecordedIdentity>;
	cases: Recorded[];
}>('transport-tokens.json');

const identityNamed = (name: string): RecordedIdentity => {
	const identity = identities[name];
	if (identity === undefined) throw new Error(`No identity ${name} in the vectors`);
	return identity;
};

let bench: ReplayBench;
afterEach(() => bench.close());

/** The salt of the password, as the reference tells it. */
function saltOf({ reference }: Recorded): Uint8Array[] {
	const salt = reference.truncatedDecoded.split('|').at(-1)?.split('&')[1];
	return salt === undefined ? [] : [new Uint8Array(Buffer.from(salt, 'base64'))];
}

const openCreator = async (recorded: Recorded): Promise<TokenService> => {
	const { ownDTO, secretKey, backbonePostBody } = recorded;
	bench = await openReplay({
		identity: identityNamed(recorded.creator),
		at: ownDTO.createdAt,
		random: scriptedRandom(
			...saltOf(recorded),
			bytesOf(secretKey),
			bytesOf(readCipherField(backbonePostBody.content).nnc ?? ''),
		),
		routes: {
			'POST /api/v2/Tokens': result({ id: ownDTO.id, createdAt: ownDTO.createdAt }, 201),
		},
	});
	return new TokenService(bench.context);
};

describe('a token as the official software made it', () => {
	it.each(cases)('is created with the same call and shown the same: $name', async (recorded) => {
		const { ownDTO, backbonePostBody, plaintext } = recorded;
		const tokens = await openCreator(recorded);
		const { forIdentity, passwordProtection, isEphemeral, expiresAt } = ownDTO;
		const shown = await tokens.create({
			content: jsonOf<JsonObject>(plaintext),
			expiresAt,
			ephemeral: isEphemeral,
			forIdentity,
			passwordProtection,
		});
		expect(shown).toEqual(ownDTO);
		expect(shown.reference).toEqual({
			truncated: recorded.reference.truncated,
			url: recorded.reference.url,
		});
		expect(bench.sent('POST')).toEqual([backbonePostBody]);
		expect(await tokens.list()).toEqual(isEphemeral ? [] : [ownDTO]);
	});

	const ofFiles = cases.filter(({ name }) => name.startsWith('file token'));

	it.each(ofFiles)('is made for its file: $name', async (recorded) => {
		const { ownDTO, backbonePostBody } = recorded;
		const tokens = await openCreator(recorded);
		const { fileId, secretKey } = jsonOf<{ fileId: string; secretKey: { key: string } }>(
			recorded.plaintext,
		);
		const { expiresAt } = backbonePostBody;
		await bench.context.store.transact((tx) =>
			tx.files.insert(fileRecord(fileId, { expiresAt }), {
				secretKey: secretKey.key,
				contentKey: '',
			}),
		);
		const fileTokens = new FileTokens(new FileService(bench.context), tokens);
		expect(await fileTokens.create(fileId)).toEqual(ownDTO);
		expect(bench.sent('POST')).toEqual([backbonePostBody]);
	});

	const ofTemplates = cases.filter(({ name }) => name.startsWith('template token'));

	it.each(ofTemplates)('is made for its template: $name', async (recorded) => {
		const { ownDTO, backbonePostBody } = recorded;
		const tokens = await openCreator(recorded);
		const { templateId, secretKey, forIdentity, passwordProtection } = jsonOf<{
			templateId: string;
			secretKey: { key: string };
			forIdentity: string;
			passwordProtection: SharedPasswordProtection;
		}>(recorded.plaintext);
		const { expiresAt } = backbonePostBody;
		const password = ownDTO.passwordProtection?.password ?? '';
		await bench.context.store.transact((tx) =>
			tx.templates.insert(templateRecord(templateId, { expiresAt, forIdentity }), {
				secretKey: secretKey.key,
				passwordProtection: { ...passwordProtection, password },
			}),
		);
		const templates = new TemplateService({
			...bench.context,
			tokens,
			prepareContent: () => Promise.resolve(loosely({})),
		});
		const templateTokens = new TemplateTokens(templates, tokens, bench.clock);
		const input = { forIdentity, passwordProtection: ownDTO.passwordProtection };
		const shown = await templateTokens.create(templateId, { ...input, ephemeral: false });
		expect(shown).toEqual(ownDTO);
		expect(bench.sent('POST')).toEqual([backbonePostBody]);
	});

	const loaded = cases.flatMap(({ peer, ...rest }) =>
		peer === undefined ? [] : [{ ...rest, peer }],
	);

	it.each(loaded)('is loaded with the same call and shown the same: $name', async (recorded) => {
		const { peer, ownDTO, backbonePostBody, reference } = recorded;
		const { loader, password, dto } = peer;
		const isAnonymous = loader === 'anonymous';
		const path = `/api/v2/Tokens/${ownDTO.id}`;
		bench = await openReplay({
			identity: identityNamed(isAnonymous ? 'B' : loader),
			at: ownDTO.createdAt,
			random: scriptedRandom(),
			routes: {
				[`GET ${path}`]: result({
					id: ownDTO.id,
					createdBy: ownDTO.createdBy,
					createdByDevice: ownDTO.createdByDevice,
					createdAt: ownDTO.createdAt,
					expiresAt: backbonePostBody.expiresAt,
					forIdentity: backbonePostBody.forIdentity ?? null,
					content: backbonePostBody.content,
				}),
			},
		});
		const tokens = new TokenService(bench.context);
		const input = { reference: reference.url, password };
		const shown = isAnonymous
			? await tokens.loadAnonymous(input)
			: await tokens.loadPeer({ ...input, ephemeral: dto.isEphemeral });
		expect(shown).toEqual(dto);
		const [call] = bench.server.calls(path);
		expect(call?.query.get('password') ?? undefined).toBe(backbonePostBody.password);
		expect(call?.headers.authorization === undefined).toBe(isAnonymous);
	});
});

itReadsItsVectors(__filename);
