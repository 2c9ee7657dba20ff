import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { Context } from 'hono';

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
	private packed: Promise<Representation> | undefined;

	private plain: Promise<Representation> | undefined;

	/** @param load loads the page, packed with gzip if `isPacked` */
	constructor(
		private readonly load: () => Promise<Uint8Array<ArrayBuffer>> | Uint8Array<ArrayBuffer>,
		private readonly headers: Readonly<Record<string, string>>,
		private readonly isPacked = false,
	) {}

	async answer(context: Context): Promise<Response> {
		const takesPacked = /\bgzip\b/i.test(context.req.header('accept-encoding') ?? '');
		const { bytes, tag } = await (takesPacked ? this.packedPage() : this.plainPage());
		return context.body(bytes, 200, {
			...this.headers,
			...(takesPacked ? { 'content-encoding': 'gzip' } : {}),
			vary: 'Accept-Encoding',
			etag: tag,
		});
	}

	private packedPage(): Promise<Representation> {
		this.packed ??= this.represent(
			async () => (this.isPacked ? await this.load() : await pack(await this.load())),
			() => (this.packed = undefined),
		);
		return this.packed;
	}

	private plainPage(): Promise<Representation> {
		this.plain ??= this.represent(
			async () => (this.isPacked ? await unpack(await this.load()) : await this.load()),
			() => (this.plain = undefined),
		);
		return this.plain;
	}

	private async represent(
		make: () => Promise<Uint8Array<ArrayBuffer>>,
		forget: () => void,
	): Promise<Representation> {
		try {
			const bytes = await make();
			const digest = createHash('sha256').update(bytes).digest('base64url');
			return { bytes, tag: `W/"${digest.slice(0, 27)}"` };
		} catch (error) {
			forget();
			throw error;
		}
	}
}
