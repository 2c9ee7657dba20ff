import { isGatewayError } from '../../base/errors';
import type { DeviceResource, IdentityResource } from '../port/backbone';
import type { BackboneCaller } from '../http/backbone-caller';
import { backboneErrors } from '../backbone-errors';
import { wireDeviceSchema } from '../dto/device';
import {
	createdIdentitySchema,
	featureFlagsSchema,
	identityDeletionStateSchema,
	wireIdentitySchema,
} from '../dto/identity';
import { get, patch, post, put } from './calls';
import { pathAddress } from './wire-text';

export interface ClientPair {
	readonly clientId: string;
	readonly clientSecret: string;
}

/**
 * In the answer to this call alone, "unauthorized" refers to the client
 * (`docs/protocol/backbone-api.md` 7.1, 25).
 */
function asClientInvalid(error: unknown): unknown {
	if (!isGatewayError(error, backboneErrors.unauthorized.code)) return error;
	return backboneErrors.create('clientInvalid', {
		message: 'The Backbone refused client ID or client secret when an identity was to be created.',
		facts: error.facts,
		cause: error,
	});
}

export function createIdentityResource(
	caller: BackboneCaller,
	{ clientId, clientSecret }: ClientPair,
): IdentityResource {
	return {
		create: async (body, options) => {
			const more = { anonymous: true, secrets: [body.devicePassword] };
			const call = post('/Identities', { ...body, clientId, clientSecret }, more);
			try {
				return await caller.result(call, createdIdentitySchema, options);
			} catch (error) {
				throw asClientInvalid(error);
			}
		},
		isDeleted: (username, options) => {
			const query = [['username', username]] as const;
			const call = get('/Identities/IsDeleted', { query, anonymous: true });
			return caller.result(call, identityDeletionStateSchema, options);
		},
		self: (options) => caller.result(get('/Identities/Self'), wireIdentitySchema, options),
		// The Backbone merges flags, so a repetition changes nothing.
		setFeatureFlags: (flags, options) =>
			caller.nothing(
				patch('/Identities/Self/FeatureFlags', flags, { isRepeatable: true }),
				options,
			),
		featureFlags: async (address, options) => {
			const call = get(`/Identities/${pathAddress(address)}/FeatureFlags`);
			return await caller.result(call, featureFlagsSchema, options);
		},
	};
}

export function createDeviceResource(caller: BackboneCaller): DeviceResource {
	return {
		self: (options) => caller.result(get('/Devices/Self'), wireDeviceSchema, options),
		changePassword: ({ oldPassword, newPassword }, options) => {
			const secrets = [oldPassword, newPassword];
			const call = put('/Devices/Self/Password', { oldPassword, newPassword }, { secrets });
			return caller.nothing(call, options);
		},
	};
}
