import type { FollowedEvents, GatewayEvent } from '../../facade';

/** Clients come back after this time. */
const retryMs = 3_000;

/* https://html.spec.whatwg.org/multipage/server-sent-events.html */

/** The first bytes: a position even for those who are cut off before the first event. */
export function openingFrames({ position, isIncomplete }: FollowedEvents, after?: number): string {
	const opening = `retry: ${retryMs}\nid: ${position}\n\n`;
	if (!isIncomplete) return opening;
	return `${opening}event: ${incompleteEvent}\ndata: ${JSON.stringify({ after })}\n\n`;
}

/** Told at the beginning, when events after the wanted position are not kept any more. */
export const incompleteEvent = 'gateway.eventsMissed';

export function pageFrames({ events, position }: FollowedEvents): string {
	const frames = events.map(eventFrame);
	// What was passed over needs not be looked at again.
	if (events.at(-1)?.sequence !== position) frames.push(`id: ${position}\n\n`);
	return frames.join('');
}

/** A comment, which keeps connections and those in between awake. */
export const heartbeatFrame = ': heartbeat\n\n';

/** JSON has no line breaks outside of strings, and escapes those within. */
function eventFrame(event: GatewayEvent): string {
	return `id: ${event.sequence}\nevent: ${event.event}\ndata: ${JSON.stringify(event)}\n\n`;
}
