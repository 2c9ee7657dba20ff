/** Refused call; `code` tells how to go on, such as `password`. */
export class CallError extends Error {
	constructor(
		message: string,
		readonly code: string | undefined,
	) {
		super(message);
	}
}

/** Calls the wallet's server: with a body by POST, without by GET. */
export async function call<Result>(path: string, body?: object): Promise<Result> {
	const response = await fetch(`/api/people${path}`, {
		...(body === undefined
			? {}
			: {
					method: 'POST',
					headers: { 'content-type': 'application/json' },
					body: JSON.stringify(body),
				}),
	}).catch(() => {
		throw new CallError('The wallet does not answer. Is its program still running?', undefined);
	});
	const answer = (await response.json().catch(() => ({}))) as { message?: string; code?: string };
	if (response.ok) return answer as Result;
	throw new CallError(answer.message ?? 'The wallet failed. Try again.', answer.code);
}

export function messageOf(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}
