import { deriveAddress } from '../../core/model/address';
import {
	BackboneError,
	cannotParse,
	invalid,
	invalidProperty,
	notFound,
} from '../http/backbone-error';
import {
	created,
	done,
	ok,
	type Call,
	type Caller,
	type Route,
	type Sandbox,
} from '../http/context';
import type { DeviceRow, IdentityRow } from '../state/records';
import { runningDeletion } from '../state/identity-deletions';
import { checkSignedChallenge, decodeJson } from './challenges';

/** docs/protocol/backbone-api.md 7, 8 */
export const identityRoutes: readonly Route[] = [
	{
		method: 'POST',
		path: 'identities',
		handle: (call, sandbox) => {
			const { state, settings } = sandbox;
			const body = call.json();
			const isClient =
				body.text('clientId') === settings.clientId &&
				body.text('clientSecret') === settings.clientSecret;
			if (!isClient) {
				throw new BackboneError(
					400,
					'error.platform.unauthorized',
					'Client id or secret is wrong.',
				);
			}
			const publicKey = decodeJson(body.bytes('identityPublicKey', 1, 1_000)).text('pub');
			checkSignedChallenge(call, publicKey, state);
			const address = deriveAddress(publicKey, settings.hostname);
			if (state.identities.has(address)) {
				throw invalid('device.addressAlreadyExists', 'The address exists already.');
			}
			const password = requirePassword(body.text('devicePassword'), 'registrationFailed');
			const createdAt = state.timestamp();
			const identity: IdentityRow = {
				address,
				publicKey,
				createdAt,
				status: 'Active',
				deletions: [],
				datawallet: [],
				nextEventIndex: 0,
				nextRunIndex: 0,
				featureFlags: {},
			};
			const device = newDevice(sandbox, address, password, undefined, false);
			state.identities.set(address, identity);
			state.addDevice(device);
			const { id, username } = device;
			return created({ address, createdAt, device: { id, username, createdAt } });
		},
	},
	{
		method: 'GET',
		path: 'identities/isdeleted',
		handle: (call, { state, deletions }) => {
			const username = (call.query.get('username') ?? '').toLowerCase();
			const deletedAt = state.deletedUsernames.get(username);
			if (deletedAt !== undefined) return ok({ isDeleted: true, deletionDate: deletedAt });
			const device = state.devicesByUsername.get(username);
			const identity = device && state.identities.get(device.address);
			const isDeleted = identity !== undefined && deletions.isOver(identity);
			const endsAt = identity && runningDeletion(identity)?.gracePeriodEndsAt;
			return ok({ isDeleted, deletionDate: isDeleted ? endsAt : null });
		},
	},
	{
		method: 'GET',
		path: 'identities/self',
		handle: (call) => {
			const { identity } = call.caller();
			return ok({
				address: identity.address,
				createdAt: identity.createdAt,
				identityVersion: 1,
				tierId: 'TIRdefault0000000000',
				status: identity.status,
				deletionGracePeriodEndsAt: runningDeletion(identity)?.gracePeriodEndsAt ?? null,
			});
		},
	},
	{
		method: 'PATCH',
		path: 'identities/self/featureflags',
		handle: (call, { state, events }) => {
			const { identity } = call.caller();
			const flags = JSON.parse(call.body.toString('utf8') || '{}') as Record<string, unknown>;
			for (const [name, value] of Object.entries(flags)) {
				if (typeof value !== 'boolean') throw cannotParse('A feature flag is true or false.');
				identity.featureFlags[name] = value;
			}
			if (Object.keys(identity.featureFlags).length > 200) {
				throw invalid('featureFlag.maxNumberOfFeatureFlagsExceeded');
			}
			for (const relationship of state.relationshipsOf.get(identity.address) ?? []) {
				if (relationship.status !== 'Pending' && relationship.status !== 'Active') continue;
				const peer = relationship.from === identity.address ? relationship.to : relationship.from;
				events.add(peer, 'PeerFeatureFlagsChanged', { peerAddress: identity.address });
			}
			return done;
		},
	},
	{
		method: 'GET',
		path: 'identities/{}/featureflags',
		handle: (call, { state }) => {
			const { identity } = call.caller();
			const other = state.identities.get(call.parameters[0] ?? '');
			const isVisible =
				other === identity ||
				(other !== undefined && state.newestBetween(identity.address, other.address) !== undefined);
			if (other === undefined || !isVisible) throw notFound('Identity');
			return ok(other.featureFlags);
		},
	},
	{
		method: 'POST',
		path: 'devices',
		handle: (call, sandbox) => {
			const { identity, device } = call.caller();
			checkSignedChallenge(call, identity.publicKey, sandbox.state);
			const password = requirePassword(call.json().text('devicePassword'), 'registrationFailed');
			const isBackup = call.json().get('isBackupDevice') === true;
			const added = newDevice(sandbox, identity.address, password, device.id, isBackup);
			sandbox.state.addDevice(added);
			return created(shown(added));
		},
	},
	{ method: 'GET', path: 'devices/self', handle: (call) => ok(shown(call.caller().device)) },
	{
		method: 'PUT',
		path: 'devices/self',
		handle: (call) => {
			const language = call.json().text('communicationLanguage');
			if (!/^[a-z]{2}$/.test(language)) throw invalid('invalidDeviceCommunicationLanguage');
			call.caller().device.communicationLanguage = language;
			return done;
		},
	},
	{
		method: 'PUT',
		path: 'devices/self/password',
		handle: (call) => {
			const { device } = call.caller();
			if (call.json().text('oldPassword') !== device.password) {
				throw invalid('device.changePasswordFailed', 'The old password is wrong.');
			}
			device.password = requirePassword(call.json().text('newPassword'), 'changePasswordFailed');
			return done;
		},
	},
	{
		method: 'PUT',
		path: 'devices/self/pushnotifications',
		handle: (call, { state }) => {
			call.caller();
			return ok({ devicePushIdentifier: state.newId('DPI') });
		},
	},
	{
		method: 'DELETE',
		path: 'devices/self/pushnotifications',
		handle: (call) => {
			call.caller();
			return done;
		},
	},
	{
		method: 'DELETE',
		path: 'devices/{}',
		handle: (call, { state }) => {
			const { identity } = call.caller();
			const device = state.devices.get(call.parameters[0] ?? '');
			if (device === undefined) throw notFound('Device');
			if (device.address !== identity.address || device.lastLogin !== undefined) {
				throw invalid('device.deviceCannotBeDeleted');
			}
			state.removeDevice(device);
			return done;
		},
	},
];

function newDevice(
	{ state }: Sandbox,
	address: string,
	password: string,
	createdBy: string | undefined,
	isBackupDevice: boolean,
): DeviceRow {
	const id = state.newId('DVC');
	return {
		id,
		username: state.newId('USR'),
		password,
		address,
		createdAt: state.timestamp(),
		createdByDevice: createdBy ?? id,
		isBackupDevice,
		failedLogins: 0,
		communicationLanguage: 'en',
	};
}

function shown(device: DeviceRow): object {
	const { id, username, createdAt, createdByDevice, isBackupDevice, communicationLanguage } =
		device;
	const lastLogin = device.lastLogin === undefined ? null : { time: device.lastLogin };
	return {
		id,
		username,
		createdAt,
		createdByDevice,
		lastLogin,
		communicationLanguage,
		isBackupDevice,
	};
}

/** The policy of a production Backbone (docs/protocol/backbone-api.md 4.4). */
function requirePassword(password: string, failure: string): string {
	const isStrong =
		password.length >= 10 &&
		[/[A-Z]/, /[a-z]/, /[0-9]/, /[^A-Za-z0-9]/].every((kind) => kind.test(password));
	if (!isStrong) throw invalid(`device.${failure}`, 'The password does not follow the policy.');
	return password;
}

export function requireActive(caller: Caller): void {
	if (caller.identity.status === 'Active') return;
	const until =
		runningDeletion(caller.identity)?.gracePeriodEndsAt ?? new Date(8.64e15).toISOString();
	throw new BackboneError(429, 'error.platform.quotaExhausted', 'The quota is exhausted.', [
		{ metricKey: 'Any', isExhaustedUntil: until },
	]);
}

export function requireAddress(text: unknown): string {
	if (typeof text === 'string' && /^did:e:[a-z0-9.-]+:dids:[0-9a-f]{22}$/.test(text)) return text;
	throw invalidProperty('This is not a valid address.');
}

export type { Call };
