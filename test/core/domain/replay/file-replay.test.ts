import { readCipher, readCipherField } from '../../../../core/crypto/json-forms';
import { FileService } from '../../../../core/domain/file/file-service';
import { FileTokens } from '../../../../core/domain/token/file-tokens';
import { TokenService } from '../../../../core/domain/token/token-service';
import type { JsonObject } from '../../../../core/model/json';
import type { FileDto } from '../../../../core/model/record/file';
import { readVectors } from '../../../support/vectors';
import { raw, result } from '../../backbone/fixture-server';
import { bytesOf, jsonOf, scriptedRandom } from '../../crypto/vector-files';
import { openReplay, type RecordedIdentity, type ReplayBench } from './replay-bench';
import { itReadsItsVectors } from '../../../support/reads-its-vectors';

/* The recorded use cases of the official software, done again by our services. */

interface Recorded {
	name: string;
	owner: string;
	plaintext: string;
	metadataKey: string;
	cipherKey: string;
	metadataPlaintext: string;
	backboneMultipartFields: Record<string, string>;
	storedBytesAsText: string;
	backbonePostResponse: JsonObject;
	backboneGetMetadataResponse: JsonObject;
	reference: { truncated: string; url: string; truncatedDecoded: string };
	ownDTO: FileDto;
	peerDTO: FileDto;
}

const { identities, cases } = readVectors<{
	identities: Record<string, RecordedIdentity>;
	cases: Recorded[];
}>('transport-files.json');

const identityNamed = (name: string): RecordedIdentity => {
	const identity = identities[name];
	if (identity === undefined) throw new Error(`No identity ${name} in the vectors`);
	return identity;
};

/** The recorded version did not show the owner yet (http-api 7.1). */
const withOwner = (dto: FileDto): FileDto => ({ ...dto, owner: dto.createdBy });

let bench: ReplayBench;
afterEach(() => bench.close());

const loaderOf = ({ context }: ReplayBench, files: FileService): FileTokens =>
	new FileTokens(files, new TokenService(context));

async function partsOf(request: { body: string; headers: object } | undefined) {
	const type = (request?.headers as Record<string, string>)['content-type'] ?? '';
	const form = await new Response(request?.body, { headers: { 'content-type': type } }).formData();
	const parts: Record<string, string> = {};
	for (const [name, value] of form) {
		parts[name] = typeof value === 'string' ? value : await value.text();
	}
	return parts;
}

describe('a file as the official software uploaded it', () => {
	it.each(cases)('is uploaded with the same call and shown the same: $name', async (recorded) => {
		const { ownDTO, backboneMultipartFields: fields, metadataPlaintext } = recorded;
		const random = scriptedRandom(
			bytesOf(recorded.cipherKey),
			bytesOf(readCipher(jsonOf(recorded.storedBytesAsText)).nnc ?? ''),
			bytesOf(recorded.metadataKey),
			bytesOf(readCipherField(fields['encryptedProperties'] ?? '').nnc ?? ''),
		);
		bench = await openReplay({
			identity: identityNamed(recorded.owner),
			at: ownDTO.createdAt,
			random,
			routes: { 'POST /api/v2/Files': result(recorded.backbonePostResponse, 201) },
		});
		const { filename, mimetype, title, description, tags } = jsonOf<JsonObject>(metadataPlaintext);
		const input = {
			...{ filename, mimetype, title, description, tags },
			expiresAt: fields['expiresAt'],
		};
		const files = new FileService(bench.context);
		const shown = await files.upload(input, bytesOf(recorded.plaintext));
		expect(shown).toEqual(withOwner(ownDTO));
		expect(await files.get(ownDTO.id)).toEqual(shown);

		const [request] = bench.server.calls('/api/v2/Files');
		const { content, ...texts } = await partsOf(request);
		const { contentBytes: _bytes, ...expected } = fields;
		expect(texts).toEqual(expected);
		expect(content).toBe(recorded.storedBytesAsText);
		expect(Buffer.from(content ?? '').toString('base64url')).toBe(fields['contentBytes']);
		expect(shown.reference).toEqual({
			truncated: recorded.reference.truncated,
			url: recorded.reference.url,
		});
	});

	it.each(cases)('is loaded, shown and downloaded the same by a peer: $name', async (recorded) => {
		const { peerDTO, reference } = recorded;
		const path = `/api/v2/Files/${peerDTO.id}`;
		bench = await openReplay({
			identity: identityNamed('B'),
			at: peerDTO.createdAt,
			random: scriptedRandom(),
			routes: {
				[`GET ${path}/metadata`]: result(recorded.backboneGetMetadataResponse),
				[`GET ${path}`]: raw(200, recorded.storedBytesAsText, 'application/octet-stream'),
			},
		});
		const files = new FileService(bench.context);
		const loader = loaderOf(bench, files);
		for (const text of [reference.truncated, reference.url]) {
			expect(await loader.getOrLoad({ reference: text })).toEqual(withOwner(peerDTO));
		}
		expect(bench.server.calls(`${path}/metadata`)).toHaveLength(1);
		expect(await files.download(peerDTO.id)).toEqual({
			content: bytesOf(recorded.plaintext),
			filename: peerDTO.filename,
			mimetype: peerDTO.mimetype,
		});
		expect(Buffer.from(reference.truncated, 'base64url').toString()).toBe(
			reference.truncatedDecoded,
		);
	});
});

itReadsItsVectors(__filename);
