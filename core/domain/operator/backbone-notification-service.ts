import type { Cancellable } from '../../base/abort';
import type { Backbone } from '../../backbone/port/backbone';
import { notificationInputSchema } from '../../model/input/operator';
import type { Store } from '../../store/store';
import type { NotificationUseCases } from '../../facade/operator';
import { parseInput } from '../validation';
import { backboneNotificationErrors } from './backbone-notification-errors';

/**
 * Backbone notifications: texts of the operator that peers see on their phones. A gateway only
 * sends them: it stores nothing, and the recipient's software receives neither an event nor a push
 * about them (docs/protocol/backbone-api.md 18.3).
 */
export class BackboneNotificationService implements NotificationUseCases {
	constructor(
		private readonly dependencies: { readonly store: Store; readonly backbone: Backbone },
	) {}

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
		const parsed = parseInput(notificationInputSchema, input, (message, field) =>
			backboneNotificationErrors.create('invalidInput', { message, facts: { field } }),
		);
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
		await this.dependencies.backbone.notifications.send({ recipients, code: parsed.code }, options);
	}

	private async requireRelationships(
		recipients: readonly string[],
		options: Cancellable,
	): Promise<void> {
		const entries = await this.dependencies.store.read(
			(tx) =>
				tx.relationships.list({
					where: [
						{ field: 'peer', op: 'in', value: recipients },
						{ field: 'status', op: 'eq', value: 'Active' },
					],
				}),
			options,
		);
		const peers = new Set(entries.map(({ record }) => record.peer));
		const others = recipients.filter((address) => !peers.has(address));
		if (others.length === 0) return;
		throw backboneNotificationErrors.create('noActiveRelationship', {
			message: `There is no active relationship with ${others.length} of ${recipients.length} recipients.`,
			facts: { addresses: others },
		});
	}
}
