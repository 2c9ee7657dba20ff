import { waitOrAbort } from '../../base/abort';
import type { Clock } from '../../base/clock';
import { codeOf, GatewayError, isGatewayError } from '../../base/errors';
import { SingleFlight } from '../../base/single-flight';
import type { DeviceCredentials } from '../port/backbone';
import type { IdentityDeletionState } from '../dto';
import { backboneErrors } from '../backbone-errors';
import type { TokenEndpoint } from './token-endpoint';

/**
 * Time before its expiry from which a token is no longer used (`docs/protocol/backbone-api.md`
 * 4.3).
 */
const earlyRenewalMs = 10_000;

/**
 * Time during which a refused password is not sent again: callers get the remembered refusal,
 * because a third refusal locks the device.
 */
const refusalPauseMs = 10 * 60_000;

/**
 * Deadline for finding out why the Backbone refused, so that this does not take
 * the time of the whole call.
 */
const reasonPatienceMs = 10_000;

interface Session {
	readonly credentials: DeviceCredentials;
	readonly flight: SingleFlight<string>;
	token?: { readonly value: string; readonly expiresAtMs: number } | undefined;
	refusal?: { readonly error: GatewayError; readonly untilMs: number } | undefined;
}

/** Obtains, keeps and renews the access token; concurrent callers share one request. */
export class AccessTokens {
	private session: Session | undefined;

	constructor(
		private readonly endpoint: TokenEndpoint,
		private readonly clock: Clock,
		/** asks anonymously whether the identity of a refused user name was deleted */
		private readonly deletionOf: (
			username: string,
			options: { readonly signal: AbortSignal },
		) => Promise<IdentityDeletionState>,
	) {}

	use(credentials: DeviceCredentials | undefined): void {
		const known = this.session?.credentials;
		const isSame =
			known !== undefined &&
			known.username === credentials?.username &&
			known.password === credentials.password;
		if (isSame) return;
		this.session =
			credentials === undefined ? undefined : { credentials, flight: new SingleFlight() };
	}

	/** Values that must not appear in a message. */
	get secrets(): string[] {
		const { credentials, token } = this.session ?? {};
		return [credentials?.password, token?.value].filter((secret) => secret !== undefined);
	}

	/**
	 * Returns a token that is valid for at least ten more seconds by the local clock.
	 * @throws `error.transport.secrets.secretNotFound`, `error.transport.request.noAuthGrant`,
	 * `error.gateway.identity.deleted`, `error.transport.request.noAuthPossible`
	 */
	async get(signal: AbortSignal): Promise<string> {
		const session = this.session;
		if (session === undefined) {
			throw backboneErrors.create('credentialsMissing', {
				message: 'No device credentials are in use, so no login at the Backbone is possible.',
			});
		}
		const { token, refusal } = session;
		const now = this.clock.now();
		if (token !== undefined && now < token.expiresAtMs - earlyRenewalMs) return token.value;
		if (refusal !== undefined && now < refusal.untilMs) throw refusal.error;
		return waitOrAbort(
			session.flight.run(() => this.renew(session)),
			{ signal },
		);
	}

	/** Forgets this token after a 401, unless another caller has already renewed it. */
	drop(value: string): void {
		if (this.session?.token?.value === value) this.session.token = undefined;
	}

	/**
	 * A token keeps working for minutes after its identity was deleted
	 * (`docs/protocol/backbone-api.md` 9.2). Returns the error for a deleted identity if the Backbone
	 * confirms the deletion, and then drops the token.
	 */
	async deletionBehind(token: string, answer: GatewayError): Promise<GatewayError | undefined> {
		const { session } = this;
		if (session === undefined) return undefined;
		const { refusal } = session;
		if (refusal?.error.code === backboneErrors.identityDeleted.code) return refusal.error;
		const error = await this.deletedError(answer, session.credentials);
		if (error === undefined) return undefined;
		this.drop(token);
		session.refusal = { error, untilMs: this.clock.now() + refusalPauseMs };
		return error;
	}

	private async renew(session: Session): Promise<string> {
		try {
			const grant = await this.endpoint.grant(session.credentials);
			session.refusal = undefined;
			session.token = {
				value: grant.access_token,
				expiresAtMs: this.clock.now() + grant.expires_in * 1_000,
			};
			return grant.access_token;
		} catch (error) {
			throw await this.refused(session, error);
		}
	}

	private async refused(session: Session, error: unknown): Promise<unknown> {
		if (!isGatewayError(error) || codeOf(error) === backboneErrors.closed.code) return error;
		if (error.code === backboneErrors.grantRefused.code && error.kind === 'forbidden') {
			const reason = await this.reasonOf(error, session.credentials);
			session.refusal = { error: reason, untilMs: this.clock.now() + refusalPauseMs };
			return reason;
		}
		if (error.facts.status !== undefined) return error;
		// The endpoint did not answer: the message names the cause, the code is
		// the one for a missing token.
		return new GatewayError({
			code: backboneErrors.authenticationUnavailable.code,
			kind: error.kind,
			message: `No access token: ${error.message}`,
			remedy: error.remedy,
			facts: { ...error.facts, causeCode: error.code },
			cause: error,
		});
	}

	/**
	 * Tells a deleted identity from a wrong password: the Backbone refuses both in the same way, and
	 * the person needs to know which it is.
	 */
	private async reasonOf(
		refusal: GatewayError,
		credentials: DeviceCredentials,
	): Promise<GatewayError> {
		if (refusal.facts['oauthError'] !== 'invalid_grant') return refusal;
		return (await this.deletedError(refusal, credentials)) ?? refusal;
	}

	/** Undefined while the identity exists, or if the Backbone gives no answer. */
	private async deletedError(
		cause: GatewayError,
		{ username }: DeviceCredentials,
	): Promise<GatewayError | undefined> {
		const signal = AbortSignal.timeout(reasonPatienceMs);
		const state = await this.deletionOf(username, { signal }).catch(() => undefined);
		if (state?.isDeleted !== true) return undefined;
		const since = state.deletionDate == null ? '' : ` on ${state.deletionDate}`;
		return backboneErrors.create('identityDeleted', {
			message: `The identity of this account was deleted at the Backbone${since}.`,
			facts: {
				sent: false,
				...(state.deletionDate == null ? {} : { deletionDate: state.deletionDate }),
			},
			cause,
		});
	}
}
