import { safeParse } from '../../base/schema-parse';
import type { GatewayError } from '../../base/errors';
import type { Random } from '../../base/random';
import type { Clock } from '../../base/clock';
import { readUntrustedJson } from '../../base/untrusted-json';
import type { DeviceCredentials } from '../port/backbone';
import { backboneErrors } from '../backbone-errors';
import type { Deadlines } from './deadline';
import { oauthErrorSchema, tokenGrantSchema, type TokenGrant } from '../dto/access-token';
import type { HttpAnswer, HttpExchange } from './http-exchange';
import { plainText } from '../plain-text';
import { readWireError } from './problem';
import { AnswerFailure, repeat } from './repeat';
import { readRetryAfter, type RetryLimits } from './retry-policy';

const path = '/connect/token';

const lockedRemedy =
	'After three refused attempts the Backbone locks a device for ten minutes; wait, then try again.';

const clientErrors = new Set(['invalid_client', 'unauthorized_client']);

export interface TokenEndpointOptions {
	readonly clientId: string;
	readonly clientSecret: string;
	readonly exchange: HttpExchange;
	readonly deadlines: Deadlines;
	readonly clock: Clock;
	readonly random: Random;
	readonly retry: RetryLimits;
}

function readJson(answer: HttpAnswer): unknown {
	return readUntrustedJson(answer.body.toString('utf8'));
}

/** `POST /connect/token` (`docs/protocol/backbone-api.md` 4.1, `crypto-and-identity.md` 9). */
export class TokenEndpoint {
	constructor(private readonly options: TokenEndpointOptions) {}

	/**
	 * @throws `error.transport.request.noAuthGrant`, `error.transport.request.noAuthPossible`, with
	 * the facts `status` and `oauthError`; failures of the connection under their own codes
	 */
	async grant(credentials: DeviceCredentials, signal?: AbortSignal): Promise<TokenGrant> {
		const { deadlines, random, retry } = this.options;
		return deadlines.run({ method: 'POST', path }, signal, (linked) =>
			repeat(
				(attemptSignal) => this.attempt(credentials, attemptSignal),
				{ isRepeatable: true, limits: retry, random },
				linked,
			),
		);
	}

	private async attempt(credentials: DeviceCredentials, signal: AbortSignal): Promise<TokenGrant> {
		const { clientId, clientSecret, exchange, clock } = this.options;
		const form = new URLSearchParams({
			grant_type: 'password',
			username: credentials.username,
			password: credentials.password,
			client_id: clientId,
			client_secret: clientSecret,
		});
		const answer = await exchange.run(
			{
				method: 'POST',
				target: path,
				headers: {
					'content-type': 'application/x-www-form-urlencoded',
					accept: 'application/json',
				},
				body: form.toString(),
				maxAnswerBytes: 64 * 1024,
			},
			signal,
		);
		const body = readJson(answer);
		if (answer.status === 200) return readGrant(body);
		const secrets = [clientSecret, credentials.password];
		const retryAfterMs = readRetryAfter(answer.header('retry-after'), clock.now());
		throw new AnswerFailure(refusalOf(answer.status, body, secrets), answer.status, retryAfterMs);
	}
}

function readGrant(body: unknown): TokenGrant {
	const grant = safeParse(tokenGrantSchema, body);
	if (grant.success) return grant.data;
	throw backboneErrors.create('authenticationUnavailable', {
		message: 'The token endpoint of the Backbone answered 200, but not with an access token.',
		facts: { status: 200, method: 'POST', path },
		remedy: 'Check the Backbone address: something else may answer there.',
	});
}

/** Maps a refusal of the endpoint to its row in `docs/protocol/transport.md` 18.2. */
function refusalOf(status: number, body: unknown, secrets: readonly string[]): GatewayError {
	const parsed = safeParse(oauthErrorSchema, body);
	const wire = readWireError(body);
	const oauthError = parsed.success ? parsed.data.error : undefined;
	const said = parsed.success ? parsed.data.error_description : wire?.message;
	const reason = [oauthError ?? wire?.code, said].filter((part) => Boolean(part)).join(': ');
	const facts = {
		status,
		method: 'POST',
		path,
		...(oauthError === undefined ? {} : { oauthError }),
		...(wire === undefined ? {} : { platformCode: wire.code }),
	};
	const because = reason === '' ? '' : `, ${plainText(reason, secrets)}`;
	const isClientError = oauthError !== undefined && clientErrors.has(oauthError);
	if (isClientError || status === 401) {
		const message = `The Backbone refused client ID or client secret (${status}${because}).`;
		return status === 400
			? backboneErrors.create('grantRefused', {
					message,
					facts,
					remedy: backboneErrors.clientRefused.remedy,
				})
			: backboneErrors.create('clientRefused', { message, facts });
	}
	if (status === 400 && (oauthError !== undefined || wire !== undefined)) {
		return backboneErrors.create('grantRefused', {
			message: `The Backbone refused user name or password of the device (${status}${because}).`,
			facts,
			...(oauthError === 'access_denied' ? { remedy: lockedRemedy } : {}),
		});
	}
	const name = [400, 404, 500].includes(status) || status < 300 ? 'grantFailed' : undefined;
	return backboneErrors.create(name ?? 'authenticationUnavailable', {
		message: `The token endpoint of the Backbone answered ${status}${because} instead of a token.`,
		facts,
	});
}
