import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import type { AnyEvent, GatewayFacade } from '../../../core';
import { loadCore } from '../gateway/core';
import { PeerProfiles } from '../gateway/peers';
import { defined, objectMember, ownMember, textMember } from '../helpers/members';
import type { EventOutput } from '../schemas/event-output';
import type { AttachmentDownload } from './attachment-download';
import { answersIn } from './event-answers';
import { recordMembers, type EventRecord } from './event-members';
import { eventNameOf } from './trigger-events';

interface ItemOptions {
	readonly signal: AbortSignal;
	/** false adds the whole data of each event */
	readonly simplify: boolean;
	/** adds the files of received messages */
	readonly download?: AttachmentDownload | undefined;
}

/**
 * Converts events to items with the members that workflows need. An event that is delivered again
 * has the same id.
 */
export async function toEventItems(
	events: readonly AnyEvent[],
	gateway: GatewayFacade,
	{ signal, simplify, download }: ItemOptions,
): Promise<INodeExecutionData[]> {
	const { carriedRecord, passesFilter } = await loadCore();
	const profiles = new PeerProfiles(gateway, { signal });
	const items: INodeExecutionData[] = [];
	for (const event of events) {
		const { about, member } = carriedRecord(event.event);
		const record = member === undefined ? event.data : objectMember(event.data, member);
		const subject = { about, record };
		const members = recordMembers(subject, event.data);
		const answers = await answersIn(subject, gateway, { signal });
		const described = {
			event: event.event,
			eventName: eventNameOf(event, passesFilter),
			...(await describeEvent(event, subject, members, profiles)),
		};
		withoutRepetition(described, answers.answers);
		// An answer that was refused has no result.
		if (isPeersAnswer(subject) && answers.answers === undefined) delete described.result;
		// Without a known record, the data is all that the event says.
		const isComplete = simplify && Object.keys(members).length > 0;
		const json = { ...described, ...answers, ...(isComplete ? {} : { data: event.data }) };
		// eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- members of events come from JSON
		items.push({ json: json as unknown as IDataObject });
	}
	await download?.addTo(items);
	return items;
}

function isPeersAnswer({ about, record }: EventRecord): boolean {
	if (about !== 'message' || ownMember(record, 'isOwn') === true) return false;
	return textMember(objectMember(record, 'content'), '@type') === 'ResponseWrapper';
}

/** Leaves out of the shared attributes what the answers say already. */
function withoutRepetition(
	described: Pick<EventOutput, 'sharedAttributes'>,
	answers: EventOutput['answers'],
): void {
	if (answers === undefined || described.sharedAttributes === undefined) return;
	const others = Object.entries(described.sharedAttributes).filter(
		([type, value]) => JSON.stringify(value) !== JSON.stringify(answers[type]),
	);
	described.sharedAttributes = Object.fromEntries(others);
}

async function describeEvent(
	event: AnyEvent,
	{ about }: EventRecord,
	members: Partial<EventOutput>,
	profiles: PeerProfiles,
): Promise<Omit<EventOutput, 'event' | 'eventName'>> {
	const { data } = event;
	const profile = event.peer === undefined ? undefined : await profiles.ofAddress(event.peer);
	return {
		id: event.id,
		createdAt: event.createdAt,
		...defined({
			peer: event.peer,
			peerName: profile?.name,
			relationshipId: textMember(data, 'relationshipId'),
		}),
		...members,
		...(about === 'relationship' ? defined({ sharedAttributes: profile?.sharedAttributes }) : {}),
		...defined({
			requestId: members.requestId ?? textMember(data, 'requestId'),
			result: members.result ?? textMember(data, 'result'),
		}),
	};
}
