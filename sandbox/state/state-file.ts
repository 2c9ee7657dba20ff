import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import type { WireTagCollection } from '../../core/backbone/dto';
import type {
	AnnouncementRow,
	DeviceRow,
	EventRow,
	FileRow,
	IdentityRow,
	MessageRow,
	RelationshipRow,
	TemplateRow,
	Texts,
	TokenRow,
} from './records';
import type { SandboxState } from './sandbox-state';

interface SavedState {
	readonly identities: IdentityRow[];
	readonly devices: DeviceRow[];
	readonly templates: TemplateRow[];
	readonly relationships: RelationshipRow[];
	readonly messages: MessageRow[];
	readonly tokens: TokenRow[];
	readonly files: FileRow[];
	readonly events: EventRow[];
	readonly deletedUsernames: Array<[string, string]>;
	/* a sandbox of an earlier version wrote none of these */
	readonly announcements?: AnnouncementRow[];
	readonly notificationTexts?: Array<[string, Texts]>;
	readonly tags?: WireTagCollection;
}

/** Challenges and sync runs are short-lived and not kept; events of an open run count as failed. */
export function saveState(state: SandboxState, file: string): void {
	const saved: SavedState = {
		identities: [...state.identities.values()],
		devices: [...state.devices.values()],
		templates: [...state.templates.values()],
		relationships: [...state.relationships.values()],
		messages: [...state.messages.values()],
		tokens: [...state.tokens.values()],
		files: [...state.files.values()],
		events: [...state.openEvents.values()].flat(),
		deletedUsernames: [...state.deletedUsernames],
		announcements: [...state.announcements.values()],
		notificationTexts: [...state.notificationTexts],
		tags: state.tags,
	};
	// Written aside and renamed, so that a killed sandbox leaves the former state.
	const draft = `${file}.new`;
	writeFileSync(draft, JSON.stringify(saved));
	renameSync(draft, file);
}

export function loadState(state: SandboxState, file: string): void {
	if (!existsSync(file)) return;
	const saved = JSON.parse(readFileSync(file, 'utf8')) as SavedState;
	for (const identity of saved.identities) state.identities.set(identity.address, identity);
	for (const device of saved.devices) state.addDevice(device);
	for (const template of saved.templates) state.templates.set(template.id, template);
	for (const relationship of saved.relationships) state.addRelationship(relationship);
	for (const message of saved.messages) state.addMessage(message);
	for (const token of saved.tokens) state.tokens.set(token.id, token);
	for (const row of saved.files) state.files.set(row.id, row);
	for (const [username, date] of saved.deletedUsernames) state.deletedUsernames.set(username, date);
	for (const row of saved.announcements ?? []) state.announcements.set(row.id, row);
	for (const [code, texts] of saved.notificationTexts ?? [])
		state.notificationTexts.set(code, texts);
	state.tags = saved.tags ?? state.tags;
	for (const { runId, syncErrorCount, ...event } of saved.events) {
		const failures = runId === undefined ? 0 : 1;
		state.addEvent({ ...event, syncErrorCount: syncErrorCount + failures });
	}
}
