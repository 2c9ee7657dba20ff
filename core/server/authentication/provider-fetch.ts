/** Bytes of an answer, after decompression: keys, metadata and tokens of a provider have a few thousand. */
const maxBytes = 1_000_000;

/**
 * `fetch` for calls of providers that sign people in or issue tokens.
 *
 * @throws Error if the answer is larger than 1 MB
 */
export async function providerFetch(
	address: string | URL,
	options: RequestInit,
): Promise<Response> {
	const answer = await fetch(address, options);
	const pieces: Uint8Array[] = [];
	let length = 0;
	for await (const piece of answer.body ?? []) {
		length += piece.length;
		if (length > maxBytes) throw new Error(`the answer of the provider has over ${maxBytes} bytes`);
		pieces.push(piece);
	}
	const { status, headers } = answer;
	return new Response(answer.body === null ? null : Buffer.concat(pieces), { status, headers });
}
