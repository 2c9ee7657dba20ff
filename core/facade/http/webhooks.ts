import type { Cancellable } from '../../base/abort';
import type { RetrySettings } from '../../events/delivery/delivery-queue';
import type { CreateWebhookInput, UpdateWebhookInput } from '../../model/input/webhook';
import type {
	CreatedWebhookDto,
	WebhookDeliveryDto,
	WebhookDto,
	WebhookTestDto,
} from '../../model/record/http/webhook';
import type { ParkedDelivery } from '../../events/delivery/parked-deliveries';

/** Server at which a webhook is registered; its own routes are no targets. */
export interface ServerAddress {
	/** hosts by which clients reach it, as in the header Host */
	readonly hosts: readonly string[];
	/** TCP port at which it listens */
	readonly port?: number | undefined;
}

/** Options of calls that name a target. */
export interface TargetOptions extends Cancellable {
	/** server at which the webhook is registered; absent: none */
	readonly server?: ServerAddress | undefined;
}

/** Choice of parked deliveries of a webhook. */
export interface ParkedInput {
	/** ids of the deliveries; absent: all */
	readonly ids?: readonly string[] | undefined;
}

/**
 * Webhooks that clients register, each with a stored position in the events: every event after the
 * registration is posted to the target at least once and in order (docs/adr/0049).
 *
 * Methods with an id throw `error.runtime.recordNotFound`.
 */
export interface WebhookUseCases {
	/**
	 * Registers a webhook. Without a secret, one is generated and contained in this answer only.
	 *
	 * @throws `error.gateway.webhooks.privateAddress`, `error.gateway.webhooks.ownAddress`,
	 * `error.gateway.webhooks.tooMany`, `error.gateway.events.unknownName`
	 */
	create(input: CreateWebhookInput, options?: TargetOptions): Promise<CreatedWebhookDto>;
	/** One webhook with the progress of its deliveries. */
	get(id: string, options?: Cancellable): Promise<WebhookDto>;
	/** All webhooks, oldest first. */
	list(options?: Cancellable): Promise<WebhookDto[]>;
	/**
	 * Replaces the given members. Events that are not delivered yet follow the new ones.
	 *
	 * @throws the codes of `create`
	 */
	update(id: string, input: UpdateWebhookInput, options?: TargetOptions): Promise<WebhookDto>;
	/** Deletes a webhook with its position and its parked deliveries. */
	delete(id: string, options?: Cancellable): Promise<void>;
	/** Posts a signed test event once and tells what the target answered. */
	test(id: string, options?: Cancellable): Promise<WebhookTestDto>;
	/** Deliveries that the target did not accept, oldest first. */
	parked(id: string, options?: Cancellable): Promise<ParkedDelivery[]>;
	/** Requests another attempt at parked deliveries; returns the ids that were still parked. */
	retryParked(id: string, input: ParkedInput, options?: Cancellable): Promise<string[]>;
	/** Discards parked deliveries permanently; returns the ids that were still parked. */
	discardParked(id: string, input: ParkedInput, options?: Cancellable): Promise<string[]>;
	/**
	 * Delivers the events of all webhooks until released, also of webhooks that are registered later
	 * or by other processes. Of the processes with the account that call it, one delivers.
	 */
	keepDelivering(options?: {
		/** when deliveries are repeated and parked */
		readonly retry?: RetrySettings | undefined;
	}): {
		/** Ends the deliveries; resolves when the calls in progress have ended. */
		release(): Promise<void>;
	};
}

export type {
	CreateWebhookInput,
	UpdateWebhookInput,
	WebhookFilterInput,
} from '../../model/input/webhook';
export type { CreatedWebhookDto, ParkedDelivery, WebhookDeliveryDto, WebhookDto, WebhookTestDto };
