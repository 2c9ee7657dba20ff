import type { WireChallenge } from '../../../../core/backbone/dto';
import { ChallengeService } from '../../../../core/domain/challenge/challenge-service';
import type { JsonObject } from '../../../../core/model/json';
import type { ChallengeDto } from '../../../../core/model/record/challenge';
import type { RelationshipDto } from '../../../../core/model/record/relationship';
import { templateRecord } from '../../../support/records';
import { itReadsItsVectors } from '../../../support/reads-its-vectors';
import { readVectors } from '../../../support/vectors';
import { result } from '../../backbone/fixture-server';
import { relationshipSecrets, type OfficialSecrets } from '../../crypto/official-secrets';
import { scriptedRandom } from '../../crypto/vector-files';
import { openReplay, type RecordedIdentity, type ReplayBench } from './replay-bench';

/* The challenges of transport-misc.json, made and validated again by our services. */

interface Recorded {
	readonly type: ChallengeDto['type'];
	readonly dto: ChallengeDto;
	readonly verificationKey: string;
}

const { identities, challenges } = readVectors<{
	identities: Record<'A' | 'B', RecordedIdentity>;
	challenges: Recorded[];
}>('transport-misc.json');

interface Party {
	readonly templatorSide: {
		readonly templatorSecrets: OfficialSecrets;
		readonly dto: RelationshipDto;
	};
	readonly acceptance: { readonly requestorSecretsAfterAcceptance: OfficialSecrets };
}
const { cases } = readVectors<{ cases: Party[] }>('transport-relationships.json');

/** A's relationship with B is the one whose key has signed the recorded challenge. */
function relationshipOf(verificationKey: string): Party {
	const found = cases.find(
		({ templatorSide }) => templatorSide.templatorSecrets.sig.pub.pub === verificationKey,
	);
	if (found === undefined) throw new Error('No relationship of the vectors has this key');
	return found;
}

const { templatorSide, acceptance } = relationshipOf(
	challenges.find(({ type }) => type === 'Relationship')?.verificationKey ?? '',
);
const { id: relationshipId } = templatorSide.dto;

let bench: ReplayBench;
afterEach(() => bench.close());

async function open(who: 'A' | 'B', recorded: WireChallenge): Promise<ChallengeService> {
	bench = await openReplay({
		identity: identities[who],
		at: '2026-11-20T23:50:00.000Z',
		random: scriptedRandom(),
		routes: {
			'POST /api/v2/Challenges': result(recorded, 201),
			[`GET /api/v2/Challenges/${recorded.id}`]: result(recorded),
		},
	});
	const peer = identities[who === 'A' ? 'B' : 'A'];
	const secrets =
		who === 'A' ? templatorSide.templatorSecrets : acceptance.requestorSecretsAfterAcceptance;
	await bench.context.store.transact((tx) =>
		tx.relationships.insert(
			{
				id: relationshipId,
				status: 'Active',
				peer: peer.address,
				peerPublicKey: peer.identityPublicKey,
				createdByUs: who === 'B',
				templateId: 'RLT1',
				template: templateRecord('RLT1'),
				creationContent: {},
				auditLog: [],
				createdAt: '2026-11-20T23:00:00.000Z',
			},
			{
				established: relationshipSecrets(secrets) as unknown as JsonObject,
				template: { secretKey: 'a-key' },
			},
		),
	);
	return new ChallengeService({
		...bench.context,
		showRelationship: ({ record }) => ({ ...templatorSide.dto, id: record.id, peer: record.peer }),
	});
}

const wire = ({ id, expiresAt, createdBy, createdByDevice }: ChallengeDto): WireChallenge => ({
	id,
	expiresAt,
	createdBy,
	createdByDevice,
});

describe.each(challenges)('the recorded challenge of the type $type', ({ type, dto }) => {
	it('is made to the same bytes', async () => {
		const service = await open('A', wire(dto));
		const made = await service.create({
			challengeType: type,
			...(type === 'Relationship' ? { relationship: relationshipId } : {}),
		});
		expect(made).toEqual(dto);
		expect(Object.keys(made)).toEqual(Object.keys(dto));
	});

	it('is validated by the peer, unless it is a device', async () => {
		const service = await open('B', wire(dto));
		const { challengeString, signature } = dto;
		const verdict = service.validate({ challengeString, signature });
		if (type === 'Device') {
			await expect(verdict).rejects.toMatchObject({ code: 'error.runtime.notSupported' });
			return;
		}
		expect(await verdict).toMatchObject({
			isValid: true,
			correspondingRelationship: { id: relationshipId, peer: identities.A.address },
		});
	});
});

itReadsItsVectors(__filename);
