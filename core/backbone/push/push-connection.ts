import { createParser } from 'eventsource-parser';
import { backboneErrors } from '../backbone-errors';
import type { HttpStream } from '../http/http-exchange';

/**
 * Limit for a frame; frames of the Backbone have some dozen characters
 * (`docs/protocol/backbone-api.md` 19.1).
 */
const maxFrameLength = 64 * 1024;

const keepAlive = 'keep-alive';

interface Watchdog {
	readonly silenceMs: number;
	readonly onSilence: () => void;
}

/**
 * Yields the names of the events of an open stream, without keep-alives. Calls the watchdog if no
 * byte arrives for too long; the watchdog destroys the stream.
 */
export async function* readPushEvents(
	stream: HttpStream,
	{ silenceMs, onSilence }: Watchdog,
): AsyncGenerator<string> {
	const names: string[] = [];
	const parser = createParser({
		maxBufferSize: maxFrameLength,
		onEvent: ({ event }) => {
			if (event !== undefined && event !== keepAlive) names.push(event.slice(0, 100));
		},
		onError: (error) => {
			if (error.type === 'max-buffer-size-exceeded') throw error;
		},
	});
	const decoder = new TextDecoder();
	// Measures only the time of waiting: while the consumer works, received bytes stay unread.
	let timer: NodeJS.Timeout | undefined;
	const watch = (): void => {
		timer = setTimeout(onSilence, silenceMs).unref();
	};
	try {
		watch();
		for await (const chunk of stream.body as AsyncIterable<Buffer>) {
			clearTimeout(timer);
			parser.feed(decoder.decode(chunk, { stream: true }));
			for (const name of names.splice(0)) yield name;
			watch();
		}
	} finally {
		clearTimeout(timer);
	}
}

export function silenceError(silenceMs: number) {
	return backboneErrors.create('pushSilent', {
		message: `Nothing came from the push stream for ${Math.round(silenceMs / 1_000)} s, not even a keep-alive.`,
		facts: { silenceMs },
	});
}
