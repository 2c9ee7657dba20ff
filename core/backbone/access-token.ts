import type { Clock } from '../base/clock';
import { codeOf, GatewayError, isGatewayError } from '../base/errors';
import { SingleFlight } from '../base/single-flight';
import type { DeviceCredentials } from './backbone';
import type { IdentityDeletionState } from './dto';
import { backboneErrors } from './backbone-errors';
import { waitFor } from './deadline';
import type { TokenEndpoint } from './token-endpoint';

/** A token is not used any more this long before it ends (`docs/protocol/backbone-api.md` 4.3). */
const earlyRenewalMs = 10_000;

/**
 * A refused password is not offered again for this long, because the third refusal locks the
 * device: the answer is the remembered refusal.
 */
const refusalPauseMs = 10 * 60_000;

/** The refusal is known; its reason is not worth the time of the whole call. */
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
		/** whether the identity behind a refused user name is gone; asked anonymously */
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

	/** Never to appear in a message. */
	get secrets(): string[] {
		const { credentials, token } = this.session ?? {};
		return [credentials?.password, token?.value].filter((secret) => secret !== undefined);
	}

	/**
	 * A token that is valid for at least ten more seconds by our clock.
	 * @throws `error.transport.secrets.secretNotFound`, `error.transport.request.noAuthGrant`,
	 * `error.gateway.identity.deleted`, `error.transport.request.noAuthPossible`
	 */
	async get(signal: AbortSignal): Promise<string> {
		const session = this.session;
		if (session === undefined) {
			throw backboneErrors.create('credentialsMissing', {
				message: 'No device credentials are in use, so the Backbone cannot be asked as anybody.',
			});
		}
		const { token, refusal } = session;
		const now = this.clock.now();
		if (token !== undefined && now < token.expiresAtMs - earlyRenewalMs) return token.value;
		if (refusal !== undefined && now < refusal.untilMs) throw refusal.error;
		return waitFor(
			session.flight.run(() => this.renew(session)),
			signal,
		);
	}

	/** After a 401: forgets this token, unless another caller has already renewed it. */
	drop(value: string): void {
		if (this.session?.token?.value === value) this.session.token = undefined;
	}

	/**
	 * The identity of a token that still works may be gone for minutes (`docs/protocol/backbone-api.md`
	 * 9.2). Answers the error that says so, if the Backbone confirms it; then the token is dropped.
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
		// Without an answer of the endpoint the cause is named, the code is the one for "no token".
		return new GatewayError({
			code: backboneErrors.authenticationUnavailable.code,
			kind: error.kind,
			message: `No access token: ${error.message}`,
			remedy: error.remedy,
			facts: { ...error.facts, causeCode: error.code },
			cause: error,
		});
	}

	/** A deleted identity is refused like a wrong password, and a person must be told which it is. */
	private async reasonOf(
		refusal: GatewayError,
		credentials: DeviceCredentials,
	): Promise<GatewayError> {
		if (refusal.facts['oauthError'] !== 'invalid_grant') return refusal;
		return (await this.deletedError(refusal, credentials)) ?? refusal;
	}

	/** Undefined while the identity lives, or when the Backbone cannot say. */
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
