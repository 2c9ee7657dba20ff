import type { FollowedEvents, AnyEvent } from '../../facade/gateway-facade';

/** Delay after which clients reconnect. */
const retryMs = 3_000;

/* @see https://html.spec.whatwg.org/multipage/server-sent-events.html */

/**
 * Opening frames with a position, so that a client that is cut off before its first event can
 * resume.
 */
export function openingFrames({
	first: { position, isIncomplete },
	after,
	warnings,
}: {
	readonly first: FollowedEvents;
	readonly after: number | undefined;
	readonly warnings: readonly string[];
}): string {
	const comments = warnings.map((warning) => `: ${warning}\n`).join('');
	const opening = `${comments}retry: ${retryMs}\nid: ${position}\n\n`;
	if (!isIncomplete) return opening;
	return `${opening}event: ${incompleteEvent}\ndata: ${JSON.stringify({ after })}\n\n`;
}

/** Name of the frame that reports that events after the requested position are no longer kept. */
export const incompleteEvent = 'gateway.eventsMissed';

export function pageFrames({ events, position }: FollowedEvents): string {
	const frames = events.map(eventFrame);
	// A skipped page advances the client's position, so that it is not searched again.
	if (events.at(-1)?.sequence !== position) frames.push(`id: ${position}\n\n`);
	return frames.join('');
}

/** Comment frame that keeps connections and proxies from timing out. */
export const heartbeatFrame = ': heartbeat\n\n';

/** JSON has no line breaks outside strings and escapes those inside, so one data line suffices. */
function eventFrame(event: AnyEvent): string {
	return `id: ${event.sequence}\nevent: ${event.event}\ndata: ${JSON.stringify(event)}\n\n`;
}
