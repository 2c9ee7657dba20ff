import type { AnyEvent } from '../../../../core';

export type RecordedEvent = Readonly<Record<string, string>>;
export type OwnEvent = Pick<AnyEvent, 'event' | 'data' | 'sequence'>;

interface Identified {
	readonly id: string;
}

/** An event in the short form of the recorded scenes. */
export function shownEvent({ event: ns, data }: OwnEvent): RecordedEvent {
	if ('predecessor' in data && 'successor' in data) {
		return { ns, predecessor: idIn(data['predecessor']), successor: idIn(data['successor']) };
	}
	if ('oldStatus' in data && 'request' in data) {
		const [from, to] = [String(data['oldStatus']), String(data['newStatus'])];
		return { ns, request: idIn(data['request']), from, to };
	}
	if (ns === 'consumption.messageProcessed' || ns === 'consumption.relationshipTemplateProcessed') {
		const source = idIn(data['message'] ?? data['template']);
		const { requestId, relationshipId } = data as Readonly<Record<string, string>>;
		return {
			ns,
			result: String(data['result']),
			source,
			...(requestId === undefined ? {} : { requestId }),
			...(relationshipId === undefined ? {} : { relationshipId }),
		};
	}
	const { deletionInfo, status } = data as {
		deletionInfo?: { deletionStatus: string };
		status?: string;
	};
	if ('attributeListener' in data) {
		const { attributeListener, attribute, request } = data;
		return {
			ns,
			attributeListener: idIn(attributeListener),
			attribute: idIn(attribute),
			request: idIn(request),
		};
	}
	const isRequest = 'isOwn' in data && 'content' in data && ns.startsWith('consumption.');
	const showsStatus = isRequest || ns === 'transport.relationshipChanged';
	return {
		ns,
		id: String(data['id']),
		...(showsStatus && status !== undefined ? { status } : {}),
		...(deletionInfo === undefined ? {} : { deletionStatus: deletionInfo.deletionStatus }),
	};
}

function idIn(value: unknown): string {
	return (value as Identified).id;
}
