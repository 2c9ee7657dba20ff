import { createParser } from 'eventsource-parser';
import { backboneErrors } from './backbone-errors';
import type { HttpStream } from './http-exchange';

/** An honest frame has some dozen characters (`docs/protocol/backbone-api.md` 19.1). */
const maxFrameLength = 64 * 1024;

const keepAlive = 'keep-alive';

interface Watchdog {
	readonly silenceMs: number;
	readonly onSilence: () => void;
}

/**
 * The names of the events of one open stream, keep-alives as `undefined`. Calls the watchdog when
 * nothing at all comes for too long; it is expected to destroy the stream.
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
	// Only waiting counts as silence: while the consumer works, bytes queue up unread.
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
