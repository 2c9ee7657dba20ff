import * as z from 'zod';
import { safeParse } from '../../base/schema-parse';
import type { Clock } from '../../base/clock';
import { readUntrustedJson } from '../../base/untrusted-json';
import type { WebhookCaller } from './webhook-caller';
import type { WebhookAuthentication } from './webhook-config';

type OAuth2 = Extract<WebhookAuthentication, { type: 'OAuth2' }>;

export type TokenAnswer =
	| { readonly kind: 'token'; readonly token: string }
	| { readonly kind: 'none'; readonly reason: string };

const grantSchema = z.object({
	access_token: z.string().regex(/^[\x21-\x7e]+$/),
	/** seconds */
	expires_in: z.coerce.number().optional(),
});

/** Time before its expiry from which a token is no longer used. */
const expiryMarginMs = 10_000;

/** Access tokens of a target by OAuth client credentials (docs/protocol/http-api.md 11). */
export class AccessToken {
	private known: { readonly token: string; readonly usableUntil: number } | undefined;

	constructor(
		private readonly settings: OAuth2,
		private readonly caller: WebhookCaller,
		private readonly clock: Clock,
	) {}

	/** @throws the signal's reason */
	async get(signal: AbortSignal): Promise<TokenAnswer> {
		const { known } = this;
		if (known !== undefined && this.clock.now() < known.usableUntil) {
			return { kind: 'token', token: known.token };
		}
		const { accessTokenUrl, clientId, clientSecret, scope } = this.settings;
		const pair = `${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`;
		const form = new URLSearchParams({ grant_type: 'client_credentials' });
		if (scope !== undefined) form.set('scope', scope);
		const answer = await this.caller.post(
			{
				url: accessTokenUrl,
				headers: {
					authorization: `Basic ${Buffer.from(pair).toString('base64')}`,
					'content-type': 'application/x-www-form-urlencoded',
					accept: 'application/json',
				},
				body: form.toString(),
			},
			{ signal, reads: true },
		);
		if (answer.kind === 'notReached') return none(answer.reason);
		const grant = safeParse(grantSchema, readUntrustedJson(answer.body));
		if (answer.status !== 200 || !grant.success) return none(`answered ${answer.status}`);
		const { access_token: token, expires_in: expiresIn = 0 } = grant.data;
		this.known = { token, usableUntil: this.clock.now() + expiresIn * 1_000 - expiryMarginMs };
		return { kind: 'token', token };
	}

	/** Discards a token that the target did not accept. */
	forget(): void {
		this.known = undefined;
	}
}

const none = (reason: string): TokenAnswer => ({
	kind: 'none',
	reason: `no access token: ${reason}`,
});
