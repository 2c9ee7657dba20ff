import { sleep } from '../../base/abort';
import { isGatewayError } from '../../base/errors';
import type { TargetAnswer } from '../../events/delivery/delivery-queue';
import type { AnyEvent } from '../../facade/gateway-facade';
import { reasonOf } from './failure-reason';
import type { SupportedBroker } from './broker-config';
import type { BrokerMessage, Publication } from './broker-connection';
import { brokerErrors } from './broker-errors';
import type { BrokerLink, LiveConnection } from './broker-link';

export interface PublishTimes {
	/** milliseconds that a broker has to acknowledge a message */
	readonly acknowledgeMs: number;
	/** milliseconds that subscribers have to reconnect after an outage */
	readonly returnMs: number;
}

export const publishTimes: PublishTimes = { acknowledgeMs: 30_000, returnMs: 10_000 };

/** Time that a pending acknowledgement gets when the gateway closes. */
const finalAcknowledgeMs = 1_000;
const unroutableDelayMs = 200;

export interface PublisherOptions extends PublishTimes {
	readonly link: BrokerLink;
	readonly broker: SupportedBroker;
	/** path of this broker's entry in the settings */
	readonly setting: string;
}

/**
 * Sends one event to one broker; `taken` means that the broker has acknowledged it. Waits for an
 * unreachable broker until the signal aborts.
 */
export async function publishEvent(
	options: PublisherOptions,
	event: AnyEvent,
	signal: AbortSignal,
): Promise<TargetAnswer> {
	try {
		await publish(options, event, signal);
		return { kind: 'taken' };
	} catch (error) {
		if (signal.aborted) return { kind: 'away', reason: 'the gateway closes' };
		const cause = isGatewayError(error) ? (error.cause ?? error) : error;
		return { kind: kindOf(error), reason: reasonOf(cause, options.broker.configuration.url) };
	}
}

/**
 * A connection that breaks while an event is sent counts against the event, which may be the cause.
 */
function kindOf(error: unknown): 'refused' | 'failed' | 'away' {
	if (!isGatewayError(error)) return 'failed';
	return error.code === brokerErrors.refused.code ? 'refused' : 'away';
}

async function publish(
	options: PublisherOptions,
	event: AnyEvent,
	signal: AbortSignal,
): Promise<void> {
	const message = messageOf(event);
	for (;;) {
		const connection = await options.link.connection(signal);
		const publication = await acknowledged(options, connection, message, signal);
		if (publication === 'routed' || !connection.isAfterOutage) return;
		// No subscriber received the message; after an outage they may still be reconnecting, so it is
		// repeated.
		if (performance.now() - connection.openedAtMs > options.returnMs) return;
		await sleep(unroutableDelayMs, { signal, background: true });
	}
}

/** @see docs/protocol/http-api.md 12 */
function messageOf({ event, data }: AnyEvent): BrokerMessage {
	return { namespace: event, body: Buffer.from(JSON.stringify(data), 'utf8') };
}

/**
 * Waits for the acknowledgement. Without one the connection is closed, so that the next begins
 * without pending messages.
 */
async function acknowledged(
	{ acknowledgeMs, setting }: PublisherOptions,
	connection: LiveConnection,
	message: BrokerMessage,
	signal: AbortSignal,
): Promise<Publication> {
	const late = Promise.withResolvers<never>();
	const giveUp = (): void => late.reject(notAcknowledged(setting));
	let timer = setTimeout(giveUp, acknowledgeMs);
	const shortenDeadline = (): void => {
		clearTimeout(timer);
		timer = setTimeout(giveUp, Math.min(finalAcknowledgeMs, acknowledgeMs));
	};
	signal.addEventListener('abort', shortenDeadline, { once: true });
	try {
		return await Promise.race([connection.publish(message), late.promise]);
	} catch (error) {
		if (kindOf(error) !== 'refused') await connection.close();
		throw error;
	} finally {
		clearTimeout(timer);
		signal.removeEventListener('abort', shortenDeadline);
	}
}

function notAcknowledged(setting: string): Error {
	const message = 'The message broker did not acknowledge the event in time.';
	return brokerErrors.create('notAcknowledged', { message, facts: { setting } });
}
