import { idCharacters, randomText } from '../random';
import type { QueuedRow } from './queued-task';
import type {
	AnnouncementRow,
	AuditRow,
	ChallengeRow,
	DatawalletModification,
	DeviceRow,
	EventRow,
	FileRow,
	IdentityRow,
	MessageRow,
	PublicReference,
	QuotaRow,
	RelationshipRow,
	RunRow,
	SentNotification,
	TagCollection,
	TemplateRow,
	Texts,
	TokenRow,
} from './records';
import { StoredTimes } from '../times';
import { Rows, Table } from './table';

const idLength = 20;

const someTags: TagCollection = {
	supportedLanguages: ['en', 'de'],
	tagsForAttributeValueTypes: {
		EMailAddress: {
			private: { displayNames: { en: 'private', de: 'privat' }, children: {} },
			business: { displayNames: { en: 'business', de: 'geschäftlich' }, children: {} },
		},
	},
};

const testNotification: Texts = { en: { title: 'Test', body: 'This is a test.' } };

/**
 * Tables by id, with indexes for requests, so that no request scans a table. A row that is changed
 * in place must be saved again to reach the state file.
 */
export class SandboxState {
	/** keys of rows that changed since the state file was written, by table */
	readonly changes = new Map<string, Set<string>>();

	/** by address */
	readonly identities = this.rows<IdentityRow>('identities', ({ address }) => address);
	readonly devices = this.rows<DeviceRow>('devices');
	readonly challenges = this.rows<ChallengeRow>('challenges');
	readonly modifications = this.rows<DatawalletModification>('modifications');
	readonly templates = this.rows<TemplateRow>('templates');
	readonly relationships = this.rows<RelationshipRow>('relationships');
	readonly messages = this.rows<MessageRow>('messages');
	readonly tokens = this.rows<TokenRow>('tokens');
	readonly files = this.rows<FileRow>('files');
	/** by file */
	readonly contents = this.table<Buffer>('contents');
	/** unfinished events */
	readonly events = this.rows<EventRow>('events');
	/** unfinished work */
	readonly queued = this.rows<QueuedRow>('queued');
	readonly runs = this.rows<RunRow>('runs');
	readonly announcements = this.rows<AnnouncementRow>('announcements');
	/** by notification code */
	readonly notificationTexts = this.table<Texts>('notificationTexts');
	/** newest last */
	readonly sentNotifications = this.rows<SentNotification>('sentNotifications');
	/** deletion times of identities, by the user names of their devices */
	readonly deletedUsernames = this.table<string>('deletedUsernames');
	readonly quotas = this.rows<QuotaRow>('quotas', ({ address, metricKey, period }) =>
		[address, metricKey, period].join(),
	);
	private readonly settings = this.table<unknown>('settings');

	readonly devicesByUsername = new Map<string, DeviceRow>();
	/** by identity */
	readonly devicesOf = new Map<string, DeviceRow[]>();
	/** in order of creation, by party */
	readonly relationshipsOf = new Map<string, RelationshipRow[]>();
	readonly messagesOf = new Map<string, MessageRow[]>();
	/** by creator */
	readonly templatesOf = new Map<string, Set<TemplateRow>>();
	readonly tokensOf = new Map<string, Set<TokenRow>>();
	readonly filesOf = new Map<string, Set<FileRow>>();
	/** by owner, ascending by index */
	readonly modificationsOf = new Map<string, DatawalletModification[]>();
	/** unfinished events, by owner */
	readonly openEvents = new Map<string, EventRow[]>();
	readonly openRun = new Map<string, RunRow>();
	readonly unreceived = new Map<string, number>();
	/** by both parties, in order of creation */
	private readonly relationshipsByPair = new Map<string, RelationshipRow[]>();
	private readonly times = new StoredTimes();
	private isRecording = false;

	constructor(private readonly clock: () => number = Date.now) {
		this.notificationTexts.set('test', testNotification);
	}

	/** Starts recording changes for the state file. */
	recordChanges(): void {
		this.isRecording = true;
	}

	/** milliseconds since the epoch, plus the operator's offset */
	now(): number {
		return this.clock() + this.clockOffsetMs;
	}

	get clockOffsetMs(): number {
		return (this.settings.get('clockOffsetMs') as number | undefined) ?? 0;
	}

	set clockOffsetMs(offset: number) {
		this.settings.set('clockOffsetMs', offset);
	}

	/** milliseconds by which the queues' clock is ahead */
	get queueOffsetMs(): number {
		return (this.settings.get('queueOffsetMs') as number | undefined) ?? 0;
	}

	set queueOffsetMs(offset: number) {
		this.settings.set('queueOffsetMs', offset);
	}

	get tags(): TagCollection {
		return (this.settings.get('tags') as TagCollection | undefined) ?? someTags;
	}

	set tags(tags: TagCollection) {
		this.settings.set('tags', tags);
	}

	get publicReferences(): readonly PublicReference[] {
		return (this.settings.get('publicReferences') as PublicReference[] | undefined) ?? [];
	}

	set publicReferences(references: readonly PublicReference[]) {
		this.settings.set('publicReferences', references);
	}

	newId(prefix: string): string {
		return prefix + randomText(idLength - prefix.length, idCharacters);
	}

	timestamp(): string {
		return this.times.next(this.now());
	}

	addDevice(device: DeviceRow): void {
		this.devices.save(device);
		this.devicesByUsername.set(device.username.toLowerCase(), device);
		append(this.devicesOf, device.address, device);
	}

	removeDevice(device: DeviceRow): void {
		this.devices.delete(device.id);
		this.devicesByUsername.delete(device.username.toLowerCase());
		remove(this.devicesOf, device.address, device);
	}

	/** Adds an entry with a strictly later time, because clients sort by it. */
	addAuditEntry(relationship: RelationshipRow, entry: Omit<AuditRow, 'createdAt'>): void {
		const last = relationship.auditLog.at(-1);
		const afterLast = last === undefined ? 0 : Date.parse(last.createdAt) + 1;
		const createdAt = this.times.next(Math.max(this.now(), afterLast));
		relationship.auditLog.push({ createdAt, ...entry });
	}

	addRelationship(relationship: RelationshipRow): void {
		const { from, to } = relationship;
		this.relationships.save(relationship);
		for (const party of [from, to]) append(this.relationshipsOf, party, relationship);
		append(this.relationshipsByPair, pairOf(from, to), relationship);
	}

	removeRelationship(relationship: RelationshipRow): void {
		const { from, to } = relationship;
		this.relationships.delete(relationship.id);
		for (const party of [from, to]) remove(this.relationshipsOf, party, relationship);
		remove(this.relationshipsByPair, pairOf(from, to), relationship);
	}

	/** Replaces one party by a pseudonym. */
	renameParty(relationship: RelationshipRow, address: string, pseudonym: string): void {
		remove(this.relationshipsByPair, pairOf(relationship.from, relationship.to), relationship);
		if (relationship.from === address) relationship.from = pseudonym;
		if (relationship.to === address) relationship.to = pseudonym;
		append(this.relationshipsByPair, pairOf(relationship.from, relationship.to), relationship);
		this.relationships.save(relationship);
	}

	addMessage(message: MessageRow): void {
		this.messages.save(message);
		append(this.messagesOf, message.createdBy, message);
		for (const { address, receivedAt } of message.recipients) {
			append(this.messagesOf, address, message);
			if (receivedAt === null) this.countUnreceived(message.createdBy, address, 1);
		}
	}

	/** Messages of the relationship, in either direction. */
	messagesIn({ id, from, to }: RelationshipRow): MessageRow[] {
		const messages = [from, to].flatMap((party) => this.messagesOf.get(party) ?? []);
		return [...new Set(messages)].filter(({ recipients }) =>
			recipients.some(({ relationshipId }) => relationshipId === id),
		);
	}

	/** Hides a message from the party. */
	forgetMessage(party: string, message: MessageRow): void {
		remove(this.messagesOf, party, message);
	}

	addTemplate(template: TemplateRow): void {
		this.templates.save(template);
		addTo(this.templatesOf, template);
	}

	removeTemplate(template: TemplateRow): void {
		this.templates.delete(template.id);
		for (const row of this.relationshipsOf.get(template.createdBy) ?? []) {
			if (row.relationshipTemplateId !== template.id) continue;
			row.relationshipTemplateId = null;
			this.relationships.save(row);
		}
		this.templatesOf.get(template.createdBy)?.delete(template);
	}

	addToken(token: TokenRow): void {
		this.tokens.save(token);
		addTo(this.tokensOf, token);
	}

	removeToken(token: TokenRow): void {
		this.tokens.delete(token.id);
		if (token.createdBy !== null) this.tokensOf.get(token.createdBy)?.delete(token);
	}

	addFile(file: FileRow): void {
		this.files.save(file);
		addTo(this.filesOf, file);
	}

	removeFile(file: FileRow): void {
		this.files.delete(file.id);
		this.contents.delete(file.id);
		this.filesOf.get(file.createdBy)?.delete(file);
	}

	addModification(modification: DatawalletModification): void {
		this.modifications.save(modification);
		append(this.modificationsOf, modification.owner, modification);
	}

	addEvent(event: EventRow): void {
		this.events.save(event);
		append(this.openEvents, event.owner, event);
	}

	addRun(run: RunRow): void {
		this.runs.save(run);
		if (!run.finalized) this.openRun.set(run.owner, run);
	}

	countUnreceived(sender: string, recipient: string, change: number): void {
		const key = `${sender}|${recipient}`;
		const count = (this.unreceived.get(key) ?? 0) + change;
		if (count > 0) this.unreceived.set(key, count);
		else this.unreceived.delete(key);
	}

	/**
	 * Relationships between two identities in any status, oldest first; empty for an identity and
	 * itself.
	 */
	relationshipsBetween(a: string, b: string): readonly RelationshipRow[] {
		return this.relationshipsByPair.get(pairOf(a, b)) ?? [];
	}

	newestBetween(a: string, b: string): RelationshipRow | undefined {
		return this.relationshipsBetween(a, b).at(-1);
	}

	private rows<Row extends object>(
		name: string,
		keyOf: (row: Row) => string = (row) => (row as { id: string }).id,
	): Rows<Row> {
		return new Rows<Row>((key) => this.note(name, key), keyOf);
	}

	private table<Row>(name: string): Table<Row> {
		return new Table<Row>((key) => this.note(name, key));
	}

	private note(table: string, key: string): void {
		if (!this.isRecording) return;
		const keys = this.changes.get(table);
		if (keys === undefined) this.changes.set(table, new Set([key]));
		else keys.add(key);
	}
}

function pairOf(a: string, b: string): string {
	return a < b ? `${a}|${b}` : `${b}|${a}`;
}

function append<Value>(index: Map<string, Value[]>, key: string, value: Value): void {
	const list = index.get(key);
	if (list === undefined) index.set(key, [value]);
	else list.push(value);
}

function remove<Value>(index: Map<string, Value[]>, key: string, value: Value): void {
	const others = (index.get(key) ?? []).filter((one) => one !== value);
	if (others.length > 0) index.set(key, others);
	else index.delete(key);
}

function addTo<Row extends { createdBy: string | null }>(
	index: Map<string, Set<Row>>,
	row: Row,
): void {
	if (row.createdBy === null) return;
	const rows = index.get(row.createdBy);
	if (rows === undefined) index.set(row.createdBy, new Set([row]));
	else rows.add(row);
}
