import { deriveAddress, isAddress } from '../address';
import {
	BackboneError,
	cannotParse,
	invalid,
	invalidProperty,
	notFound,
} from '../http/backbone-error';
import { created, ok, type Call, type Route, type Sandbox } from '../http/context';
import type { IdentityRow } from '../state/records';
import { runningDeletion } from '../state/identity-deletions';
import { checkSignedChallenge, decodeJson } from './challenges';
import { newDevice, requireLanguage, requirePassword } from './devices';

const tiers = { basic: 'TIRbasic000000000000', queuedForDeletion: 'TIR00000000000000001' };

/** @see docs/protocol/backbone-api.md 7 */
export const identityRoutes: readonly Route[] = [
	{
		method: 'POST',
		path: 'identities',
		isAnonymous: true,
		handle: (call, sandbox) => {
			const { state } = sandbox;
			const { identity, password, communicationLanguage } = read(call, sandbox);
			const { address, createdAt } = identity;
			const device = newDevice(sandbox, {
				...{ address, password, communicationLanguage },
				isBackupDevice: false,
			});
			state.identities.save(identity);
			state.addDevice(device);
			const { id, username } = device;
			return created({ address, createdAt, device: { id, username, createdAt } });
		},
	},
	{
		method: 'GET',
		path: 'identities/isdeleted',
		isAnonymous: true,
		handle: (call, { state, deletions }) => {
			const username = (call.query.get('username') ?? '').toLowerCase();
			const deletedAt = state.deletedUsernames.get(username);
			if (deletedAt !== undefined) return ok({ isDeleted: true, deletionDate: deletedAt });
			const device = state.devicesByUsername.get(username);
			const identity = device && state.identities.get(device.address);
			const isDeleted = identity !== undefined && deletions.isExpired(identity);
			const endsAt = identity && runningDeletion(identity)?.gracePeriodEndsAt;
			return ok({ isDeleted, deletionDate: isDeleted ? endsAt : null });
		},
	},
	{
		method: 'GET',
		path: 'identities/self',
		handle: (call, sandbox) => {
			const { identity } = call.caller();
			requireIdentity(identity, sandbox);
			return ok({
				address: identity.address,
				createdAt: identity.createdAt,
				identityVersion: identity.identityVersion,
				tierId: identity.status === 'Active' ? tiers.basic : tiers.queuedForDeletion,
				status: identity.status,
				deletionGracePeriodEndsAt: runningDeletion(identity)?.gracePeriodEndsAt ?? null,
			});
		},
	},
];

/** Validates in the order of the real server: the client, the challenge, then the content. */
function read(
	call: Call,
	{ state, settings }: Sandbox,
): { identity: IdentityRow; password: string; communicationLanguage: string } {
	const body = call.json();
	const password = body.text('devicePassword');
	const identityVersion = body.integer('identityVersion', 255);
	if (identityVersion < 0) throw cannotParse('The identity version is negative.');
	const isClient =
		body.text('clientId') === settings.clientId &&
		body.text('clientSecret') === settings.clientSecret;
	if (!isClient) {
		throw new BackboneError(400, 'error.platform.unauthorized', 'Client id or secret is wrong.');
	}
	const communicationLanguage = requireLanguage(
		body.optionalText('deviceCommunicationLanguage') ?? 'en',
	);
	const publicKey = decodeJson(body.bytes('identityPublicKey', 1, 1_000)).text('pub');
	checkSignedChallenge(call, publicKey, state);
	const address = deriveAddress(Buffer.from(publicKey, 'base64url'), settings.hostname);
	if (state.identities.has(address)) {
		throw invalid('device.addressAlreadyExists', 'The address exists already.');
	}
	if (state.identities.size >= (settings.maxIdentities ?? Infinity)) {
		throw invalid('device.clientReachedIdentitiesLimit', 'The client has all its identities.');
	}
	requirePassword(password, 'registrationFailed');
	const identity: IdentityRow = {
		address,
		publicKey,
		createdAt: state.timestamp(),
		status: 'Active',
		deletions: [],
		identityVersion,
		nextModificationIndex: 0,
		nextRunIndex: 0,
		featureFlags: {},
	};
	return { identity, password, communicationLanguage };
}

/**
 * @throws `error.platform.recordNotFound` if the identity was deleted after its token was issued
 */
export function requireIdentity({ address }: IdentityRow, { state }: Pick<Sandbox, 'state'>): void {
	if (!state.identities.has(address)) throw notFound('Identity');
}

/** Requires correct form, length and checksum. */
export function requireAddress(text: unknown): string {
	if (typeof text === 'string' && isAddress(text)) return text;
	throw invalidProperty('This is not a valid address.');
}
