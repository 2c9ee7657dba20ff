import { GatewayError, isGatewayError } from '../../base/errors';
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
	return new GatewayError({
		code: backboneErrors.clientInvalid.code,
		kind: backboneErrors.clientInvalid.kind,
		message: 'The Backbone refused client ID or client secret when an identity was to be created.',
		remedy: backboneErrors.clientInvalid.remedy,
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
			const call = {
				method: 'POST',
				path: '/Identities',
				json: { ...body, clientId, clientSecret },
				anonymous: true,
				secrets: [body.devicePassword],
			} as const;
			try {
				return await caller.result(call, createdIdentitySchema, options);
			} catch (error) {
				throw asClientInvalid(error);
			}
		},
		isDeleted: (username, options) =>
			caller.result(
				{
					method: 'GET',
					path: '/Identities/IsDeleted',
					query: [['username', username]],
					anonymous: true,
				},
				identityDeletionStateSchema,
				options,
			),
		self: (options) =>
			caller.result({ method: 'GET', path: '/Identities/Self' }, wireIdentitySchema, options),
		setFeatureFlags: (flags, options) =>
			caller.nothing(
				{
					method: 'PATCH',
					path: '/Identities/Self/FeatureFlags',
					json: flags,
					// The Backbone merges flags, so a repetition changes nothing.
					isRepeatable: true,
				},
				options,
			),
		featureFlags: async (address, options) =>
			caller.result(
				{ method: 'GET', path: `/Identities/${pathAddress(address)}/FeatureFlags` },
				featureFlagsSchema,
				options,
			),
	};
}

export function createDeviceResource(caller: BackboneCaller): DeviceResource {
	return {
		self: (options) =>
			caller.result({ method: 'GET', path: '/Devices/Self' }, wireDeviceSchema, options),
		changePassword: ({ oldPassword, newPassword }, options) =>
			caller.nothing(
				{
					method: 'PUT',
					path: '/Devices/Self/Password',
					json: { oldPassword, newPassword },
					secrets: [oldPassword, newPassword],
				},
				options,
			),
	};
}
