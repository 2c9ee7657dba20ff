import * as z from 'zod';
import type { Cancellable } from '../../base/abort';
import type { Backbone } from '../../backbone/backbone';
import { addressPatternSchema } from '../../model/address';
import type { Store } from '../../store/store';
import { parseInput } from '../validation';
import { notificationErrors } from './notification-errors';

const maxRecipients = 100;

const inputSchema = z.strictObject({
	recipients: z.array(addressPatternSchema).max(maxRecipients),
	code: z.string().max(200),
});

/**
 * Backbone notifications: texts of the operator that peers see on their phones. A gateway only sends
 * them: nothing of them is stored, and no event or push tells a recipient's software
 * (docs/protocol/backbone-api.md 18.3).
 */
export class NotificationService {
	constructor(private readonly context: { readonly store: Store; readonly backbone: Backbone }) {}

	/**
	 * Never repeated by itself: after a lost answer the phones may have rung. The codes are those that
	 * the operator of the Backbone has configured; the last of these errors lists them.
	 *
	 * @throws `error.runtime.validation.invalidPropertyValue`,
	 * `error.transport.backboneNotifications.atLeastOneRecipientRequired`,
	 * `error.transport.backboneNotifications.codeMustNotBeEmpty`,
	 * `error.transport.backboneNotifications.noActiveRelationshipFoundForRecipients`,
	 * `error.platform.validation.notification.codeDoesNotExist`
	 */
	async send(input: unknown, options: Cancellable = {}): Promise<void> {
		const parsed = parseInput(inputSchema, input, (message, field) =>
			notificationErrors.create('invalidInput', { message, facts: { field } }),
		);
		const recipients = [...new Set(parsed.recipients)];
		if (recipients.length === 0) {
			throw notificationErrors.create('recipientRequired', {
				message: 'A notification needs at least one recipient.',
				facts: { field: 'recipients' },
			});
		}
		if (parsed.code === '') {
			throw notificationErrors.create('codeRequired', {
				message: 'A notification needs a code.',
				facts: { field: 'code' },
			});
		}
		await this.requireRelationships(recipients, options);
		await this.context.backbone.notifications.send({ recipients, code: parsed.code }, options);
	}

	private async requireRelationships(
		recipients: readonly string[],
		options: Cancellable,
	): Promise<void> {
		const entries = await this.context.store.read(
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
		throw notificationErrors.create('noActiveRelationship', {
			message: `There is no active relationship with ${others.length} of ${recipients.length} recipients.`,
			facts: { addresses: others },
		});
	}
}
