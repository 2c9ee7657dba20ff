import { defineErrors } from '../base/errors';

/** Coded errors of the message brokers (docs/protocol/http-api.md 12). */
export const brokerErrors = defineErrors({
	notSupported: {
		code: 'error.gateway.brokers.notSupported',
		kind: 'invalid',
		remedy: 'Use a broker of type AMQP, MQTT or Redis, or the event stream of the gateway.',
	},
	unreachable: {
		code: 'error.gateway.brokers.unreachable',
		kind: 'unavailable',
		remedy:
			'Check the address in the named setting, and whether the broker runs; it is tried again until it answers.',
	},
	loginRefused: {
		code: 'error.gateway.brokers.loginRefused',
		kind: 'forbidden',
		remedy:
			'Check user name and password in the named setting, and what the broker allows this user.',
	},
	exchangeNotFound: {
		code: 'error.gateway.brokers.exchangeNotFound',
		kind: 'notFound',
		remedy: 'Declare the exchange at the broker, or correct its name in the named setting.',
	},
	notAcknowledged: {
		code: 'error.gateway.brokers.notAcknowledged',
		kind: 'unavailable',
		remedy: 'Look at the state of the broker; the event will be sent again.',
	},
	refused: {
		code: 'error.gateway.brokers.eventRefused',
		kind: 'conflict',
		remedy: 'Allow the user of the gateway to publish under the named topic, with the named size.',
	},
});
