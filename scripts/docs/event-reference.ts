import { eventCatalogue } from '../../core/events/catalogue';

const intro = `# Events

Written by \`npm run docs\` from \`core/events/catalogue.ts\`; a test fails when the two differ.

Events are rows in the account's store, written together with the change that they tell. Consumers
read them in order from a stored position, so each is delivered at least once. Every event has \`id\`,
\`sequence\`, \`event\`, \`createdAt\`, where there is one \`peer\`, and \`data\`: the object as it is after the
change.

| Event | When | Source |
| --- | --- | --- |
`;

export function renderEvents(): string {
	const rows = Object.entries(eventCatalogue).map(
		([name, { when, source }]) => `| \`${name}\` | ${when} | ${source} |`,
	);
	return `${intro}${rows.join('\n')}\n`;
}
