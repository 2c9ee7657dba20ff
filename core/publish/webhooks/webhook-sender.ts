import { randomUUID } from 'node:crypto';
import type { Clock } from '../../base/clock';
import type { TargetAnswer } from '../../events/delivery/delivery-queue';
import { hasNoData, type AnyEvent } from '../../events/event-types';
import { AccessToken } from './access-token';
import { signatureOf } from './signature';
import { matchesPattern } from '../../events/event-pattern';
import type { CallOutcome, WebhookCaller } from './webhook-caller';
import { filledUrl, type WebhookTarget } from './webhook-targets';

/** Statuses with which a target, or a proxy before it, is overloaded or temporarily unreachable. */
const awayStatuses = new Set([408, 425, 429, 502, 503, 504]);

export interface WebhookSenderDependencies {
	readonly caller: WebhookCaller;
	readonly clock: Clock;
	/** address of this account, because event numbers are unique within an account only */
	readonly identity: string;
}

/** Sends events to one target (docs/protocol/http-api.md 11). */
export class WebhookSender {
	private readonly accessToken: AccessToken | undefined;

	/**
	 * number of calls for the current event that the target has taken; only the others are repeated
	 */
	private done = { sequence: 0, calls: 0 };

	constructor(
		private readonly target: WebhookTarget,
		private readonly context: WebhookSenderDependencies,
	) {
		const { authentication } = target;
		if (authentication?.type === 'OAuth2') {
			this.accessToken = new AccessToken(authentication, context.caller, context.clock);
		}
	}

	/** Posts the event once for each trigger of the target that matches it. */
	async send(event: AnyEvent, { signal }: { signal: AbortSignal }): Promise<TargetAnswer> {
		const { sequence } = event;
		const calls = this.target.triggers.filter((one) => matchesPattern(one, event.event)).length;
		if (this.done.sequence !== sequence) this.done = { sequence, calls: 0 };
		while (this.done.calls < calls) {
			const answer = await this.call(event, signal);
			if (answer.kind !== 'taken') return answer;
			this.done.calls++;
		}
		this.done = { sequence: 0, calls: 0 };
		return { kind: 'taken' };
	}

	private async call(event: AnyEvent, signal: AbortSignal): Promise<TargetAnswer> {
		const authentication = await this.authenticationHeaders(signal);
		if (typeof authentication === 'string') return { kind: 'away', reason: authentication };
		const body = JSON.stringify({
			...(hasNoData(event.event) ? {} : { data: event.data }),
			trigger: event.event,
		});
		const outcome = await this.context.caller.post(
			{
				url: filledUrl(this.target.url, event.event),
				headers: {
					'content-type': 'application/json',
					'user-agent': 'n8n-nodes-enmeshed',
					...inLowerCase(this.target.headers),
					...authentication,
					'x-correlation-id': event.correlationId ?? randomUUID(),
					...this.identifyingHeaders(event, body),
				},
				body,
			},
			{ signal },
		);
		if (outcome.kind === 'answered' && outcome.status === 401) this.accessToken?.forget();
		return this.judge(outcome);
	}

	/** Headers, or the reason for which they are missing. */
	private async authenticationHeaders(
		signal: AbortSignal,
	): Promise<Record<string, string> | string> {
		const { authentication } = this.target;
		if (authentication?.type === 'ApiKey') {
			return { [authentication.headerName.toLowerCase()]: authentication.apiKey };
		}
		const answer = await this.accessToken?.get(signal);
		if (answer === undefined) return {};
		return answer.kind === 'token' ? { authorization: `Bearer ${answer.token}` } : answer.reason;
	}

	private identifyingHeaders(event: AnyEvent, body: string): Record<string, string> {
		const { clock, identity } = this.context;
		// The last part of an address identifies the account; the rest with its colons is left out.
		const id = `${event.id}-${identity.slice(identity.lastIndexOf(':') + 1)}`;
		const timestamp = Math.floor(clock.now() / 1_000);
		const { signingSecret } = this.target;
		return {
			'webhook-id': id,
			'webhook-timestamp': String(timestamp),
			...(signingSecret === undefined
				? {}
				: { 'webhook-signature': signatureOf(signingSecret, { id, timestamp, body }) }),
		};
	}

	private judge(outcome: CallOutcome): TargetAnswer {
		if (outcome.kind === 'notReached') return { kind: 'away', reason: outcome.reason };
		const { status, retryAfter } = outcome;
		if (status >= 200 && status < 300) return { kind: 'taken' };
		const redirect = status >= 300 && status < 400 ? '; redirects are not followed' : '';
		const reason = `answered ${status}${redirect}`;
		if (awayStatuses.has(status)) {
			return {
				kind: 'away',
				reason,
				retryAfterMs: parseRetryAfter(retryAfter, this.context.clock),
			};
		}
		return { kind: status >= 500 ? 'failed' : 'refused', reason };
	}
}

function inLowerCase(headers: Readonly<Record<string, string>>): Record<string, string> {
	return Object.fromEntries(
		Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
	);
}

/** Parses the header Retry-After: seconds or a date. */
function parseRetryAfter(retryAfter: string | undefined, clock: Clock): number | undefined {
	if (retryAfter === undefined) return undefined;
	const ms = /^\d+$/.test(retryAfter)
		? Number(retryAfter) * 1_000
		: Date.parse(retryAfter) - clock.now();
	return Number.isFinite(ms) && ms > 0 ? ms : undefined;
}
