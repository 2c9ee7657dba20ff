import * as z from 'zod';
import type { EventDefinition, EventSubject } from '../../core/events/event-definition';
import { eventCatalogue } from '../../core/events/catalogue';
import { eventNames } from '../../core/events/event-names';
import { eventsOfVersion7, isGoneInVersion7 } from '../../core/events/version-7-events';
import { eventNamesOf } from '../../nodes/Enmeshed/trigger/trigger-events';
import { triggerFields } from '../../nodes/Enmeshed/trigger/trigger-fields';

const intro = `# Events

Written by \`npm run docs\` from \`core/events/catalogue.ts\` and, for the names in n8n, from
\`nodes/Enmeshed/trigger/trigger-fields.ts\`; a test fails when they differ.

Events are rows in the account's store, written together with the change that they report. Consumers
read them in order from a stored position, so each is delivered at least once. Every event has \`id\`,
\`sequence\`, \`event\`, \`createdAt\` and \`data\`, the object as it is after the change. Events about a peer
also have \`peer\`.

The second column is the name in the field 'Events' of the Enmeshed Trigger. 'Attribute Shared' stands only
for attributes that a peer has shared, 'Request Answered' only for answers, 'Mail Received' only for mails, and
'Relationship Requested', 'Accepted' and 'Ended' each for one kind of change. 'Message Received' leaves out requests,
responses and notifications, unless its option adds them. An event without a name starts a workflow with 'Any Event'.

| Event | In n8n | When | Data | Source |
| --- | --- | --- | --- | --- |
`;

const subjects: Readonly<Record<EventSubject, string>> = {
	relationship: 'the relationship',
	template: 'the relationship template',
	message: 'the message',
	incomingRequest: 'the request',
	outgoingRequest: 'the request',
	attribute: 'the attribute',
	attributeListener: 'the attribute listener',
	file: 'the file',
	identityDeletionProcess: 'the deletion process',
};

const ofVersion7 = `
## Version 7

The event stream, a webhook and a broker can choose the events of version 7 with \`version\`. Without it,
they get the events of the version that the HTTP server serves below \`/api/core/v1\`; n8n always gets the events
above. The position is the same in both: an event without a form in one version is passed over there. The objects in
events have the shapes of the version. These events replace some of the events above:

| Event | When | Data | Source |
| --- | --- | --- | --- |
`;

export function renderEvents(): string {
	const rows = Object.entries<EventDefinition>(eventCatalogue).map(([name, definition]) => {
		const { when, source } = definition;
		return `| \`${name}\` | ${namesInTrigger(name)} | ${when} | ${dataOf(definition)} | ${source} |`;
	});
	const rowsOf7 = Object.entries<EventDefinition>(eventsOfVersion7).map(
		([name, definition]) =>
			`| \`${name}\` | ${definition.when} | ${dataOf(definition)} | ${definition.source} |`,
	);
	const goneNames = eventNames.filter(isGoneInVersion7).map((name) => `\`${name}\``);
	const gone = `\nVersion 7 does not have ${goneNames.join(', ')}.\n`;
	return `${intro}${rows.join('\n')}\n${ofVersion7}${rowsOf7.join('\n')}\n${gone}`;
}

/** The choices of the trigger that start a workflow with this event, as the editor names them. */
function namesInTrigger(event: string): string {
	const choices = triggerFields.find(({ name }) => name === 'events')?.options ?? [];
	return choices
		.flatMap((choice) => ('value' in choice ? [choice] : []))
		.filter(({ value }) => eventNamesOf(String(value)).includes(event))
		.map(({ name }) => name)
		.join(', ');
}

function dataOf({ about, member, payload }: EventDefinition): string {
	if (about !== undefined && member === undefined) return subjects[about];
	const members = payload instanceof z.ZodObject ? Object.keys(payload.shape) : [];
	const described = members.map((name) => {
		const isNamedAfterRecord = about?.toLowerCase().endsWith(name.toLowerCase());
		if (name !== member || about === undefined || isNamedAfterRecord) return `\`${name}\``;
		return `\`${name}\` (${subjects[about]})`;
	});
	return described.join(', ') || 'none';
}
