import type { Cancellable } from '../base/abort';
import { isoInstant, type Clock } from '../base/clock';
import { alphanumeric, type Random } from '../base/random';
import type { WebhookTestDto } from '../model/record/http/webhook';
import { isForbiddenHost, isPrivateHost } from '../publish/webhooks/forbidden-address';
import { WebhookCaller } from '../publish/webhooks/webhook-caller';
import { WebhookSender } from '../publish/webhooks/webhook-sender';
import { consumerOf } from './webhook-dto';
import type { WebhookEntry } from './webhook-service';

/** Name in the body of a test call, which no event has. */
const testEvent = 'gateway.webhookTest';

export interface WebhookCallsDependencies {
	readonly clock: Clock;
	readonly random: Random;
	/** address of this account */
	readonly identity: string;
	readonly allowsPrivateTargets: boolean;
	readonly timeoutMs: number;
}

/** Calls of the targets of registered webhooks. */
export class WebhookCalls {
	private caller: Promise<WebhookCaller> | undefined;

	constructor(private readonly dependencies: WebhookCallsDependencies) {}

	async senderOf({ record, secrets }: WebhookEntry): Promise<WebhookSender> {
		const { clock, identity, timeoutMs, allowsPrivateTargets } = this.dependencies;
		this.caller ??= WebhookCaller.open({
			timeoutMs,
			skipTlsCheck: false,
			isRefused: allowsPrivateTargets ? isForbiddenHost : isPrivateHost,
		});
		const { url, version, id } = record;
		const { secret: signingSecret, headers, authentication } = secrets;
		const target = { consumer: consumerOf(id), url, version, headers, signingSecret };
		return new WebhookSender(
			// The queue has selected the events, so each of them is posted once.
			{ ...target, authentication, triggers: ['**'] },
			{ caller: await this.caller, clock, identity },
		);
	}

	/** Posts a test event once. */
	async test(entry: WebhookEntry, { signal }: Cancellable = {}): Promise<WebhookTestDto> {
		const { clock, random } = this.dependencies;
		const sender = await this.senderOf(entry);
		const event = {
			id: `TEST${random.text(16, alphanumeric)}`,
			sequence: 0,
			event: testEvent,
			createdAt: isoInstant(clock.now()),
			data: {},
		};
		const answer = await sender.send(event, { signal: signal ?? new AbortController().signal });
		if (answer.kind === 'taken') return { isAccepted: true };
		return { isAccepted: false, reason: answer.reason };
	}

	/** Aborts calls in progress. */
	async close(): Promise<void> {
		const { caller } = this;
		this.caller = undefined;
		await (await caller)?.close();
	}
}
