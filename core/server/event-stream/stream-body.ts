import type { FollowedEvents } from '../../facade/gateway-facade';
import { heartbeatFrame, openingFrames, pageFrames } from './stream-frames';

export interface StreamTimes {
	/** milliseconds between heartbeats */
	readonly heartbeatMs: number;
	/** milliseconds that a client may leave sent data unread */
	readonly unreadMs: number;
	/** milliseconds after which the client has to reconnect and authenticate again */
	readonly longestMs: number;
}

export const streamTimes: StreamTimes = {
	heartbeatMs: 15_000,
	unreadMs: 30_000,
	longestMs: 3_600_000,
};

export interface StreamBodyOptions extends StreamTimes {
	readonly pages: AsyncIterator<FollowedEvents, unknown>;
	/** page that has already been read */
	readonly first: FollowedEvents;
	readonly after: number | undefined;
	/** sent as comments at the beginning */
	readonly warnings: readonly string[];
	/** aborts when the server closes, which ends the stream */
	readonly closing: AbortSignal;
	/** Stops reading pages; called once, however the stream ends. */
	onEnd(): void;
	/** Closes the connection of a client that does not read. */
	cut(): void;
}

const end = Symbol('end');

/**
 * Body of an event stream. The next page is read only after the one before was pulled, so a slow
 * client holds a single page in memory.
 */
export function streamBody(options: StreamBodyOptions): ReadableStream<Uint8Array> {
	const { pages, onEnd, cut, closing, unreadMs } = options;
	const encoder = new TextEncoder();
	const deadlines = new StreamDeadlines(options);
	let opening: string | undefined = openingFrames(options);
	let page: Promise<FollowedEvents | typeof end> | undefined;
	let unread: NodeJS.Timeout | undefined;

	const next = async (): Promise<string | typeof end> => {
		page ??= pages.next().then(({ value, done }) => (done === true ? end : value));
		const found = await deadlines.during(page);
		if (found === 'heartbeat') return heartbeatFrame;
		page = undefined;
		return found === end ? end : pageFrames(found);
	};
	const finish = (): void => {
		clearTimeout(unread);
		deadlines.end();
		onEnd();
	};
	return new ReadableStream<Uint8Array>({
		pull: async (controller) => {
			clearTimeout(unread);
			let frames: string | typeof end | undefined = opening;
			opening = undefined;
			try {
				frames ??= await next();
			} catch {
				// The client reconnects and receives the error as a regular answer.
				frames = end;
			}
			if (frames === end || closing.aborted) {
				finish();
				controller.close();
				return;
			}
			controller.enqueue(encoder.encode(frames));
			unread = setTimeout(() => {
				finish();
				cut();
			}, unreadMs);
		},
		cancel: finish,
	});
}

/**
 * Ends waiting for a page at the next heartbeat, at the maximum duration, or when the server
 * closes.
 */
class StreamDeadlines {
	private readonly over = Promise.withResolvers<typeof end>();

	private readonly timer: NodeJS.Timeout;

	constructor(private readonly options: Pick<StreamBodyOptions, keyof StreamTimes | 'closing'>) {
		this.timer = setTimeout(this.end, options.longestMs);
		options.closing.addEventListener('abort', this.end, { once: true });
	}

	readonly end = (): void => {
		clearTimeout(this.timer);
		this.options.closing.removeEventListener('abort', this.end);
		this.over.resolve(end);
	};

	async during<Value>(work: Promise<Value>): Promise<Value | typeof end | 'heartbeat'> {
		const beat = Promise.withResolvers<'heartbeat'>();
		const timer = setTimeout(() => beat.resolve('heartbeat'), this.options.heartbeatMs);
		try {
			return await Promise.race([work, this.over.promise, beat.promise]);
		} finally {
			clearTimeout(timer);
		}
	}
}
