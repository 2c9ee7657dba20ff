import { readBase64Form } from '../../../../core/crypto/wire-json';
import {
	readRelationshipSecrets,
	readRequestSecrets,
} from '../../../../core/crypto/relationship-secrets-schema';
import { RelationshipActions } from '../../../../core/domain/relationship/relationship-actions';
import type { RelationshipDependencies } from '../../../../core/domain/relationship/relationship-dependencies';
import { RelationshipCreation } from '../../../../core/domain/relationship/relationship-creation';
import { RelationshipService } from '../../../../core/domain/relationship/relationship-service';
import type { WireRelationship } from '../../../../core/backbone/dto';
import { prepareCreationContent } from '../../../../core/model/content/creation-content';
import type { RelationshipDto } from '../../../../core/model/record/relationship';
import type { TemplateRecord } from '../../../../core/model/record/template';
import { readVectors } from '../../../support/vectors';
import { result } from '../../backbone/fixture-server';
import type { OfficialRequestSecrets, OfficialSecrets } from '../../crypto/official-secrets';
import { relationshipSecrets, requestSecrets, seedOf } from '../../crypto/official-secrets';
import { bytesOf, scriptedRandom } from '../../crypto/vector-files';
import { openReplay, type RecordedIdentity, type ReplayBench } from './replay-bench';
import { itReadsItsVectors } from '../../../support/reads-its-vectors';

/* The recorded use cases of the official software, done again by our services. */

interface Recorded {
	name: string;
	templatorName: string;
	requestorName: string;
	template: {
		id: string;
		secretKey: string;
		exchangeKeypair: { id: string; publicKey: string; privateKey: string };
		templatorIdentityPublicKey: string;
	};
	request: {
		backbonePostBody: { creationContent: string };
		backbonePostResponse: object;
		requestorSecrets: OfficialRequestSecrets;
		requestorDTO: RelationshipDto;
	};
	templatorSide: {
		backboneGetResponse: WireRelationship;
		templatorSecrets: OfficialSecrets;
		dto: RelationshipDto;
	};
	acceptance: {
		backbonePutBody: { creationResponseContent: string };
		requestorSecretsAfterAcceptance: OfficialSecrets;
		requestorDTO: RelationshipDto;
		templatorDTO: RelationshipDto;
	};
}

const { identities, cases } = readVectors<{
	identities: Record<string, RecordedIdentity>;
	cases: Recorded[];
}>('transport-relationships.json');

const identityNamed = (name: string): RecordedIdentity => {
	const identity = identities[name];
	if (identity === undefined) throw new Error(`No identity ${name} in the vectors`);
	return identity;
};

/** The template as the store of the one who is shown this relationship has it. */
async function storeTemplate(
	{ context }: ReplayBench,
	{ template }: Recorded,
	shown: RelationshipDto['template'],
): Promise<void> {
	const { truncatedReference: _truncated, reference: _reference, ...members } = shown;
	const { id, publicKey, privateKey } = template.exchangeKeypair;
	expect(shown.id).toBe(template.id);
	const record: TemplateRecord = {
		...members,
		identity: { address: shown.createdBy, publicKey: template.templatorIdentityPublicKey },
		templateKey: { id, publicKey },
	};
	const secrets = {
		secretKey: template.secretKey,
		...(shown.isOwn ? { templatePrivateKey: privateKey } : {}),
	};
	await context.store.transact(async (tx) => {
		await tx.templates.insert(record, secrets);
	});
}

function contextOf({ context }: ReplayBench): RelationshipDependencies {
	return {
		...context,
		prepareCreationContent,
		beforeSealing: () => Promise.resolve(),
		wakeSync: () => undefined,
	};
}

/** What the Backbone shows of the relationship once it was accepted. */
const acceptedWire = ({ templatorSide, acceptance }: Recorded): WireRelationship => ({
	...templatorSide.backboneGetResponse,
	status: 'Active',
	auditLog: acceptance.templatorDTO.auditLog,
	creationResponseContent: acceptance.backbonePutBody.creationResponseContent,
});

let bench: ReplayBench;
afterEach(() => bench.close());

describe('a relationship as the official software made it', () => {
	it.each(cases)('is created by the requestor with the same call: $name', async (recorded) => {
		const { request, acceptance } = recorded;
		const { requestorSecrets: secrets, requestorDTO: shown } = request;
		const outer = readBase64Form(request.backbonePostBody.creationContent, 'it') as {
			cipher: { nnc: string };
		};
		bench = await openReplay({
			identity: identityNamed(recorded.requestorName),
			at: shown.auditLog[0]?.createdAt ?? '',
			random: scriptedRandom(
				bytesOf(secrets.eph.prv.prv),
				bytesOf(secrets.exc.prv.prv),
				seedOf(secrets.sig),
				bytesOf(secrets.nnc),
				bytesOf(outer.cipher.nnc),
			),
			routes: {
				'GET /api/v2/Relationships/CanCreate': result({ canCreate: true }),
				'POST /api/v2/Relationships': result(request.backbonePostResponse, 201),
			},
		});
		await storeTemplate(bench, recorded, shown.template);
		const service = new RelationshipService(contextOf(bench));
		const creation = new RelationshipCreation(service.dependencies, service);
		const { creationContent, template } = shown;
		expect(await creation.create({ templateId: template.id, creationContent })).toEqual(shown);
		expect(bench.sent('POST')).toEqual([request.backbonePostBody]);
		const pending = await service.find(shown.id, {});
		expect(readRequestSecrets(pending.secrets.request)).toEqual(requestSecrets(secrets));

		await bench.context.store.transact((tx) =>
			service.receive(tx, { wire: acceptedWire(recorded), wasKnown: true }),
		);
		expect(await service.get(shown.id)).toEqual(acceptance.requestorDTO);
		const active = await service.find(shown.id, {});
		expect(readRelationshipSecrets(active.secrets.established)).toEqual(
			relationshipSecrets(acceptance.requestorSecretsAfterAcceptance),
		);
	});

	it.each(cases)('is received and accepted by the templator: $name', async (recorded) => {
		const { templatorSide, acceptance } = recorded;
		const { templatorSecrets: secrets, dto: shown } = templatorSide;
		bench = await openReplay({
			identity: identityNamed(recorded.templatorName),
			at: shown.auditLog[0]?.createdAt ?? '',
			random: scriptedRandom(
				bytesOf(secrets.exc.prv.prv),
				seedOf(secrets.sig),
				bytesOf(secrets.tx.nnc),
			),
			routes: {
				[`PUT /api/v2/Relationships/${shown.id}/Accept`]: result(acceptedWire(recorded)),
			},
		});
		await storeTemplate(bench, recorded, shown.template);
		const service = new RelationshipService(contextOf(bench));
		await bench.context.store.transact((tx) =>
			service.receive(tx, { wire: templatorSide.backboneGetResponse, wasKnown: false }),
		);
		expect(await service.get(shown.id)).toEqual(shown);
		const pending = await service.find(shown.id, {});
		expect(readRelationshipSecrets(pending.secrets.established)).toEqual(
			relationshipSecrets(secrets),
		);

		const actions = new RelationshipActions(service.dependencies, service);
		expect(await actions.take('accept', shown.id)).toEqual(acceptance.templatorDTO);
		expect(bench.sent('PUT')).toEqual([acceptance.backbonePutBody]);
	});
});

itReadsItsVectors(__filename);
