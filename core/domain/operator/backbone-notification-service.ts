import type { Cancellable } from '../../base/abort';
import { GatewayError, isGatewayError } from '../../base/errors';
import { notificationInputSchema } from '../../model/input/operator';
import type { NotificationUseCases } from '../../facade/operator';
import { parseInput } from '../validation';
import { backboneNotificationErrors } from './backbone-notification-errors';
import { matching } from '../query/conditions';
import type { Needs } from '../needs';

const unknownCode = 'error.platform.validation.notification.codeDoesNotExist';
/** recipients that an error names */
const maxNamed = 5;

/**
 * Backbone notifications: texts of the operator that peers see on their phones. A gateway only
 * sends them: it stores nothing, and the recipient's software receives neither an event nor a push
 * about them (docs/protocol/backbone-api.md 18.3).
 */
export class BackboneNotificationService implements NotificationUseCases {
	constructor(private readonly dependencies: Needs<'store' | 'backbone'>) {}

	/**
	 * Sends a notification. The call is never repeated automatically: after a lost answer the phones
	 * may have rung. The operator of the Backbone configures the codes; the last of these errors
	 * lists them.
	 *
	 * @throws `error.runtime.validation.invalidPropertyValue`,
	 * `error.transport.backboneNotifications.atLeastOneRecipientRequired`,
	 * `error.transport.backboneNotifications.codeMustNotBeEmpty`,
	 * `error.transport.backboneNotifications.noActiveRelationshipFoundForRecipients`,
	 * `error.platform.validation.notification.codeDoesNotExist`
	 */
	async send(input: unknown, options: Cancellable = {}): Promise<void> {
		const parsed = parseInput(notificationInputSchema, input);
		const recipients = [...new Set(parsed.recipients)];
		if (recipients.length === 0) {
			throw backboneNotificationErrors.create('recipientRequired', {
				message: 'A notification needs at least one recipient.',
				facts: { field: 'recipients' },
			});
		}
		if (parsed.code === '') {
			throw backboneNotificationErrors.create('codeRequired', {
				message: 'A notification needs a code.',
				facts: { field: 'code' },
			});
		}
		await this.requireRelationships(recipients, options);
		const { notifications } = this.dependencies.backbone;
		await notifications
			.send({ recipients, code: parsed.code }, options)
			.catch((error: unknown) => Promise.reject(withField(error)));
	}

	private async requireRelationships(
		recipients: readonly string[],
		options: Cancellable,
	): Promise<void> {
		const entries = await this.dependencies.store.read(
			(tx) => tx.relationships.list({ where: matching({ peer: recipients, status: 'Active' }) }),
			options,
		);
		const peers = new Set(entries.map(({ record }) => record.peer));
		const others = recipients.filter((address) => !peers.has(address));
		if (others.length === 0) return;
		throw backboneNotificationErrors.create('noActiveRelationship', {
			message: `There is no active relationship with ${others.slice(0, maxNamed).join(', ')}${others.length > maxNamed ? ` and ${others.length - maxNamed} more` : ''}.`,
			facts: { addresses: others },
		});
	}
}

/** Adds to the refusal of a code which member of the input it is about. */
function withField(error: unknown): unknown {
	if (!isGatewayError(error) || error.code !== unknownCode) return error;
	const { code, kind, message, remedy, facts, cause } = error;
	return new GatewayError({
		...{ code, kind, message, remedy, cause },
		facts: { ...facts, field: 'code' },
	});
}
