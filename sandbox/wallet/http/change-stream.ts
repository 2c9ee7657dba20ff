import type { ServerResponse } from 'node:http';

import type { Person } from '../person';

/** Interval of comments that keep an idle connection open. */
const keepAliveMs = 20_000;

/**
 * Tells the page about every change of the account, as server-sent events, until it disconnects.
 */
export async function sendChanges({ gateway }: Person, response: ServerResponse): Promise<void> {
	const stop = new AbortController();
	response.once('close', () => stop.abort());
	response.writeHead(200, { 'content-type': 'text/event-stream' });
	const timer = setInterval(() => response.write(':\n\n'), keepAliveMs);
	try {
		for await (const _page of gateway.events.follow({ filter: {}, signal: stop.signal })) {
			response.write('data: changed\n\n');
		}
	} catch {
		// The page reconnects and reads the state again.
		response.end();
	} finally {
		clearInterval(timer);
	}
}
