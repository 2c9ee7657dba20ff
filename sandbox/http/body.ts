import type { IncomingMessage } from 'node:http';
import { BackboneError, cannotParse, invalidProperty, unexpected } from './backbone-error';

/** 20 MiB (docs/protocol/backbone-api.md 20) */
const maxBodyBytes = 20 * 1024 * 1024;
export const maxContentBytes = 10 * 1024 * 1024;
const nothing = Buffer.alloc(0);

/**
 * Reads a body. A body above the limit is still read to its end, so that the client receives the
 * answer; the connection is closed only for several times the limit.
 *
 * @throws `error.platform.requestBodyTooLarge`, Error when the client disconnects
 */
export function readBody(request: IncomingMessage): Promise<Buffer> {
	const { 'content-length': length, 'transfer-encoding': encoding } = request.headers;
	if (encoding === undefined && (length === undefined || length === '0')) {
		return Promise.resolve(nothing);
	}
	return new Promise((resolve, reject) => {
		let chunks: Buffer[] = [];
		let received = 0;
		request.on('data', (chunk: Buffer) => {
			received += chunk.length;
			if (received <= maxBodyBytes) chunks.push(chunk);
			else chunks = [];
			if (received > 4 * maxBodyBytes) request.destroy();
		});
		request.on('end', () => {
			if (received > maxBodyBytes) {
				reject(
					new BackboneError(400, 'error.platform.requestBodyTooLarge', 'The body is too large.'),
				);
			} else resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks));
		});
		request.on('error', reject);
		request.on('close', () => reject(new Error('The client disconnected.')));
	});
}

/** Members of a JSON body; names match in any letter case, unknown members are ignored. */
export class JsonBody {
	private readonly value: Readonly<Record<string, unknown>>;

	constructor(value: unknown) {
		if (typeof value !== 'object' || value === null || Array.isArray(value)) {
			throw cannotParse('The body must be a JSON object.');
		}
		this.value = value as Readonly<Record<string, unknown>>;
	}

	static parse(body: Buffer): JsonBody {
		if (body.length === 0) return new JsonBody({});
		try {
			return new JsonBody(JSON.parse(body.toString('utf8')));
		} catch (error) {
			if (error instanceof BackboneError) throw error;
			throw cannotParse('The body is not valid JSON.');
		}
	}

	/** Value of a member; undefined for null too. */
	get(name: string): unknown {
		const found = Object.hasOwn(this.value, name) ? name : this.nameLike(name);
		return found === undefined ? undefined : (this.value[found] ?? undefined);
	}

	entries(): Array<[string, unknown]> {
		return Object.entries(this.value);
	}

	text(name: string): string {
		const value = this.get(name);
		if (typeof value === 'string') return value;
		throw cannotParse(`The member '${name}' is missing or not a text.`);
	}

	optionalText(name: string): string | undefined {
		return this.get(name) === undefined ? undefined : this.text(name);
	}

	/**
	 * Text up to a maximum length; a longer one fails in the database and causes an unexpected error.
	 */
	shortText(name: string, max: number): string {
		const value = this.text(name);
		if (value.length <= max) return value;
		throw unexpected();
	}

	optionalBoolean(name: string): boolean | undefined {
		const value = this.get(name);
		if (value === undefined || typeof value === 'boolean') return value;
		throw cannotParse(`The member '${name}' is not true or false.`);
	}

	/** Integer; a value outside the range of the server's type counts as unparsable. */
	integer(name: string, max = 2_147_483_647): number {
		const value = this.get(name);
		if (Number.isInteger(value) && Math.abs(value as number) <= max) return value as number;
		throw cannotParse(`The member '${name}' is missing or not an integer up to ${max}.`);
	}

	optionalInteger(name: string, max?: number): number | undefined {
		return this.get(name) === undefined ? undefined : this.integer(name, max);
	}

	array(name: string): unknown[] {
		const value = this.get(name) ?? [];
		if (Array.isArray(value)) return value;
		throw cannotParse(`The member '${name}' is not an array.`);
	}

	/**
	 * Bytes in base64 or base64url, returned as base64url without padding; the limits are in bytes.
	 */
	bytes(name: string, min: number, max: number): string {
		return checkedBytes(this.text(name), name, min, max);
	}

	optionalBytes(name: string, min: number, max: number): string | undefined {
		return this.get(name) === undefined ? undefined : this.bytes(name, min, max);
	}

	/** Date-time in the future. */
	futureDate(name: string, now: number): string {
		return futureDate(this.text(name), name, now);
	}

	date(name: string): number {
		return dateOf(this.text(name), name);
	}

	optionalFutureDate(name: string, now: number): string | undefined {
		return this.get(name) === undefined ? undefined : this.futureDate(name, now);
	}

	private nameLike(name: string): string | undefined {
		const lower = name.toLowerCase();
		return Object.keys(this.value).findLast((other) => other.toLowerCase() === lower);
	}
}

const isoDateTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?$/i;

/** Month, day and year, which the server takes as well. */
const americanDate = /^\d{1,2}\/\d{1,2}\/\d{4}$/;

export function futureDate(text: string, name: string, now: number): string {
	const date = dateOf(text, name);
	if (date <= now) throw invalidProperty(`'${name}' must be in the future.`);
	return new Date(date).toISOString();
}

function dateOf(text: string, name: string): number {
	// A date-time without offset is in UTC, regardless of this machine's time zone.
	const isLocal = !/(Z|[+-]\d\d:?\d\d)$/i.test(text);
	const form = isoDateTime.test(text) ? text : americanDate.test(text) ? `${text} ` : '';
	const date = form === '' ? NaN : Date.parse(isLocal ? `${form}Z` : form);
	if (Number.isNaN(date)) throw cannotParse(`'${name}' is not a date-time.`);
	return date;
}

export function checkedBytes(text: string, name: string, min: number, max: number): string {
	// The server passes over white space.
	const normal = normalBytes(text.replace(/\s/g, ''));
	if (normal === undefined) throw cannotParse(`'${name}' is not base64.`);
	const length = Math.floor((normal.length * 3) / 4);
	if (length < min || length > max) {
		throw invalidProperty(`'${name}' must have ${min} to ${max} bytes, but has ${length}.`);
	}
	return normal;
}

/** Fast path without a copy: base64url without padding, the form that clients mostly send. */
function normalBytes(text: string): string | undefined {
	if (/^[A-Za-z0-9_-]*$/.test(text)) return text.length % 4 === 1 ? undefined : text;
	if (!/^[A-Za-z0-9+/_-]*={0,2}$/.test(text)) return undefined;
	return normalBytes(text.slice(0, unpadded(text)).replaceAll('+', '-').replaceAll('/', '_'));
}

function unpadded(text: string): number {
	if (text.endsWith('==')) return text.length - 2;
	return text.endsWith('=') ? text.length - 1 : text.length;
}

/**
 * Bytes in a query: standard base64 with padding only (docs/protocol/backbone-api.md 2.6); an
 * unescaped plus sign has become a blank.
 */
export function queryBytes(text: string, name: string, min: number, max: number): string {
	const isStandard = text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text);
	if (!isStandard) throw cannotParse(`'${name}' is not base64.`);
	return checkedBytes(text, name, min, max);
}

const idForms = new Map<string, RegExp>();

/** @throws `error.platform.validation.invalidPropertyValue` */
export function requireId(prefix: string, id: unknown): string {
	if (isId(prefix, id)) return id;
	throw invalidProperty(`This is not a valid ID with the prefix ${prefix}.`);
}

export function isId(prefix: string, id: unknown): id is string {
	let form = idForms.get(prefix);
	if (form === undefined) {
		form = new RegExp(`^${prefix}[A-Za-z0-9]{1,17}$`);
		idForms.set(prefix, form);
	}
	return typeof id === 'string' && form.test(id);
}
