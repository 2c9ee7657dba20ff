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
	 * Anonymous; client id and secret are added by the implementation. Never repeated by itself.
	 * @throws `error.transport.general.platformClientInvalid`
	 */
	create(
		body: Omit<CreateIdentityBody, 'clientId' | 'clientSecret'>,
		options?: CallOptions,
	): Promise<CreatedIdentity>;

	/** Anonymous. */
	isDeleted(username: string, options?: CallOptions): Promise<IdentityDeletionState>;

	self(options?: CallOptions): Promise<WireIdentity>;

	/** Merged into those that are set; peers get an external event. At most 200 flags. */
	setFeatureFlags(flags: FeatureFlags, options?: CallOptions): Promise<void>;

	/**
	 * Of ourselves, of anybody we have a relationship with, or whose template we have loaded.
	 * @throws `error.runtime.recordNotFound` for all others
	 */
	featureFlags(address: string, options?: CallOptions): Promise<FeatureFlags>;
}

/**
 * The deletion of our own identity. A running process is always called `Approved`, whatever the
 * Backbone's version calls it. No change is repeated by itself: after a lost answer, `list` tells.
 *
 * Source: docs/protocol/backbone-api.md 9
 */
export interface DeletionProcessResource {
	/**
	 * @param lengthOfGracePeriodInDays fractions are allowed; the Backbone's default is 14
	 * @throws `error.platform.validation.device.onlyOneActiveDeletionProcessAllowed`
	 */
	start(lengthOfGracePeriodInDays?: number, options?: CallOptions): Promise<WireDeletionProcess>;

	/** Running and former ones, without order. */
	list(options?: ListOptions): Promise<WireDeletionProcess[]>;

	get(id: string, options?: CallOptions): Promise<WireDeletionProcess>;

	/**
	 * @throws `error.platform.validation.device.deletionProcessIsNotInRequiredStatus`,
	 * `error.platform.validation.device.gracePeriodHasAlreadyExpired`
	 */
	cancel(id: string, options?: CallOptions): Promise<WireDeletionProcess>;

	/**
	 * Of a process that somebody else started and that waits for approval: Backbones up to 6.56.
	 * @throws `error.transport.request.notFound` where the Backbone knows no approval
	 */
	approve(id: string, options?: CallOptions): Promise<WireDeletionProcess>;

	/** As `approve`. */
	reject(id: string, options?: CallOptions): Promise<WireDeletionProcess>;
}

export interface DeviceResource {
	self(options?: CallOptions): Promise<WireDevice>;

	/** The credentials in use stay as they are: call `authentication.use` afterwards. */
	changePassword(body: ChangePasswordBody, options?: CallOptions): Promise<void>;
}

export interface ChallengeResource {
	/** With a token the answer names its creator; `anonymous` is for creating an identity. */
	create(options?: CallOptions & { readonly anonymous?: boolean }): Promise<WireChallenge>;

	get(id: string, options?: CallOptions): Promise<WireChallenge>;
}
