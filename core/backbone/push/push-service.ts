import type { Dispatcher } from 'undici';
import type { Clock } from '../../base/clock';
import { ClockSkew } from '../http/clock-skew';
import { Deadlines } from '../http/deadline';
import { createHttpAgent, HttpAgent } from '../http/http-agent';
import { HttpExchange } from '../http/http-exchange';
import { PushStream, type PushStreamOptions } from './push-stream';
import { defaultPushTimings, type PushTimings } from './push-timings';

/** The first connection of a device registers it and takes up to 2.5 s (observed). */
const minConnectMs = 10_000;

export interface PushServiceOptions extends Omit<
	PushStreamOptions,
	'exchange' | 'deadlines' | 'skew' | 'timings'
> {
	/** normalized */
	readonly pushUrl: string;
	readonly timeoutMs: number;
	readonly clock: Clock;
	readonly additionalHeaders: Readonly<Record<string, string>> | undefined;
	/** closed by the caller; default: an agent for the push service alone */
	readonly dispatcher: Dispatcher | undefined;
	readonly timings: Partial<PushTimings> | undefined;
}

/** Service that signals events. It may have another address than the Backbone. */
export class PushService {
	readonly stream: PushStream;

	private readonly deadlines: Deadlines;

	private readonly ownAgent: HttpAgent | undefined;

	constructor(options: PushServiceOptions) {
		const { pushUrl, clock, dispatcher, additionalHeaders, timeoutMs } = options;
		const agent =
			dispatcher === undefined
				? createHttpAgent(new URL(pushUrl).origin)
				: new HttpAgent(() => dispatcher);
		this.ownAgent = dispatcher === undefined ? agent : undefined;
		// Kept apart from the Backbone's skew: the times of objects do not come from
		// the clock of this service.
		const skew = new ClockSkew(clock);
		const exchange = new HttpExchange(pushUrl, agent, clock, skew, additionalHeaders);
		this.deadlines = new Deadlines(Math.max(timeoutMs, minConnectMs), exchange.host);
		const timings = { ...defaultPushTimings, ...options.timings };
		this.stream = new PushStream({
			...options,
			exchange,
			deadlines: this.deadlines,
			skew,
			timings,
		});
	}

	async close(): Promise<void> {
		this.deadlines.close();
		await this.ownAgent?.destroy();
	}
}
