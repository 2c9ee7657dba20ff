import { languages } from '../languages';
import { BackboneError, invalid, invalidProperty, notFound } from '../http/backbone-error';
import { created, done, ok, type Call, type Route, type Sandbox } from '../http/context';
import { byCreation, idsOf, paged } from '../http/paging';
import type { DeviceRow } from '../state/records';
import { checkSignedChallenge } from './challenges';
import { requireId } from '../http/body';

const pushPlatforms = ['fcm', 'apns', 'dummy', 'sse'];

/** @see docs/protocol/backbone-api.md 8 */
export const deviceRoutes: readonly Route[] = [
	{
		method: 'POST',
		path: 'devices',
		handle: (call, sandbox) => {
			const { identity, device } = call.caller();
			const body = call.json();
			const language = body.optionalText('communicationLanguage');
			const added = newDevice(sandbox, {
				address: identity.address,
				password: body.text('devicePassword'),
				createdBy: device.id,
				isBackupDevice: body.optionalBoolean('isBackupDevice') ?? false,
				communicationLanguage: requireLanguage(language ?? 'en'),
			});
			checkSignedChallenge(call, identity.publicKey, sandbox.state);
			requirePassword(added.password, 'registrationFailed');
			const isSecondBackup =
				added.isBackupDevice &&
				devicesOf(sandbox, identity.address).some(({ isBackupDevice }) => isBackupDevice);
			if (isSecondBackup) throw invalid('device.onlyOneBackupDeviceCanExist');
			sandbox.state.addDevice(added);
			const { id, username, createdAt, createdByDevice, isBackupDevice } = added;
			return created({ id, username, createdAt, createdByDevice, isBackupDevice });
		},
	},
	{
		method: 'GET',
		path: 'devices',
		handle: (call, sandbox) => {
			const { address } = call.caller().identity;
			const ids = idsOf(call.query, 'DVC');
			const own = devicesOf(sandbox, address);
			const wanted = ids.length === 0 ? own : own.filter(({ id }) => ids.includes(id));
			return paged(wanted.sort(byCreation), call.query, shown);
		},
	},
	{ method: 'GET', path: 'devices/self', handle: (call) => ok(shown(call.caller().device)) },
	{
		method: 'PUT',
		path: 'devices/self',
		handle: (call, { state }) => {
			const { device } = call.caller();
			device.communicationLanguage = requireLanguage(call.json().text('communicationLanguage'));
			state.devices.save(device);
			return done;
		},
	},
	{
		method: 'PUT',
		path: 'devices/self/password',
		handle: (call, { state }) => {
			const { device } = call.caller();
			const [old, next] = [call.json().text('oldPassword'), call.json().text('newPassword')];
			if (old !== device.password) {
				throw invalid('device.changePasswordFailed', 'The old password is wrong.');
			}
			requirePassword(next, 'changePasswordFailed');
			device.password = next;
			state.devices.save(device);
			return done;
		},
	},
	{
		method: 'PUT',
		path: 'devices/self/pushnotifications',
		handle: (call, { state, settings }) => {
			const { device } = call.caller();
			checkRegistration(call, settings.pushAppIds);
			device.pushIdentifier ??= state.newId('DPI');
			state.devices.save(device);
			return ok({ devicePushIdentifier: device.pushIdentifier });
		},
	},
	{
		method: 'DELETE',
		path: 'devices/self/pushnotifications',
		handle: (call, { state }) => {
			const { device } = call.caller();
			device.pushIdentifier = undefined;
			state.devices.save(device);
			return done;
		},
	},
	{
		method: 'DELETE',
		path: 'devices/{}',
		handle: (call, { state }) => {
			const { identity } = call.caller();
			const device = state.devices.get(requireId('DVC', call.parameters[0]));
			if (device === undefined) throw notFound('Device');
			if (device.address !== identity.address || device.lastLogin !== undefined) {
				throw invalid('device.deviceCannotBeDeleted');
			}
			state.removeDevice(device);
			return done;
		},
	},
];

export function newDevice(
	{ state }: Pick<Sandbox, 'state'>,
	about: {
		readonly address: string;
		readonly password: string;
		/** creating device; default: the device itself */
		readonly createdBy?: string;
		readonly isBackupDevice: boolean;
		readonly communicationLanguage: string;
	},
): DeviceRow {
	const id = state.newId('DVC');
	const { createdBy = id, ...more } = about;
	return {
		id,
		username: state.newId('USR'),
		createdAt: state.timestamp(),
		createdByDevice: createdBy,
		failedLogins: 0,
		...more,
	};
}

/** Password policy of a production Backbone (docs/protocol/backbone-api.md 4.4). */
export function requirePassword(password: string, failure: string): void {
	const isStrong =
		password.length >= 10 &&
		[/[A-Z]/, /[a-z]/, /[0-9]/, /[^A-Za-z0-9]/].every((kind) => kind.test(password));
	if (!isStrong) throw invalid(`device.${failure}`, 'The password does not follow the policy.');
}

export function requireLanguage(language: string): string {
	if (languages.has(language)) return language;
	throw invalid('invalidDeviceCommunicationLanguage', 'The language is not one of ISO 639-1.');
}

function devicesOf({ state }: Sandbox, address: string): DeviceRow[] {
	return [...(state.devicesOf.get(address) ?? [])];
}

function checkRegistration(call: Call, appIds: readonly string[] | undefined): void {
	const body = call.json();
	if (!pushPlatforms.includes(body.text('platform'))) throw invalid('invalidPnsPlatform');
	const { length } = body.text('handle');
	if (length < 10 || length > 500)
		throw invalidProperty("'handle' must have 10 to 500 characters.");
	const appId = body.text('appId');
	if (appId === '') throw invalidProperty("'appId' must not be empty.");
	const environment = body.optionalText('environment') ?? 'Production';
	if (environment !== 'Development' && environment !== 'Production') {
		throw invalidProperty("'environment' must be Development or Production.");
	}
	if (appIds !== undefined && !appIds.includes(appId)) {
		throw new BackboneError(400, 'error.platform.unsupportedAppId', 'The app is not supported.');
	}
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
