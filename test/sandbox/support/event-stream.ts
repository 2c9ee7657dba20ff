import { until } from '../../support/until';
import type { RawAccount } from './raw-client';

/** The names that the push stream of an account has sent so far. */
export async function eventStream(account: RawAccount) {
	const events: string[] = [];
	const abort = new AbortController();
	const response = await account.stream(abort.signal);
	const reading = read(response, events);
	const reaches = (name: string): Promise<void> => until(() => events.includes(name));
	if (response.status === 200) await until(() => events.length > 0);
	return {
		events,
		response,
		reaches,
		/** resolves when the server has ended the stream */
		ended: reading,
		close: async (): Promise<void> => {
			abort.abort();
			await reading;
		},
	};
}

async function read(response: Response, events: string[]): Promise<void> {
	const decoder = new TextDecoder();
	try {
		for await (const chunk of response.body ?? []) {
			const text = decoder.decode(chunk as Uint8Array, { stream: true });
			for (const [, name] of text.matchAll(/^event: (.+)$/gm)) events.push(name ?? '');
		}
	} catch {
		// The test has closed the stream, or the server has cut it.
	}
}
