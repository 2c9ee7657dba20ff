import type { FollowedEvents } from '../../facade';
import { heartbeatFrame, openingFrames, pageFrames } from './stream-frames';

export interface StreamTimes {
	/** between signs of life */
	readonly heartbeatMs: number;
	/** how long a client may leave what was sent unread */
	readonly unreadMs: number;
	/** after which the client has to come back, and to show its key or token again */
	readonly longestMs: number;
}

export const streamTimes: StreamTimes = {
	heartbeatMs: 15_000,
	unreadMs: 30_000,
	longestMs: 3_600_000,
};

export interface StreamBodyOptions extends StreamTimes {
	readonly pages: AsyncIterator<FollowedEvents, unknown>;
	/** the page that was read already */
	readonly first: FollowedEvents;
	readonly after: number | undefined;
	/** the server closes: the stream ends */
	readonly closing: AbortSignal;
	/** Ends the reading of pages; called once, however the stream ends. */
	onEnd(): void;
	/** Cuts the connection of a client that does not read. */
	cut(): void;
}

const end = Symbol('end');

/**
 * What a client of the event stream is sent. One page is read when the one before is on its way, so
 * that a client that reads slowly costs a page and nothing more.
 */
export function streamBody(options: StreamBodyOptions): ReadableStream<Uint8Array> {
	const { pages, onEnd, cut, closing, unreadMs } = options;
	const encoder = new TextEncoder();
	const life = new StreamLife(options);
	let opening: string | undefined = openingFrames(options.first, options.after);
	let page: Promise<FollowedEvents | typeof end> | undefined;
	let unread: NodeJS.Timeout | undefined;

	const next = async (): Promise<string | typeof end> => {
		page ??= pages
			.next()
			.then(({ value, done }) => (done === true ? end : (value as FollowedEvents)));
		const found = await life.during(page);
		if (found === 'heartbeat') return heartbeatFrame;
		page = undefined;
		return found === end ? end : pageFrames(found);
	};
	const finish = (): void => {
		clearTimeout(unread);
		life.end();
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
				// Whoever reads comes back, and is told then what is wrong.
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

/** Races pages against the heartbeat, the longest time and the closing server. */
class StreamLife {
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
