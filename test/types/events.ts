import type { Gateway, MessageDto, RelationshipDto } from '../../index';

/* Events are typed by the names in their filter. Only compiled, never run. */

export async function right(
	{ events, relationships }: Gateway,
	signal: AbortSignal,
	show: (value: unknown) => void,
) {
	const message: MessageDto = (await events.next({ names: ['transport.messageReceived'] })).data;
	const relationship: RelationshipDto = await events.until(
		{ names: ['transport.relationshipChanged'] },
		async () => (await relationships.list()).find(({ status }) => status === 'Active'),
		{ signal },
	);
	await events.consume({
		consumer: 'types',
		filter: { names: ['transport.messageReceived', 'transport.relationshipChanged'] },
		startFrom: 'now',
		batchSize: 1,
		deliver: async ({ events: delivered }) => {
			for (const { event, data } of delivered) {
				if (event === 'transport.messageReceived') show(data.recipients);
				else show(data.auditLog);
			}
			return await Promise.resolve({ kind: 'accepted' });
		},
	});
	for await (const page of events.follow({ filter: { peers: [relationship.peer] }, signal })) {
		for (const { data } of page.events) show([data['id'], message.id]);
	}
}

export async function wrong({ events }: Gateway) {
	// @ts-expect-error a misspelled name
	await events.next({ names: ['transport.messageRecieved'] });
	// @ts-expect-error a kind of change that no relationship has
	await events.next({ relationshipChanges: ['began'] });
	const { data } = await events.next({ names: ['transport.messageReceived'] });
	// @ts-expect-error a message has no audit log
	return data.auditLog;
}
