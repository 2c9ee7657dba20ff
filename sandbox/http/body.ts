import type { IncomingMessage } from 'node:http';
import { BackboneError, cannotParse, invalidProperty } from './backbone-error';

/** 20 MiB (docs/protocol/backbone-api.md 20) */
const maxBodyBytes = 20 * 1024 * 1024;
export const maxContentBytes = 10 * 1024 * 1024;

export async function readBody(request: IncomingMessage): Promise<Buffer> {
	const chunks: Buffer[] = [];
	let length = 0;
	for await (const chunk of request as AsyncIterable<Buffer>) {
		length += chunk.length;
		if (length > maxBodyBytes) {
			throw new BackboneError(400, 'error.platform.requestBodyTooLarge', 'The body is too large.');
		}
		chunks.push(chunk);
	}
	return chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks);
}

/** Members of a JSON body; names match in any case, unknown ones are ignored. */
export class JsonBody {
	private readonly members = new Map<string, unknown>();

	constructor(value: unknown) {
		if (typeof value !== 'object' || value === null || Array.isArray(value)) {
			throw cannotParse('The body must be a JSON object.');
		}
		for (const [name, member] of Object.entries(value))
			this.members.set(name.toLowerCase(), member);
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

	get(name: string): unknown {
		const value = this.members.get(name.toLowerCase());
		return value === null ? undefined : value;
	}

	text(name: string): string {
		const value = this.get(name);
		if (typeof value === 'string') return value;
		throw cannotParse(`The member '${name}' is missing or not a text.`);
	}

	optionalText(name: string): string | undefined {
		return this.get(name) === undefined ? undefined : this.text(name);
	}

	optionalInteger(name: string): number | undefined {
		const value = this.get(name);
		if (value === undefined) return undefined;
		if (Number.isInteger(value)) return value as number;
		throw cannotParse(`The member '${name}' is not an integer.`);
	}

	array(name: string): unknown[] {
		const value = this.get(name) ?? [];
		if (Array.isArray(value)) return value;
		throw cannotParse(`The member '${name}' is not an array.`);
	}

	/** Base64 or base64url in, base64url without padding out; sizes are those of the bytes. */
	bytes(name: string, min: number, max: number): string {
		return checkedBytes(this.text(name), name, min, max);
	}

	optionalBytes(name: string, min: number, max: number): string | undefined {
		const value = this.get(name);
		return value === undefined ? undefined : this.bytes(name, min, max);
	}

	/** A date-time that lies in the future. */
	futureDate(name: string, now: number): string {
		const date = Date.parse(this.text(name));
		if (Number.isNaN(date)) throw cannotParse(`The member '${name}' is not a date-time.`);
		if (date <= now) throw invalidProperty(`'${name}' must be in the future.`);
		return new Date(date).toISOString();
	}
}

export function checkedBytes(text: string, name: string, min: number, max: number): string {
	if (!/^[A-Za-z0-9+/_-]*={0,2}$/.test(text)) throw cannotParse(`'${name}' is not base64.`);
	const normal = text.replace(/=+$/, '').replaceAll('+', '-').replaceAll('/', '_');
	const length = Math.floor((normal.length * 3) / 4);
	if (length < min || length > max) {
		throw invalidProperty(`'${name}' must have ${min} to ${max} bytes, but has ${length}.`);
	}
	return normal;
}

export function requireId(prefix: string, id: unknown): string {
	if (typeof id === 'string' && new RegExp(`^${prefix}[A-Za-z0-9]{1,17}$`).test(id)) return id;
	throw invalidProperty(`This is not a valid ID with the prefix ${prefix}.`);
}
