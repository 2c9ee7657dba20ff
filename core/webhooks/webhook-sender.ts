import { randomUUID } from 'node:crypto';
import type { Clock } from '../base/clock';
import type { TargetAnswer } from '../events/delivery-line';
import { hasNoData, type GatewayEvent } from '../events/event-types';
import { AccessToken } from './access-token';
import { signatureOf } from './signature';
import { fitsTrigger } from './trigger-pattern';
import type { CallOutcome, WebhookCaller } from './webhook-caller';
import { filledUrl, type WebhookTarget } from './webhook-targets';

/** The target, or what stands in front of it, asks for patience or cannot be found for now. */
const awayStatuses = new Set([408, 425, 429, 502, 503, 504]);

export interface WebhookSenderContext {
	readonly caller: WebhookCaller;
	readonly clock: Clock;
	/** address of our identity: numbers of events are its own */
	readonly identity: string;
}

/** Hands events to one target (docs/protocol/http-api.md 11). */
export class WebhookSender {
	private readonly accessToken: AccessToken | undefined;

	/** triggers of the event under way whose call was taken: only the others are repeated */
	private done = { sequence: 0, calls: 0 };

	constructor(
		private readonly target: WebhookTarget,
		private readonly context: WebhookSenderContext,
	) {
		const { authentication } = target;
		if (authentication?.type === 'OAuth2') {
			this.accessToken = new AccessToken(authentication, context.caller, context.clock);
		}
	}

	/** Once for each of the target's triggers that the event fits. */
	async send(event: GatewayEvent, { signal }: { signal: AbortSignal }): Promise<TargetAnswer> {
		const { sequence } = event;
		const calls = this.target.triggers.filter((one) => fitsTrigger(one, event.event)).length;
		if (this.done.sequence !== sequence) this.done = { sequence, calls: 0 };
		while (this.done.calls < calls) {
			const answer = await this.call(event, signal);
			if (answer.kind !== 'taken') return answer;
			this.done.calls++;
		}
		this.done = { sequence: 0, calls: 0 };
		return { kind: 'taken' };
	}

	private async call(event: GatewayEvent, signal: AbortSignal): Promise<TargetAnswer> {
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

	/** Or why there are none. */
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

	private identifyingHeaders(event: GatewayEvent, body: string): Record<string, string> {
		const { clock, identity } = this.context;
		// The last part of an address is its own; colons of the rest are for nothing here.
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
			return { kind: 'away', reason, retryAfterMs: patienceMs(retryAfter, this.context.clock) };
		}
		return { kind: status >= 500 ? 'failed' : 'refused', reason };
	}
}

function inLowerCase(headers: Readonly<Record<string, string>>): Record<string, string> {
	return Object.fromEntries(
		Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
	);
}

/** Seconds or a date. */
function patienceMs(retryAfter: string | undefined, clock: Clock): number | undefined {
	if (retryAfter === undefined) return undefined;
	const ms = /^\d+$/.test(retryAfter)
		? Number(retryAfter) * 1_000
		: Date.parse(retryAfter) - clock.now();
	return Number.isFinite(ms) && ms > 0 ? ms : undefined;
}
