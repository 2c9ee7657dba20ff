import type { GatewayError } from '../../base/errors';
import { isoInstant } from '../../base/clock';
import type { PushStatusDto } from '../../model/record/sync';

export type PushState =
	| { readonly kind: 'off' | 'elsewhere' }
	| { readonly kind: 'connecting' | 'connected'; readonly since: number }
	| { readonly kind: 'unavailable'; readonly since: number; readonly error: GatewayError };

/** Number of consecutive interruptions that are no longer a coincidence. */
const manyCuts = 3;

const messages = {
	off: 'No trigger and no server of this process asks for push: events are found at the next sync.',
	elsewhere:
		'Another process has the push connection of this account, and syncs as soon as something is announced.',
	connecting: 'The push connection is being opened. Until then events are found at the interval.',
	connected: 'Push works: the Backbone announces new events at once.',
};

const cutOften =
	'It is ended every few seconds or minutes and opened again, most likely by a proxy: have its read timeout raised to more than 240 seconds (nginx: proxy_read_timeout 300s, proxy_buffering off).';

/**
 * Describes the state of push for people.
 *
 * @param cuts number of consecutive working connections that ended before the first keep-alive
 */
export function describePush(
	state: PushState,
	lastEventAt: number | undefined,
	cuts: number,
): PushStatusDto {
	return {
		state: state.kind,
		...('since' in state ? { since: isoInstant(state.since) } : {}),
		...(lastEventAt === undefined ? {} : { lastEventAt: isoInstant(lastEventAt) }),
		...wordsOf(state, cuts),
	};
}

function wordsOf(state: PushState, cuts: number): Pick<PushStatusDto, 'message' | 'code'> {
	if (state.kind === 'connected' && cuts >= manyCuts) {
		return { message: `${messages.connected} ${cutOften}` };
	}
	if (state.kind !== 'unavailable') return { message: messages[state.kind] };
	const { error } = state;
	const reason = [error.message, error.remedy].filter((part) => part !== undefined).join(' ');
	return {
		message: `Push does not work; events are found at the interval. ${reason}`,
		code: error.code,
	};
}
