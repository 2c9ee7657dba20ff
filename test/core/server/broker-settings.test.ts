import { parseServerConfig } from '../../../core/server/config/server-config';
import { redactedSettings } from '../../../core/server/config/redacted-settings';

/* docs/protocol/http-api.md 12 */
const amqp = { type: 'AMQP', configuration: { url: 'amqp://user:hidden@broker.example/host' } };
const mqtt = { type: 'MQTT', configuration: { url: 'mqtts://user:hidden@broker.example:8883' } };
const redis = { type: 'Redis', configuration: { url: 'rediss://:hidden@broker.example:6380/1' } };
const pubSub = {
	type: 'PubSub',
	configuration: { projectId: 'p', topicName: 't', keyFile: '/hidden.json' },
};

const settingsWith = (publisher: object) => ({
	transportLibrary: {
		baseUrl: 'https://backbone.example',
		platformClientId: 'client',
		platformClientSecret: 'secret',
	},
	infrastructure: { httpServer: { apiKey: 'key' } },
	modules: { messageBrokerPublisher: publisher },
});

const parse = (publisher: object) =>
	parseServerConfig(settingsWith(publisher)).modules.messageBrokerPublisher;

describe('the settings of message brokers', () => {
	it('are the ones of the official gateway, with its defaults', () => {
		const { enabled, brokers } = parse({ enabled: true, brokers: [amqp, mqtt, redis] });
		expect(enabled).toBe(true);
		expect(brokers).toEqual([
			{ ...amqp, configuration: { ...amqp.configuration, exchange: '', timeout: 2_000 } },
			mqtt,
			redis,
		]);
		expect(parse({})).toMatchObject({ enabled: false, brokers: [] });
	});

	it('choose the version of the events for each broker', () => {
		const { brokers } = parse({ enabled: true, brokers: [{ ...amqp, version: 7 }, mqtt] });
		expect(brokers).toMatchObject([{ version: 7 }, mqtt]);
		expect(() => parse({ enabled: true, brokers: [{ ...redis, version: 5 }] })).toThrow(
			/brokers\.0\.version/,
		);
	});

	it('are not read when they are switched off, whatever they hold', () => {
		expect(parse({ enabled: false, brokers: [pubSub, {}] }).brokers).toEqual([]);
	});

	it('name Google Pub/Sub as what is not supported', () => {
		expect(() => parse({ enabled: true, brokers: [amqp, pubSub] })).toThrow(
			expect.objectContaining({
				code: 'error.gateway.brokers.notSupported',
				facts: { setting: 'modules.messageBrokerPublisher.brokers.1.type' },
				message: expect.stringContaining(
					"'modules.messageBrokerPublisher.brokers.1.type'",
				) as string,
			}),
		);
	});

	it.each([
		['brokers', { enabled: true }],
		['brokers', { enabled: true, brokers: [] }],
		['brokers.0.type', { enabled: true, brokers: [{ type: 'Kafka', configuration: {} }] }],
		[
			'brokers.0.configuration.url',
			{ enabled: true, brokers: [{ type: 'AMQP', configuration: {} }] },
		],
		[
			'brokers.0.configuration.url',
			{ enabled: true, brokers: [{ type: 'AMQP', configuration: { url: 'mqtt://u:hidden@h' } }] },
		],
		[
			'brokers.0.configuration.url',
			{ enabled: true, brokers: [{ type: 'Redis', configuration: { url: 'hidden' } }] },
		],
		[
			'brokers.0.configuration.exchange',
			{
				enabled: true,
				brokers: [{ ...mqtt, configuration: { ...mqtt.configuration, exchange: 'x' } }],
			},
		],
		[
			'brokers.0.configuration.timeout',
			{
				enabled: true,
				brokers: [{ ...amqp, configuration: { ...amqp.configuration, timeout: '5' } }],
			},
		],
		[
			'brokers.1.configuration.url',
			{
				enabled: true,
				brokers: [
					redis,
					{ ...redis, configuration: { url: 'rediss://:other-hidden@broker.example:6380/1' } },
				],
			},
		],
		['retry.maxAttempts', { enabled: true, brokers: [amqp], retry: { maxAttempts: 0 } }],
	])('with a wrong %s are refused by that name, without secrets', (setting, publisher) => {
		expect(() => parse(publisher)).toThrow(
			expect.objectContaining({
				code: 'error.gateway.configuration.invalid',
				message: expect.stringContaining(
					`\n  modules.messageBrokerPublisher.${setting}: `,
				) as string,
			}),
		);
		expect(() => parse(publisher)).not.toThrow(/hidden/);
	});

	it('are shown to an operator without passwords', () => {
		const careless = { ...redis, configuration: { url: 'redis://:hid@hidden@broker.example' } };
		const brokers = [amqp, mqtt, redis, careless];
		const shown = redactedSettings(settingsWith({ enabled: true, brokers }));
		expect(JSON.stringify(shown)).toContain('amqp://***@broker.example/***');
		expect(JSON.stringify(shown)).not.toContain('hidden');
	});
});
