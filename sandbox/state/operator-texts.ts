import { invalid, notFound } from '../http/backbone-error';
import type { PushStreams } from '../push-stream';
import type {
	AnnouncementRow,
	Announced,
	IdentityRow,
	PublicReference,
	SentNotification,
	TagCollection,
	Texts,
} from './records';
import type { SandboxState } from './sandbox-state';

const keptNotifications = 1_000;
const notifiable = ['Pending', 'Active', 'Terminated'];

/**
 * Texts of the operator: announcements, notifications and tags (docs/protocol/backbone-api.md 18).
 */
export class OperatorTexts {
	constructor(
		private readonly state: SandboxState,
		private readonly push: PushStreams,
	) {}

	/** Announces to everyone, unless recipients are named. */
	announce(announced: Announced): AnnouncementRow {
		const row = {
			...announced,
			id: this.state.newId('ANC'),
			createdAt: this.state.timestamp(),
		};
		this.state.announcements.save(row);
		for (const { address } of this.state.identities.values()) {
			if (isFor(row, address)) this.push.send(address, 'NewAnnouncement');
		}
		return row;
	}

	/** Announcements for an identity, in its language or in English, oldest first. */
	announcementsFor({ address }: IdentityRow, language: string): object[] {
		const now = this.state.now();
		return [...this.state.announcements.values()]
			.filter(({ expiresAt }) => expiresAt === null || Date.parse(expiresAt) > now)
			.filter((row) => isFor(row, address))
			.map((row) => shown(row, language));
	}

	/** @throws `error.platform.recordNotFound` */
	withdraw(id: string): void {
		if (!this.state.announcements.delete(id)) throw notFound('Announcement');
	}

	/**
	 * Adds a notification code that can be sent from now on; its texts are not displayed in the
	 * sandbox.
	 */
	configureNotification(code: string, texts: Texts): void {
		this.state.notificationTexts.set(code, texts);
	}

	/**
	 * Records a notification for inspection; real phones would display it.
	 *
	 * @throws `error.platform.validation.notification.noRelationshipToOneOrMoreRecipientsExists`,
	 * `error.platform.validation.notification.relationshipToRecipientIsNotInCorrectStatus`,
	 * `error.platform.validation.notification.codeDoesNotExist`
	 */
	notify({ address: from }: IdentityRow, recipients: readonly string[], code: string): void {
		for (const recipient of recipients) {
			const relationship = this.state.newestBetween(from, recipient);
			if (relationship === undefined) {
				throw invalid('notification.noRelationshipToOneOrMoreRecipientsExists');
			}
			if (!notifiable.includes(relationship.status)) {
				throw invalid('notification.relationshipToRecipientIsNotInCorrectStatus');
			}
		}
		const { notificationTexts } = this.state;
		if (!notificationTexts.has(code)) {
			const codes = [...notificationTexts.keys()].join(', ');
			throw invalid(
				'notification.codeDoesNotExist',
				`The notification code does not exist. These codes are configured: ${codes}.`,
			);
		}
		const { sentNotifications } = this.state;
		const id = this.state.newId('NOT');
		const createdAt = this.state.timestamp();
		sentNotifications.save({ id, createdAt, from, recipients: [...recipients], code });
		const [oldest] = sentNotifications.keys();
		if (oldest !== undefined && sentNotifications.size > keptNotifications) {
			sentNotifications.delete(oldest);
		}
	}

	get notifications(): readonly SentNotification[] {
		return [...this.state.sentNotifications.values()];
	}

	get publicReferences(): readonly PublicReference[] {
		return this.state.publicReferences;
	}

	set publicReferences(references: readonly PublicReference[]) {
		this.state.publicReferences = references;
	}

	get tags(): TagCollection {
		return this.state.tags;
	}

	set tags(collection: TagCollection) {
		this.state.tags = collection;
	}
}

function isFor({ recipients }: AnnouncementRow, address: string): boolean {
	return recipients.length === 0 || recipients.includes(address);
}

function shown(row: AnnouncementRow, language: string): object {
	const { id, createdAt, expiresAt, severity, iqlQuery } = row;
	const { title, body } = row.texts[language] ?? row.texts.en;
	const actions = row.actions.map(({ displayName, link }) => ({
		displayName: displayName[language] ?? displayName.en,
		link,
	}));
	return { id, createdAt, expiresAt, severity, title, body, iqlQuery, actions };
}
