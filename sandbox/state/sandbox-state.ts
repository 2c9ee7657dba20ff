import { randomInt } from 'node:crypto';
import type { WireTagCollection } from '../../core/backbone/dto';
import type {
	AnnouncementRow,
	AuditRow,
	ChallengeRow,
	DeviceRow,
	EventRow,
	FileRow,
	IdentityRow,
	MessageRow,
	RelationshipRow,
	RunRow,
	SentNotification,
	TemplateRow,
	Texts,
	TokenRow,
} from './records';

const idCharacters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

const someTags: WireTagCollection = {
	supportedLanguages: ['en', 'de'],
	tagsForAttributeValueTypes: {
		EMailAddress: {
			private: { displayNames: { en: 'private', de: 'privat' }, children: {} },
			business: { displayNames: { en: 'business', de: 'geschäftlich' }, children: {} },
		},
	},
};

const testNotification: Texts = { en: { title: 'Test', body: 'This is a test.' } };

/** All tables by id, with the indexes that requests need: no request scans a table. */
export class SandboxState {
	readonly identities = new Map<string, IdentityRow>();
	readonly devices = new Map<string, DeviceRow>();
	readonly devicesByUsername = new Map<string, DeviceRow>();
	readonly challenges = new Map<string, ChallengeRow>();
	readonly templates = new Map<string, TemplateRow>();
	readonly relationships = new Map<string, RelationshipRow>();
	readonly messages = new Map<string, MessageRow>();
	readonly tokens = new Map<string, TokenRow>();
	readonly files = new Map<string, FileRow>();
	readonly runs = new Map<string, RunRow>();
	readonly announcements = new Map<string, AnnouncementRow>();
	/** by code */
	readonly notificationTexts = new Map<string, Texts>([['test', testNotification]]);
	/** newest last */
	readonly sentNotifications: SentNotification[] = [];
	tags: WireTagCollection = someTags;
	/** when identities were deleted, by the names that their devices had */
	readonly deletedUsernames = new Map<string, string>();

	/** in order of creation, by party */
	readonly relationshipsOf = new Map<string, RelationshipRow[]>();
	readonly messagesOf = new Map<string, MessageRow[]>();
	/** not yet done, by owner */
	readonly openEvents = new Map<string, EventRow[]>();
	readonly openRun = new Map<string, RunRow>();
	readonly unreceived = new Map<string, number>();

	constructor(readonly now: () => number) {}

	newId(prefix: string): string {
		let id = prefix;
		while (id.length < 20) id += idCharacters[randomInt(idCharacters.length)];
		return id;
	}

	timestamp(): string {
		return new Date(this.now()).toISOString();
	}

	addDevice(device: DeviceRow): void {
		this.devices.set(device.id, device);
		this.devicesByUsername.set(device.username.toLowerCase(), device);
	}

	removeDevice(device: DeviceRow): void {
		this.devices.delete(device.id);
		this.devicesByUsername.delete(device.username.toLowerCase());
	}

	/** Entries never share a timestamp out of order: clients sort by it. */
	addAuditEntry(relationship: RelationshipRow, entry: Omit<AuditRow, 'createdAt'>): void {
		const last = relationship.auditLog.at(-1);
		const createdAt = Math.max(this.now(), last === undefined ? 0 : Date.parse(last.createdAt) + 1);
		relationship.auditLog.push({ createdAt: new Date(createdAt).toISOString(), ...entry });
	}

	addRelationship(relationship: RelationshipRow): void {
		this.relationships.set(relationship.id, relationship);
		for (const party of [relationship.from, relationship.to]) {
			append(this.relationshipsOf, party, relationship);
		}
	}

	removeRelationship(relationship: RelationshipRow): void {
		this.relationships.delete(relationship.id);
		for (const party of [relationship.from, relationship.to]) {
			const others = (this.relationshipsOf.get(party) ?? []).filter((one) => one !== relationship);
			this.relationshipsOf.set(party, others);
		}
	}

	addMessage(message: MessageRow): void {
		this.messages.set(message.id, message);
		append(this.messagesOf, message.createdBy, message);
		for (const { address, receivedAt } of message.recipients) {
			append(this.messagesOf, address, message);
			if (receivedAt === null) this.countUnreceived(message.createdBy, address, 1);
		}
	}

	addEvent(event: EventRow): void {
		append(this.openEvents, event.owner, event);
	}

	countUnreceived(sender: string, recipient: string, change: number): number {
		const key = `${sender}|${recipient}`;
		const count = (this.unreceived.get(key) ?? 0) + change;
		this.unreceived.set(key, count);
		return count;
	}

	/** Oldest first, whatever their status; none with oneself. */
	relationshipsBetween(a: string, b: string): RelationshipRow[] {
		const isPeer = ({ from, to }: RelationshipRow): boolean => (from === a ? to : from) === b;
		return (this.relationshipsOf.get(a) ?? []).filter(isPeer);
	}

	newestBetween(a: string, b: string): RelationshipRow | undefined {
		return this.relationshipsBetween(a, b).at(-1);
	}
}

function append<Value>(index: Map<string, Value[]>, key: string, value: Value): void {
	const list = index.get(key);
	if (list === undefined) index.set(key, [value]);
	else list.push(value);
}
