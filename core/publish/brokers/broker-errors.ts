import { defineErrors } from '../../base/errors';

/** Coded errors of the message brokers (docs/protocol/http-api.md 12). */
export const brokerErrors = defineErrors({
	notSupported: {
		code: 'error.gateway.brokers.notSupported',
		kind: 'invalid',
		meaning: 'The configuration names a type of message broker that is not supported.',
		remedy: 'Use a broker of type AMQP, MQTT or Redis, or the event stream of the gateway.',
	},
	unreachable: {
		code: 'error.gateway.brokers.unreachable',
		kind: 'unavailable',
		meaning: 'The message broker cannot be reached.',
		remedy:
			'Check the address in the named setting, and that the broker is running; the gateway retries until it answers.',
	},
	loginRefused: {
		code: 'error.gateway.brokers.loginRefused',
		kind: 'forbidden',
		meaning: 'The message broker rejected the login.',
		remedy:
			'Check user name and password in the named setting, and the permissions of the user at the broker.',
	},
	exchangeNotFound: {
		code: 'error.gateway.brokers.exchangeNotFound',
		kind: 'notFound',
		meaning: 'The message broker has no exchange of the configured name.',
		remedy: 'Declare the exchange at the broker, or correct its name in the named setting.',
	},
	notAcknowledged: {
		code: 'error.gateway.brokers.notAcknowledged',
		kind: 'unavailable',
		meaning:
			'The message broker did not acknowledge an event in time. It may be overloaded or short of memory.',
		remedy: 'Check the state of the broker; the event will be sent again.',
	},
	refused: {
		code: 'error.gateway.brokers.eventRefused',
		kind: 'conflict',
		meaning: 'The message broker rejected an event.',
		remedy: 'Allow the user of the gateway to publish under the named topic, with the named size.',
	},
});

/** @param setting path of the setting that has the user */
export const loginRefused = (setting: string, cause: unknown): Error =>
	brokerErrors.create('loginRefused', {
		message: `The broker refuses the user in ${setting}.`,
		facts: { setting },
		cause,
	});

export const eventRefused = (cause: unknown): Error =>
	brokerErrors.create('refused', { message: 'The broker refused the event.', cause });
