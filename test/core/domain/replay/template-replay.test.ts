import { readCipherField } from '../../../../core/crypto/json-forms';
import { ObjectChanges } from '../../../../core/domain/object-changes';
import { OutgoingRequestService } from '../../../../core/domain/request/outgoing-request-service';
import { TemplateService } from '../../../../core/domain/template/template-service';
import { TokenService } from '../../../../core/domain/token/token-service';
import type { JsonObject } from '../../../../core/model/json';
import type { TemplateDto } from '../../../../core/model/record/template';
import { fileAccessOf } from '../../../support/file-access';
import { readVectors } from '../../../support/vectors';
import { result } from '../../backbone/fixture-server';
import { bytesOf, scriptedRandom } from '../../crypto/vector-files';
import { openReplay, type RecordedIdentity, type ReplayBench } from './replay-bench';
import { itReadsItsVectors } from '../../../support/reads-its-vectors';

/* The recorded use cases of the official software, done again by our services. */

interface Recorded {
	name: string;
	creator: string;
	runtimeRequest: JsonObject;
	backbonePostBody: { content: string };
	secretKey: string;
	templateExchangeKeypair: { id: string; privateKey: string };
	passwordProtection?: { salt: string; password: string };
	reference: { truncated: string };
	ownDTO: TemplateDto;
	peer: {
		loader: string;
		backboneGetQuery: string;
		backboneGetResponse: JsonObject;
		dto: TemplateDto;
	};
}

const { identities, cases } = readVectors<{
	identities: Record<string, RecordedIdentity>;
	cases: Recorded[];
}>('transport-templates.json');

const identityNamed = (name: string): RecordedIdentity => {
	const identity = identities[name];
	if (identity === undefined) throw new Error(`No identity ${name} in the vectors`);
	return identity;
};

let bench: ReplayBench;
afterEach(() => bench.close());

function serviceOf({ context }: ReplayBench): TemplateService {
	const requests = new OutgoingRequestService({
		...context,
		files: fileAccessOf(context),
		reviewPeer: () => Promise.resolve(),
	});
	return new TemplateService({
		...context,
		tokens: new TokenService(context),
		changes: new ObjectChanges(context),
		prepareContent: (content, expiresAt, options) =>
			requests.prepareTemplateContent(content, expiresAt, options),
	});
}

describe('a template as the official software made it', () => {
	it.each(cases)('is created with the same call and shown the same: $name', async (recorded) => {
		const { templateExchangeKeypair, passwordProtection, secretKey, ownDTO } = recorded;
		const { nnc } = readCipherField(recorded.backbonePostBody.content);
		bench = await openReplay({
			identity: identityNamed(recorded.creator),
			at: ownDTO.createdAt,
			random: scriptedRandom(
				...(passwordProtection === undefined ? [] : [bytesOf(passwordProtection.salt)]),
				bytesOf(templateExchangeKeypair.privateKey),
				templateExchangeKeypair.id.slice('TRPRTK'.length),
				bytesOf(secretKey),
				bytesOf(nnc ?? ''),
			),
			routes: {
				'POST /api/v2/RelationshipTemplates': result(
					{ id: ownDTO.id, createdAt: ownDTO.createdAt },
					201,
				),
			},
		});
		const service = serviceOf(bench);
		expect(await service.create(recorded.runtimeRequest)).toEqual(ownDTO);
		expect(bench.sent('POST')).toEqual([recorded.backbonePostBody]);
		expect(await service.get(ownDTO.id)).toEqual(ownDTO);
	});

	it.each(cases)('is loaded with the same call and shown the same: $name', async (recorded) => {
		const { peer, reference, passwordProtection, ownDTO } = recorded;
		const path = `/api/v2/RelationshipTemplates/${ownDTO.id}`;
		bench = await openReplay({
			identity: identityNamed(peer.loader),
			at: ownDTO.createdAt,
			random: scriptedRandom(),
			routes: { [`GET ${path}`]: result(peer.backboneGetResponse) },
		});
		const input = {
			reference: reference.truncated,
			...(passwordProtection === undefined ? {} : { password: passwordProtection.password }),
		};
		expect(await serviceOf(bench).loadPeer(input)).toEqual(peer.dto);
		const [call] = bench.server.calls(path);
		expect(decodeURIComponent(call?.url ?? '')).toBe(`${path}${peer.backboneGetQuery}`);
	});
});

itReadsItsVectors(__filename);
