import type {
	ChangePasswordBody,
	CreateIdentityBody,
	CreatedIdentity,
	FeatureFlags,
	IdentityDeletionState,
	WireChallenge,
	WireDeletionProcess,
	WireDevice,
	WireIdentity,
} from '../dto';
import type { CallOptions, ListOptions } from './call-options';

export interface IdentityResource {
	/**
	 * Anonymous; the implementation adds client id and client secret. Never repeated automatically.
	 * @throws `error.transport.general.platformClientInvalid`
	 */
	create(
		body: Omit<CreateIdentityBody, 'clientId' | 'clientSecret'>,
		options?: CallOptions,
	): Promise<CreatedIdentity>;

	/** Anonymous. */
	isDeleted(username: string, options?: CallOptions): Promise<IdentityDeletionState>;

	self(options?: CallOptions): Promise<WireIdentity>;

	/** Merges the flags into the existing ones; peers get an external event. At most 200 flags. */
	setFeatureFlags(flags: FeatureFlags, options?: CallOptions): Promise<void>;

	/**
	 * Flags of this identity, of an identity that it has a relationship with, or of one
	 * whose template it has loaded.
	 * @throws `error.runtime.recordNotFound` for all others
	 */
	featureFlags(address: string, options?: CallOptions): Promise<FeatureFlags>;
}

/**
 * Deletion of this identity. A running process always has the status `Approved`, whichever name
 * the Backbone's version uses. Changes are never repeated automatically: after a lost answer,
 * callers look into `list`.
 *
 * Source: docs/protocol/backbone-api.md 9
 */
export interface DeletionProcessResource {
	/**
	 * @param lengthOfGracePeriodInDays fractions are allowed; the Backbone's default is 14
	 * @throws `error.platform.validation.device.onlyOneActiveDeletionProcessAllowed`
	 */
	start(lengthOfGracePeriodInDays?: number, options?: CallOptions): Promise<WireDeletionProcess>;

	/** Running and former processes, unordered. */
	list(options?: ListOptions): Promise<WireDeletionProcess[]>;

	get(id: string, options?: CallOptions): Promise<WireDeletionProcess>;

	/**
	 * @throws `error.platform.validation.device.deletionProcessIsNotInRequiredStatus`,
	 * `error.platform.validation.device.gracePeriodHasAlreadyExpired`
	 */
	cancel(id: string, options?: CallOptions): Promise<WireDeletionProcess>;

	/**
	 * Approves a process that the operator started and that waits for approval: Backbones up to 6.56.
	 * @throws `error.transport.request.notFound` if the Backbone has no approvals
	 */
	approve(id: string, options?: CallOptions): Promise<WireDeletionProcess>;

	/** Like `approve`. */
	reject(id: string, options?: CallOptions): Promise<WireDeletionProcess>;
}

export interface DeviceResource {
	self(options?: CallOptions): Promise<WireDevice>;

	/** Does not change the credentials in use: call `authentication.use` afterwards. */
	changePassword(body: ChangePasswordBody, options?: CallOptions): Promise<void>;
}

export interface ChallengeResource {
	/**
	 * With an access token, the answer names its creator; `anonymous` is for creating an identity.
	 */
	create(options?: CallOptions & { readonly anonymous?: boolean }): Promise<WireChallenge>;

	get(id: string, options?: CallOptions): Promise<WireChallenge>;
}
