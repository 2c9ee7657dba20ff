import * as z from 'zod';
import { keysOf } from '../../base/members';
import { retrySchema } from '../../events/delivery/delivery-queue';
import { eventVersionSchema } from '../../events/event-names';

const longestTimeoutMs = 600_000;

/** Schemes of the MQTT client that work inside WeChat and Alipay mini-programs only. */
const miniProgram = /^(wxs?|alis?):/;

const urlOf = (...protocols: string[]): z.ZodString =>
	z.string().refine(
		(text) => {
			const url = URL.parse(text);
			return url !== null && url.host !== '' && protocols.includes(url.protocol.slice(0, -1));
		},
		{
			error: ({ input }) => {
				const scheme = miniProgram.exec(String(input))?.[1];
				if (scheme !== undefined) {
					return `${scheme}:// works in mini-programs of WeChat and Alipay only; use wss:// here`;
				}
				return `must be an address that begins with ${protocols.map((one) => `${one}://`).join(' or ')}`;
			},
		},
	);

/**
 * Extension of this gateway: version whose events are published; default: the version below
 * `/api/core/v1`.
 */
const eventVersion = eventVersionSchema.optional();

const amqpSchema = z.strictObject({
	type: z.literal('AMQP'),
	version: eventVersion,
	configuration: z.strictObject({
		url: urlOf('amqp', 'amqps'),
		/**
		 * must exist; the empty name is the broker's default exchange, which routes to queues by name
		 */
		exchange: z.string().default(''),
		/** milliseconds allowed for connecting */
		timeout: z.number().int().min(1).max(longestTimeoutMs).default(2_000),
	}),
});

/**
 * Protocols of the MQTT client by scheme; it treats `tls` like `ssl`, but its types have one of
 * them.
 */
export const mqttProtocols = {
	mqtt: 'mqtt',
	mqtts: 'mqtts',
	tcp: 'tcp',
	ssl: 'ssl',
	tls: 'ssl',
	ws: 'ws',
	wss: 'wss',
} as const;

const mqttSchema = z.strictObject({
	type: z.literal('MQTT'),
	version: eventVersion,
	configuration: z.strictObject({
		url: urlOf(...keysOf(mqttProtocols)),
	}),
});

const redisSchema = z.strictObject({
	type: z.literal('Redis'),
	version: eventVersion,
	configuration: z.strictObject({ url: urlOf('redis', 'rediss') }),
});

/**
 * Recognised by type only, so that an operator who migrates from the official gateway gets a clear
 * error from {@link requireSupported}.
 */
const pubSubSchema = z.strictObject({
	type: z.literal('PubSub'),
	configuration: z.strictObject({
		projectId: z.string(),
		topicName: z.string(),
		keyFile: z.string(),
	}),
});

export const brokerSchema = z.discriminatedUnion('type', [
	amqpSchema,
	mqttSchema,
	redisSchema,
	pubSubSchema,
]);

export type AmqpConfiguration = z.infer<typeof amqpSchema>['configuration'];
export type MqttConfiguration = z.infer<typeof mqttSchema>['configuration'];
export type RedisConfiguration = z.infer<typeof redisSchema>['configuration'];
export type BrokerConfig = z.infer<typeof brokerSchema>;
export type SupportedBroker = Exclude<BrokerConfig, { type: 'PubSub' }>;

/** Settings of `modules.messageBrokerPublisher` beside `enabled` (docs/protocol/http-api.md 12). */
export const brokersShape = {
	brokers: z.array(brokerSchema).superRefine(requireUniqueAddresses).default([]),
	/** extension of this gateway: retries of events that a broker refuses, before they are parked */
	retry: retrySchema.prefault({}),
};

export type BrokersConfig = z.infer<z.ZodObject<typeof brokersShape>>;

/**
 * Where events go, without user name, password and options: it names the stored cursor, which
 * survives a new password, and stands in logs.
 */
export function brokerAddress({ type, configuration }: SupportedBroker): string {
	const { protocol, host, pathname } = new URL(configuration.url);
	const path = pathname === '/' ? '' : pathname;
	const exchange = type === 'AMQP' && configuration.exchange !== '' ? configuration.exchange : '';
	return `${type}:${protocol}//${host}${path}${exchange === '' ? '' : `#${exchange}`}`;
}

/** Two entries for the same place would share one cursor. */
function requireUniqueAddresses(brokers: readonly BrokerConfig[], context: z.RefinementCtx): void {
	const seen = new Map<string, number>();
	for (const [index, broker] of brokers.entries()) {
		if (broker.type === 'PubSub' || !URL.canParse(broker.configuration.url)) continue;
		const address = brokerAddress(broker);
		const first = seen.get(address);
		seen.set(address, first ?? index);
		if (first === undefined) continue;
		const message = `has the same address as brokers.${first}`;
		context.addIssue({ code: 'custom', path: [index, 'configuration', 'url'], message });
	}
}
