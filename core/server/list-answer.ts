import { jsonAnswer } from './route-answer';
import type { ListPages } from './routes/route';

export interface ListAnswerOptions {
	/** Says that the answer is sent while it is read, so that nothing waits for all of it. */
	onStream(): void;
	/** Breaks the connection, so that no client takes a part for the whole. */
	onFailure(error: unknown): void;
}

/**
 * Answers with a list. Two pages are read first: errors that occur until then are regular answers,
 * and a list of one page has a length and an entity tag as any other answer. Of a longer list, a
 * page is read when the page before has been sent.
 */
export async function listAnswer(pages: ListPages, options: ListAnswerOptions): Promise<Response> {
	const first = await pages.next();
	const second = await pages.next();
	if (first.done === true || second.done === true) {
		return jsonAnswer({ result: first.value ?? [] }, 200, { isTagged: true });
	}
	options.onStream();
	const body = listBody([first.value, second.value], pages, options);
	return new Response(body, {
		headers: { 'content-type': 'application/json; charset=utf-8', vary: 'Accept-Encoding' },
	});
}

function listBody(
	read: Array<readonly object[]>,
	pages: ListPages,
	{ onFailure }: ListAnswerOptions,
): ReadableStream<Uint8Array> {
	const encoder = new TextEncoder();
	let before = '{"result":[';
	return new ReadableStream<Uint8Array>(
		{
			async pull(controller) {
				try {
					const page = read.shift() ?? (await pages.next()).value;
					if (page === undefined) {
						controller.enqueue(encoder.encode(']}'));
						controller.close();
						return;
					}
					controller.enqueue(encoder.encode(before + membersOf(page)));
					before = ',';
				} catch (error) {
					onFailure(error);
					controller.close();
				}
			},
			// The page in progress ends by itself; none is read after it.
			cancel: () => void read.splice(0),
		},
		{ highWaterMark: 0 },
	);
}

/** JSON of the records without the brackets of the list. */
const membersOf = (page: readonly object[]): string => JSON.stringify(page).slice(1, -1);
