import { silentLogger } from '../../../../core/base/logger';
import { signatureKeyPairOf } from '../../../../core/crypto/signature-keys';
import { asSignaturePrivateKey } from '../../../../core/crypto/keys';
import { IdentityService } from '../../../../core/domain/identity/identity-service';
import { TestClock } from '../../../support/clock';
import { openMemoryStore } from '../../../support/store';
import { readVectors } from '../../../support/vectors';
import {
	empty,
	FixtureServer,
	json,
	problem,
	result,
	type SeenRequest,
} from '../../backbone/fixture-server';
import { scriptedRandom } from '../../crypto/vector-files';
import { itReadsItsVectors } from '../../../support/reads-its-vectors';

/* The recorded creation of an identity, done again by our service. */

interface RecordedCreation {
	address: string;
	identityPrivateKeyJson: string;
	devicePublicKeyJson: string;
	devicePrivateKeyJson: string;
	deviceId: string;
	username: string;
	devicePassword: string;
	creation: {
		challengeResponse: { expiresAt: string };
		identitiesRequestBody: object;
		identitiesResponse: { createdAt: string };
		tokenRequestForm: string;
		tokenResponseShape: object;
	};
	callsDuringInit: ReadonlyArray<{
		method: string;
		path: string;
		xSupportedDatawalletVersion: string | null;
		authorization: string | null;
		contentType: string | null;
		body?: object;
	}>;
}

const { identities } = readVectors<{ identities: Record<string, RecordedCreation> }>(
	'wire-objects.json',
);
const recorded = Object.entries(identities).map(([name, identity]) => ({ name, identity }));

const syncRunId = 'SYRabcdefghijklmnopq';

let server: FixtureServer;
afterEach(() => server.close());

async function openServer({ creation }: RecordedCreation): Promise<FixtureServer> {
	return await FixtureServer.open({
		// The official software of that time spoke to the first version.
		'GET /api/v2/Version': empty(404),
		'GET /api/v1/Version': result({ majorVersion: '6' }),
		'POST /connect/token': json(200, creation.tokenResponseShape),
		'POST /api/v1/Challenges': result(creation.challengeResponse, 201),
		'POST /api/v1/Identities': result(creation.identitiesResponse, 201),
		'GET /api/v1/Datawallet': problem(404, 'error.platform.recordNotFound'),
		'POST /api/v1/SyncRuns': result(
			{ status: 'Created', syncRun: { id: syncRunId, expiresAt: '2030-01-01T00:00:00.000Z' } },
			201,
		),
		[`PUT /api/v1/SyncRuns/${syncRunId}/FinalizeDatawalletVersionUpgrade`]: result({
			newDatawalletVersion: 1,
			datawalletModifications: [],
		}),
	});
}

/** An account whose keys exist and whose identity the Backbone does not know yet. */
async function openService(recordedIdentity: RecordedCreation) {
	const { creation, address, devicePassword } = recordedIdentity;
	const keyIn = (json: string): string => (JSON.parse(json) as { prv: string }).prv;
	const identityPrivateKey = keyIn(recordedIdentity.identityPrivateKeyJson);
	const devicePrivateKey = keyIn(recordedIdentity.devicePrivateKeyJson);
	const clock = new TestClock(Date.parse(creation.identitiesResponse.createdAt));
	const store = await openMemoryStore(clock);
	const backbone = server.connect({ clientId: 'test-client', clientSecret: 'test-secret' });
	await store.transact(async (tx) => {
		const { publicKey } = signatureKeyPairOf(asSignaturePrivateKey(identityPrivateKey));
		await tx.identity.insert(
			{
				id: 'self',
				state: 'creating',
				address,
				publicKey,
				backboneBaseUrl: backbone.baseUrl,
				createdAt: creation.identitiesResponse.createdAt,
			},
			{
				identityPrivateKey,
				devicePrivateKey,
				devicePublicKey: (JSON.parse(recordedIdentity.devicePublicKeyJson) as { pub: string }).pub,
				devicePassword,
			},
		);
	});
	const service = new IdentityService({
		store,
		backbone,
		clock,
		random: scriptedRandom('holderofthelease'),
		logger: silentLogger,
		addressHostname: 'localhost',
		allowCreation: true,
	});
	return { service, store };
}

/** A call in the form in which the vectors state it. */
function shownCall({ method, path, headers, body }: SeenRequest): object {
	const isUpgrade = path.includes('SyncRuns');
	return {
		method,
		path: path.replace(syncRunId, '<syncRunId>'),
		xSupportedDatawalletVersion: headers['x-supported-datawallet-version'] ?? null,
		authorization: headers.authorization?.split(' ')[0] ?? null,
		contentType: headers['content-type'] ?? null,
		...(isUpgrade ? { body: JSON.parse(body) as object } : {}),
	};
}

describe('an identity as the official software made it', () => {
	it.each(recorded)('$name is registered with the same calls', async ({ identity }) => {
		server = await openServer(identity);
		const { service, store } = await openService(identity);
		const account = await service.open();
		const { address, deviceId } = identity;
		expect(account).toMatchObject({ address, deviceId });
		const stored = await store.read((tx) => tx.identity.get('self'));
		expect(stored?.record.device).toEqual({ id: deviceId, username: identity.username });
		// That a datawallet exists already is asked by us only: it makes the upgrade repeatable.
		const changes = server.seen.filter(({ method }) => method !== 'GET');
		expect(changes.map(shownCall)).toEqual(identity.callsDuringInit);
		const sent = (path: string): string => server.calls(path)[0]?.body ?? '';
		const { identitiesRequestBody, tokenRequestForm } = identity.creation;
		expect(JSON.parse(sent('/api/v1/Identities'))).toEqual(identitiesRequestBody);
		const entries = (form: string) => [...new URLSearchParams(form)].sort();
		expect(entries(sent('/connect/token'))).toEqual(entries(tokenRequestForm));
		await store.close();
	});
});

itReadsItsVectors(__filename);
