import { sleep } from '../base/abort';
import { isGatewayError } from '../base/errors';
import type { TargetAnswer } from '../events/delivery-line';
import type { GatewayEvent } from '../facade';
import { reasonOf } from './broker-address';
import type { SupportedBroker } from './broker-config';
import type { BrokerMessage, Publication } from './broker-connection';
import { brokerErrors } from './broker-errors';
import type { BrokerLink, LiveConnection } from './broker-link';

export interface PublishTimes {
	/** how long a broker may take to acknowledge */
	readonly acknowledgeMs: number;
	/** how long after an outage those who listened get to come back */
	readonly returnMs: number;
}

export const publishTimes: PublishTimes = { acknowledgeMs: 30_000, returnMs: 10_000 };

/** An acknowledgement that is under way when the gateway closes is waited for this long. */
const lastWordMs = 1_000;
const unheardDelayMs = 200;

export interface PublisherOptions extends PublishTimes {
	readonly link: BrokerLink;
	readonly broker: SupportedBroker;
	/** what the entry of this broker is called in the settings */
	readonly setting: string;
}

/**
 * Sends one event to one broker: `taken` is what the broker has acknowledged. A broker that cannot be
 * reached is waited for until the signal aborts.
 */
export async function publishEvent(
	options: PublisherOptions,
	event: GatewayEvent,
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

/** A connection that breaks while an event is sent may break because of it. */
function kindOf(error: unknown): 'refused' | 'failed' | 'away' {
	if (!isGatewayError(error)) return 'failed';
	return error.code === brokerErrors.refused.code ? 'refused' : 'away';
}

async function publish(
	options: PublisherOptions,
	event: GatewayEvent,
	signal: AbortSignal,
): Promise<void> {
	const message = messageOf(event);
	for (;;) {
		const connection = await options.link.connection(signal);
		const publication = await acknowledged(options, connection, message, signal);
		if (publication === 'heard' || !connection.isAfterOutage) return;
		// Nobody got it, and those who listened before the outage may be about to.
		if (performance.now() - connection.openedAtMs > options.returnMs) return;
		await sleep(unheardDelayMs, { signal, background: true });
	}
}

/** docs/protocol/http-api.md 12 */
function messageOf({ event, data }: GatewayEvent): BrokerMessage {
	return { namespace: event, body: Buffer.from(JSON.stringify(data), 'utf8') };
}

/** A connection whose broker does not answer is given up: the next one begins without leftovers. */
async function acknowledged(
	{ acknowledgeMs, setting }: PublisherOptions,
	connection: LiveConnection,
	message: BrokerMessage,
	signal: AbortSignal,
): Promise<Publication> {
	const late = Promise.withResolvers<never>();
	const giveUp = (): void => late.reject(notAcknowledged(setting));
	let timer = setTimeout(giveUp, acknowledgeMs);
	const hurry = (): void => {
		clearTimeout(timer);
		timer = setTimeout(giveUp, Math.min(lastWordMs, acknowledgeMs));
	};
	signal.addEventListener('abort', hurry, { once: true });
	try {
		return await Promise.race([connection.publish(message), late.promise]);
	} catch (error) {
		if (kindOf(error) !== 'refused') await connection.close();
		throw error;
	} finally {
		clearTimeout(timer);
		signal.removeEventListener('abort', hurry);
	}
}

function notAcknowledged(setting: string): Error {
	const message = 'The message broker did not acknowledge the event in time.';
	return brokerErrors.create('notAcknowledged', { message, facts: { setting } });
}
