import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { Context } from 'hono';
import { madeOnce } from '../../base/single-flight';

const pack = promisify(gzip);
const unpack = promisify(gunzip);

interface Representation {
	readonly bytes: Uint8Array<ArrayBuffer>;
	readonly tag: string;
}

/**
 * Public page, built and packed once. All answers share its bytes, so that clients that request it
 * repeatedly and read nothing cost no memory.
 */
export class CachedPage {
	private readonly packed: () => Promise<Representation>;

	private readonly plain: () => Promise<Representation>;

	/** @param load loads the page, packed with gzip if `isPacked` */
	constructor(
		load: () => Promise<Uint8Array<ArrayBuffer>> | Uint8Array<ArrayBuffer>,
		private readonly headers: Readonly<Record<string, string>>,
		isPacked = false,
	) {
		this.packed = madeOnce(async () => tagged(isPacked ? await load() : await pack(await load())));
		this.plain = madeOnce(async () => tagged(isPacked ? await unpack(await load()) : await load()));
	}

	async answer(context: Context): Promise<Response> {
		const takesPacked = /\bgzip\b/i.test(context.req.header('accept-encoding') ?? '');
		const { bytes, tag } = await (takesPacked ? this.packed() : this.plain());
		return context.body(bytes, 200, {
			...this.headers,
			...(takesPacked ? { 'content-encoding': 'gzip' } : {}),
			vary: 'Accept-Encoding',
			etag: tag,
		});
	}
}

function tagged(bytes: Uint8Array<ArrayBuffer>): Representation {
	const digest = createHash('sha256').update(bytes).digest('base64url');
	return { bytes, tag: `W/"${digest.slice(0, 27)}"` };
}
